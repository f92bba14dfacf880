"""CSV, TSV and the like. Delimiter and decimal sign are detected; errors name the line."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import IO

import pyarrow as pa
from pyarrow import csv as arrow_csv

from slad.core.errors import DataError
from slad.tables.arrow_types import OTHER, TEXT, family
from slad.tables.formats.dialect import Dialect, all_numbers, records, sniff
from slad.tables.formats.format import Format, Types
from slad.tables.formats.json_values import to_json
from slad.tables.formats.text_bytes import as_utf8, bytes_of
from slad.tables.loaded import Note
from slad.tables.normal import unique_names

MISSING = (
    *("NA", "N/A", "n/a", "#N/A", "<NA>"),
    *("null", "NULL", "Null", "none", "None", "NONE"),
    *("nan", "NaN", "NAN", "-"),
)
"""Spellings of a missing cell, beside the empty one."""

BLOCK_BYTES = 2**23

TABBED = (".tsv", ".tab")


def read_delimited(source: bytes | Path, where: str, types: Types) -> tuple[pa.Table, list[Note]]:
    """The table in a text whose first line names the columns; `types` says which stay text."""
    data, notes = as_utf8(bytes_of(source), where)
    dialect = sniff(data, where)
    names, doubled = unique_names(dialect.names)
    if all_numbers(dialect.names):
        notes.append(
            Note(None, "the first line is read as column names, though it holds only numbers")
        )
    if not data[dialect.body :].strip():
        raise DataError(f"{where} has column names but no rows: {', '.join(names)[:200]}")
    texts = {name for name in names if name in types and family(types[name]) == TEXT}
    for place, code in dialect.codes.items():
        if place < len(names) and names[place] not in types:
            texts.add(names[place])
            notes.append(Note(names[place], f"read as text: {code!r} begins with a zero"))
    frame = _parse(data, dialect, names, texts, where)
    return frame, notes + doubled


def _parse(
    data: bytes, dialect: Dialect, names: list[str], texts: set[str], where: str
) -> pa.Table:
    body = pa.py_buffer(data).slice(dialect.body)
    convert = arrow_csv.ConvertOptions(
        column_types={name: pa.string() for name in texts},
        null_values=["", *MISSING],
        strings_can_be_null=True,
        decimal_point=dialect.decimal,
        true_values=["true", "True", "TRUE"],
        false_values=["false", "False", "FALSE"],
    )
    quoted = b'"' in data
    parse = arrow_csv.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=quoted)
    # A row longer than a block cannot be read: the second try is one block of everything.
    for block in (BLOCK_BYTES, min(len(data) + 1, 2**31 - 1)):
        read = arrow_csv.ReadOptions(column_names=names, block_size=block)
        try:
            return arrow_csv.read_csv(pa.BufferReader(body), read, parse, convert)
        except (pa.ArrowException, ValueError) as error:
            problem = error
            if "straddling" not in str(error):
                break
    raise _explained(data, dialect, names, where, problem) from problem


def _explained(
    data: bytes, dialect: Dialect, names: list[str], where: str, problem: Exception
) -> DataError:
    """The error with the number of the line, which Arrow's threads do not know."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        for line, fields in records(data.decode(), dialect.delimiter):
            if len(fields) != len(names):
                return _ragged(line, fields, dialect.delimiter, len(names), where)
    except csv.Error as error:
        return DataError(f"{where} cannot be read as CSV: {error}")
    finally:
        csv.field_size_limit(limit)
    return DataError(f"{where} cannot be read as CSV: {problem}")


def _ragged(line: int, fields: list[str], delimiter: str, expected: int, where: str) -> DataError:
    text = delimiter.join(fields)
    hint = f"a {delimiter!r} inside a field needs quotes around the field"
    if "\n" in text and len(fields) < expected:
        hint = "it runs over several lines: is a quote not closed?"
    return DataError(
        f"{where}, line {line}: fields: {len(fields)}, columns: {expected}. The line begins with "
        f"{text[:60]!r}; {hint}"
    )


def write_delimited(frame: pa.Table, file: IO[bytes], ending: str) -> None:
    columns = [_flat(column) for column in frame.columns]
    options = arrow_csv.WriteOptions(delimiter="\t" if ending in TABBED else ",")
    arrow_csv.write_csv(pa.table(columns, names=frame.column_names), file, options)


def _flat(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Nested values and bytes as JSON; durations as whole numbers of their unit."""
    if family(column.type) == OTHER and not pa.types.is_dictionary(column.type):
        return pa.chunked_array([[_json(value) for value in column.to_pylist()]], pa.string())
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column.cast(pa.int64()) if pa.types.is_duration(column.type) else column


def _json(value: object) -> str | None:
    return None if value is None else to_json(value)


DELIMITED = Format("CSV", (".csv", *TABBED, ".txt"), read_delimited, write=write_delimited)
