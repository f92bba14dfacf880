"""Parquet files as one table of row groups, and which process reads which group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from slad.core.errors import DataError
from slad.tables.loaded import Note
from slad.tables.normal import plain, unique_names

ROWS_AT_ONCE, CELLS_AT_ONCE = 32_768, 2**22
"""The most rows and cells of a batch."""
READ_BYTES = 2**18
UNEVEN = 1.1
"""Whole files are dealt out as long as no process gets more than this many times its share."""


@dataclass(frozen=True)
class RowGroup:
    """Rows that are stored together."""

    file: Path
    index: int
    first: int
    """The number of its first row among all rows of all files."""
    rows: int
    sizes: dict[str, int] = field(compare=False, hash=False)
    """Uncompressed bytes of each column."""


@dataclass(frozen=True)
class ParquetTable:
    """The rows of several files as one table, which need not fit in memory."""

    files: tuple[Path, ...]
    schema: pa.Schema
    """Plain types and unique names; a column has the type that the cells of all files fit."""
    groups: tuple[RowGroup, ...]
    notes: tuple[Note, ...]

    @classmethod
    def open(cls, files: Sequence[Path]) -> ParquetTable:
        """Read the footers; DataError names a file and a column that do not fit the others."""
        groups: list[RowGroup] = []
        schema, notes = pa.schema([]), dict[Note, None]()
        for number, file in enumerate(files):
            footer = _footer(file)
            part, renamed = plain(footer.schema.to_arrow_schema().empty_table(), str(file))
            first = groups[-1].first + groups[-1].rows if groups else 0
            groups += _groups(file, footer, part.schema.names, first)
            both = set(part.schema.names) ^ set(schema.names) if number else set()
            text = "not in every file; missing where it is not"
            notes |= dict.fromkeys([*renamed, *(Note(name, text) for name in sorted(both))])
            schema = _joined(schema, part.schema, file)
        if not groups:
            raise DataError(f"{files[0]}{' and the others' * (len(files) > 1)}: there are no rows")
        return cls(tuple(files), schema, tuple(groups), tuple(notes))

    @cached_property
    def n_rows(self) -> int:
        return sum(group.rows for group in self.groups)

    @property
    def name(self) -> str:
        if len(self.files) == 1:
            return self.files[0].name
        return f"{len(self.files)} files in {self.files[0].parent.absolute().name}"

    def size(self, left_out: Sequence[str] = ()) -> int:
        """Uncompressed bytes of the columns, without those left out."""
        return sum(
            size
            for group in self.groups
            for name, size in group.sizes.items()
            if name not in left_out
        )

    def batches(
        self, group: RowGroup, columns: Sequence[str] | None = None, size: int = ROWS_AT_ONCE
    ) -> Iterator[tuple[int, pa.Table]]:
        """(number of the first row, rows) of a row group in order, with the schema of all files."""
        schema = self.schema
        if columns is not None:
            schema = pa.schema([schema.field(name) for name in columns])
        size = max(1, min(size, CELLS_AT_ONCE // max(1, len(schema))))
        first = group.first
        try:
            # pre_buffer would hold each row group twice, and several are open at a time.
            file = parquet.ParquetFile(group.file, pre_buffer=False, buffer_size=READ_BYTES)
            names = dict(
                zip(unique_names(file.schema_arrow.names)[0], file.schema_arrow.names, strict=True)
            )
            wanted = [names[name] for name in schema.names if name in names]
            for batch in file.iter_batches(size, row_groups=[group.index], columns=wanted):
                yield first, _conformed(pa.table(batch), schema, group.file)
                first += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            raise _broken(group.file, error) from error


def deal(groups: Sequence[RowGroup], world: int) -> list[list[RowGroup]]:
    """The row groups of each process: whole files where those are even, else single row groups."""
    by_file: dict[Path, list[RowGroup]] = {}
    for group in groups:
        by_file.setdefault(group.file, []).append(group)
    dealt = _dealt(list(by_file.values()), world)
    most = max(sum(group.rows for group in part) for part in dealt)
    if most * world > UNEVEN * sum(group.rows for group in groups):
        dealt = _dealt([[group] for group in groups], world)
    if not all(dealt):
        raise DataError(
            f"{len(groups)} row group{'s' * (len(groups) > 1)} cannot be divided among {world} "
            "processes: start fewer processes, or write the files with smaller row groups"
        )
    return dealt


def _dealt(bundles: list[list[RowGroup]], world: int) -> list[list[RowGroup]]:
    """The largest bundle first, each to the process with the fewest rows so far."""
    parts: list[list[RowGroup]] = [[] for _ in range(world)]
    loads = [0] * world
    for bundle in sorted(bundles, key=lambda each: -sum(group.rows for group in each)):
        least = loads.index(min(loads))
        parts[least] += bundle
        loads[least] += sum(group.rows for group in bundle)
    return [sorted(part, key=lambda group: group.first) for part in parts]


def _footer(file: Path) -> parquet.FileMetaData:
    try:
        return parquet.read_metadata(file)
    except (pa.ArrowException, OSError) as error:
        raise _broken(file, error) from error


def _groups(
    file: Path, footer: parquet.FileMetaData, names: list[str], first: int
) -> Iterator[RowGroup]:
    own = dict(zip(footer.schema.to_arrow_schema().names, names, strict=True))
    for index in range(footer.num_row_groups):
        about = footer.row_group(index)
        sizes = dict.fromkeys(names, 0)
        for at in range(about.num_columns):  # a nested column has several
            column = about.column(at)
            sizes[own[column.path_in_schema.partition(".")[0]]] += column.total_uncompressed_size
        if about.num_rows:
            yield RowGroup(file, index, first, about.num_rows, sizes)
        first += about.num_rows


def _joined(schema: pa.Schema, part: pa.Schema, file: Path) -> pa.Schema:
    """One schema for both; whole numbers in one file and floats in another become floats."""
    fields = {each.name: each.remove_metadata() for each in schema}
    for each in part:
        known = fields.setdefault(each.name, each.remove_metadata())
        try:
            both = pa.unify_schemas(
                [pa.schema([known]), pa.schema([each.remove_metadata()])],
                promote_options="permissive",
            )
        except (pa.ArrowException, TypeError) as error:
            raise DataError(
                f"{file}: column {each.name!r} holds {each.type}, and {known.type} in the files "
                "before it: write it with one type, or remove the column from one file"
            ) from error
        fields[each.name] = both.field(0)
    return pa.schema(fields.values())


def _conformed(rows: pa.Table, schema: pa.Schema, file: Path) -> pa.Table:
    rows, _ = plain(rows, str(file)) if rows.num_columns else (rows, [])
    columns = [
        rows.column(field.name).cast(field.type)
        if field.name in rows.column_names
        else pa.chunked_array([pa.nulls(rows.num_rows, field.type)])
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def _broken(file: Path, error: Exception) -> DataError:
    reason = (str(error).strip().splitlines() or [""])[0][:200]
    return DataError(f"{file} is not a complete Parquet file ({reason}): write it again")
