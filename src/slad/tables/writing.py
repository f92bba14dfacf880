"""`write`: a table to a file, in the format that its name says."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import feather, parquet

from slad.core.errors import ConfigError
from slad.core.files import written_aside
from slad.tables.arrow_types import OTHER, family
from slad.tables.formats import DELIMITED, ENDINGS, FEATHER, JSON_LINES, PACK, PARQUET, of_name

ROWS_AT_A_TIME = 10_000


def write(frame: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write aside, then rename. CSV, TSV and JSON lines may end in .gz, .bz2, .xz or .zst too."""
    target = Path(path)
    format_, packed = check_target(target)
    with written_aside(target) as aside:
        if format_ == PARQUET:
            parquet.write_table(frame, aside)
        elif format_ == FEATHER:
            feather.write_feather(frame, str(aside))
        else:
            data = _TEXTS[format_](frame, target)
            aside.write_bytes(PACK[packed](data) if packed else data)


def check_target(target: Path) -> tuple[str, str | None]:
    """(format, compression) of a file to be written; ConfigError where it cannot be."""
    format_, packed = of_name(target)
    if format_ is None or (packed and format_ in (PARQUET, FEATHER)):
        raise ConfigError(f"{target}: write to a name that ends in one of {', '.join(ENDINGS)}")
    if target.is_dir():
        raise ConfigError(f"cannot write to {target}: it is a folder, give a file name")
    if not target.parent.is_dir():
        raise ConfigError(f"cannot write to {target}: there is no folder {target.parent}")
    return format_, packed


def _delimited(frame: pa.Table, target: Path) -> bytes:
    tabbed = any(ending.lower() in (".tsv", ".tab") for ending in target.suffixes[-2:])
    columns = [_flat(column) for column in frame.columns]
    sink = pa.BufferOutputStream()
    options = arrow_csv.WriteOptions(delimiter="\t" if tabbed else ",")
    arrow_csv.write_csv(pa.table(columns, names=frame.column_names), sink, options)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _flat(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Nested values and bytes as JSON text; durations in their unit, a form that reads back."""
    if family(column.type) == OTHER and not pa.types.is_dictionary(column.type):
        return pa.chunked_array([[_json(value) for value in column.to_pylist()]], pa.string())
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column.cast(pa.int64()) if pa.types.is_duration(column.type) else column


def _json_lines(frame: pa.Table, target: Path) -> bytes:
    lines = []
    for batch in frame.to_batches(max_chunksize=ROWS_AT_A_TIME):
        lines += [json.dumps(_finite(row), default=_plain) for row in batch.to_pylist()]
    return "".join(f"{line}\n" for line in lines).encode()


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _finite(each) for key, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list) else value


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(_finite(value), default=_plain)


def _plain(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


_TEXTS: dict[str, Callable[[pa.Table, Path], bytes]] = {
    DELIMITED: _delimited,
    JSON_LINES: _json_lines,
}
