"""One form for every table: unique names, plain types, and nulls for missing cells."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.types as kind
from pyarrow import compute as pc

from slad.core.errors import DataError
from slad.tables.loaded import Note


def normal(frame: pa.Table, where: str) -> tuple[pa.Table, list[Note]]:
    """The table with unique, stripped names and plain types; DataError where it is empty."""
    if frame.num_columns == 0:
        raise DataError(f"{where} has no columns")
    if frame.num_rows == 0:
        raise DataError(f"{where} has column names but no rows")
    return plain(frame, where)


def plain(frame: pa.Table, where: str) -> tuple[pa.Table, list[Note]]:
    """The same for a part of a table, which may be empty."""
    names, notes = unique_names(frame.column_names)
    columns = []
    for name, column in zip(names, frame.columns, strict=True):
        try:
            columns.append(_plain(column))
        except (pa.ArrowException, ValueError) as error:
            raise DataError(f"{where}, column {name!r} ({column.type}): {error}") from error
    fields = [
        pa.field(name, column.type, metadata=field.metadata if column.type == field.type else None)
        for name, column, field in zip(names, columns, frame.schema, strict=True)
    ]
    return pa.table(columns, schema=pa.schema(fields)), notes


def unique_names(given: list[str]) -> tuple[list[str], list[Note]]:
    """Names without spaces around them, each of them once.

    >>> unique_names(["a", " a", ""])[0]
    ['a', 'a.1', 'column 3']
    """
    stripped = [name.strip() or f"column {at}" for at, name in enumerate(given, 1)]
    taken, seen, names, notes = set(stripped), set[str](), [], []
    for name in stripped:
        unique, count = name, 0
        while unique in seen or (count and unique in taken):
            count += 1
            unique = f"{name}.{count}"
        if count:
            notes.append(Note(unique, f"renamed: another column is called {name!r}, too"))
        seen.add(unique)
        names.append(unique)
    return names, notes


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column without dictionaries, views, extension types and NaN."""
    type_ = column.type
    if isinstance(type_, pa.BaseExtensionType):
        storage = [getattr(chunk, "storage", chunk) for chunk in column.chunks]
        return _plain(pa.chunked_array(storage, type_.storage_type))
    if kind.is_dictionary(type_):
        decoded = [chunk.dictionary_decode() for chunk in column.chunks]
        return _plain(pa.chunked_array(decoded, type_.value_type))
    if kind.is_run_end_encoded(type_):
        return _plain(pc.run_end_decode(column))
    if kind.is_large_string(type_) or type_ == pa.string_view():
        return _as_string(column)
    if kind.is_float16(type_):
        column = column.cast(pa.float32())
    if kind.is_timestamp(type_) and type_.tz:
        pc.local_timestamp(pa.array([0], type_))  # fails where the zone is not known
    if kind.is_date64(type_):
        return column.cast(pa.timestamp("ms"))
    if kind.is_floating(column.type):
        return _nan_to_null(column)
    return column


def _as_string(column: pa.ChunkedArray) -> pa.ChunkedArray:
    try:
        return column.cast(pa.string())
    except pa.ArrowInvalid:  # more than 2 GB in one chunk
        return column.cast(pa.large_string())


def _nan_to_null(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Nulls for NaN: a null means missing in every type. Copies only where there is a NaN."""
    nan = pc.is_nan(column)
    return pc.if_else(nan, None, column) if pc.any(nan).as_py() else column
