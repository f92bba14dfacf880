"""JSON lines: one object a line; one list of objects is read, too."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
from pyarrow import json as arrow_json

from slad.core.errors import DataError
from slad.tables.arrow_types import TEXT, family
from slad.tables.formats.format import Format, Types
from slad.tables.formats.json_values import to_json
from slad.tables.formats.text_bytes import BYTE_ORDER_MARK, as_utf8, bytes_of
from slad.tables.loaded import Note
from slad.tables.mixed import column_of

BLOCK_BYTES = 2**24
ROWS_AT_ONCE = 10_000


def read_json_lines(source: bytes | Path, where: str, types: Types) -> tuple[pa.Table, list[Note]]:
    """With Arrow's fast reader where it can; otherwise Python's, whose errors name the line."""
    data, notes = as_utf8(bytes_of(source), where)
    texts = {name for name, each in types.items() if family(each) == TEXT}
    if data.lstrip()[:1] == b"{":
        try:
            return _fast(data, texts), notes
        except (pa.ArrowException, ValueError, OSError):
            pass  # a column of two types, a repeated name, a long line, or a broken line
    rows = list(_objects(data.decode(), where))
    columns = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        cells = [row.get(name) for row in rows]
        if name in texts:
            cells = [cell if cell is None or isinstance(cell, str) else str(cell) for cell in cells]
        columns[name], mixed = column_of(cells, name)
        notes += mixed
    return pa.table(columns), notes


def _fast(data: bytes, texts: Collection[str]) -> pa.Table:
    """Text stays text: Arrow would turn times into UTC and drop their zones."""
    frame = _arrow(data, texts)
    times = {field.name for field in frame.schema if pa.types.is_timestamp(field.type)}
    if times:
        frame = _arrow(data, {*texts, *times})
    # Arrow adds an empty column for each of `texts` that no line has.
    return frame.select(
        [
            name
            for name in frame.column_names
            if name not in texts or frame.column(name).null_count < frame.num_rows
        ]
    )


def _arrow(data: bytes, texts: Collection[str]) -> pa.Table:
    schema = pa.schema([(name, pa.string()) for name in sorted(texts)])
    return arrow_json.read_json(
        pa.BufferReader(data),
        arrow_json.ReadOptions(block_size=BLOCK_BYTES),
        arrow_json.ParseOptions(explicit_schema=schema, newlines_in_values=False),
    )


def _objects(text: str, where: str) -> Iterator[dict[str, Any]]:
    if text.lstrip().startswith("["):
        try:
            listed = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{where} is not JSON: {error}") from error
        numbered = [(f"item {at}", item) for at, item in enumerate(listed, 1)]
    else:
        lines = enumerate(text.split("\n"), 1)
        numbered = [(f"line {at}", _loads(line, at, where)) for at, line in lines if line.strip()]
    for place, item in numbered:
        if not isinstance(item, dict):
            raise DataError(f"{where}, {place} is not a JSON object but {str(item)[:60]!r}")
        yield item


def _loads(line: str, number: int, where: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}, line {number} is not JSON ({error}): {line[:60]!r}") from error


def write_json_lines(frame: pa.Table, file: IO[bytes], ending: str) -> None:
    for batch in frame.to_batches(max_chunksize=ROWS_AT_ONCE):
        file.writelines(f"{to_json(row)}\n".encode() for row in batch.to_pylist())


def _begins(begin: bytes) -> bool:
    return begin.removeprefix(BYTE_ORDER_MARK).lstrip()[:1] in (b"{", b"[")


JSON_LINES = Format(
    "JSON lines",
    (".jsonl", ".ndjson", ".json"),
    read_json_lines,
    write=write_json_lines,
    begins=_begins,
)
