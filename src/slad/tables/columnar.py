"""Parquet and Arrow's own files."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyarrow import feather, parquet

from slad.core.errors import DataError

Source = Any
"""A path, or a buffer reader."""


def read_parquet(source: Source, where: str) -> pa.Table:
    try:
        return parquet.ParquetFile(source).read()
    except (pa.ArrowException, OSError, ValueError, KeyError, MemoryError, OverflowError) as error:
        raise _broken(where, "Parquet", error) from error


def read_feather(source: Source, where: str) -> pa.Table:
    """A Feather or Arrow file, or, what the same endings are used for, an Arrow stream."""
    try:
        frame = feather.read_table(source, memory_map=False)
    except (pa.ArrowException, OSError, ValueError, MemoryError, OverflowError) as error:
        frame = _read_stream(source, where, error)
    try:
        frame.validate(full=True)
    except pa.ArrowException as error:
        raise _broken(where, "Arrow", error) from error
    return frame


def _read_stream(source: Source, where: str, reason: Exception) -> pa.Table:
    try:
        if hasattr(source, "seek"):
            source.seek(0)
        opened = source if hasattr(source, "seek") else pa.OSFile(str(source))
        with pa.ipc.open_stream(opened) as stream:
            return stream.read_all()
    except (pa.ArrowException, OSError, ValueError, MemoryError, OverflowError):
        raise _broken(where, "Feather", reason) from reason


def _broken(where: str, kind: str, error: Exception) -> DataError:
    return DataError(
        f"{where} is no whole {kind} file ({str(error).strip().splitlines()[0][:200]}): it was "
        "cut short, or is something else; fetch or write it again"
        if str(error).strip()
        else f"{where} is no whole {kind} file: it was cut short, or is something else"
    )
