"""Parquet: read whole or as a stream, in files and in folders of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import pyarrow as pa
from pyarrow import parquet

from slad.tables.formats.format import Format, Types, incomplete, starts_with
from slad.tables.loaded import Note


def read_parquet(source: bytes | Path, where: str, types: Types) -> tuple[pa.Table, list[Note]]:
    opened = pa.BufferReader(source) if isinstance(source, bytes) else source
    try:
        return parquet.ParquetFile(opened).read(), []
    except (pa.ArrowException, OSError, ValueError, KeyError, MemoryError, OverflowError) as error:
        raise incomplete(where, PARQUET.name, error) from error


def write_parquet(frame: pa.Table, file: IO[bytes], ending: str) -> None:
    parquet.write_table(frame, file)


def stream_parquet(
    path: Path, rows: int, columns: Sequence[str] | None
) -> Iterator[pa.RecordBatch]:
    try:
        file = parquet.ParquetFile(path)
        present = [name for name in columns if name in file.schema_arrow.names] if columns else None
        yield from file.iter_batches(batch_size=rows, columns=present)
    except (pa.ArrowException, OSError) as error:
        raise incomplete(str(path), PARQUET.name, error) from error


PARQUET = Format(
    "Parquet",
    (".parquet", ".pq"),
    read_parquet,
    write=write_parquet,
    stream=stream_parquet,
    begins=starts_with(b"PAR1"),
    is_text=False,
    in_folders=True,
)
