"""Feather: Arrow's own files, and Arrow streams."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import pyarrow as pa
from pyarrow import feather

from slad.tables.formats.format import Format, Types, incomplete, starts_with
from slad.tables.loaded import Note


def read_feather(source: bytes | Path, where: str, types: Types) -> tuple[pa.Table, list[Note]]:
    """A Feather or Arrow file, or an Arrow stream, which may have the same ending."""
    opened = pa.BufferReader(source) if isinstance(source, bytes) else source
    try:
        frame = feather.read_table(opened, memory_map=False)
    except (pa.ArrowException, OSError, ValueError, MemoryError, OverflowError) as error:
        frame = _read_stream(opened, where, error)
    try:
        frame.validate(full=True)
    except pa.ArrowException as error:
        raise incomplete(where, "Arrow", error) from error
    return frame, []


def _read_stream(source: Any, where: str, reason: Exception) -> pa.Table:
    try:
        if hasattr(source, "seek"):
            source.seek(0)
        opened = source if hasattr(source, "seek") else pa.OSFile(str(source))
        with pa.ipc.open_stream(opened) as stream:
            return stream.read_all()
    except (pa.ArrowException, OSError, ValueError, MemoryError, OverflowError):
        raise incomplete(where, FEATHER.name, reason) from reason


def write_feather(frame: pa.Table, file: IO[bytes], ending: str) -> None:
    feather.write_feather(frame, file)


FEATHER = Format(
    "Feather",
    (".arrow", ".feather", ".ipc"),
    read_feather,
    write=write_feather,
    begins=starts_with(b"ARROW1", b"FEA1", b"\xff\xff\xff\xff"),
    is_text=False,
)
