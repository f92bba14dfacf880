"""`Format`: all that is known of one file format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pyarrow as pa

from slad.core.errors import DataError
from slad.tables.loaded import Note

Types = Mapping[str, pa.DataType]
"""Types that columns have to have, from a fitted model."""
Reader = Callable[[bytes | Path, str, Types], tuple[pa.Table, list[Note]]]
"""(bytes, or the path of a file that is not text; what to call it in errors; types) -> the table
and notes."""
Writer = Callable[[pa.Table, IO[bytes], str], None]
"""(table, open file, ending of its name)"""
Stream = Callable[[Path, int, Sequence[str] | None], Iterator[pa.RecordBatch]]
"""(file, rows at once, the columns that are needed or None for all) -> rows in their order."""


def _is_not_clear(begin: bytes) -> bool:
    return False


@dataclass(frozen=True)
class Format:
    """One file format. To add one: a record in a file of its own, and a line in `registry`."""

    name: str
    endings: tuple[str, ...]
    read: Reader
    write: Writer | None = None
    """None: files of this format are only read."""
    stream: Stream | None = None
    """None: files are read whole."""
    begins: Callable[[bytes], bool] = _is_not_clear
    """Whether bytes without a name, as from stdin, are of this format."""
    is_text: bool = True
    """Text is read from its bytes, and may be written compressed; other formats are read from where
    they are, and compress their own parts."""
    in_folders: bool = False
    """Whether a folder of such files is one table."""


def incomplete(where: str, name: str, error: Exception) -> DataError:
    """The error for a file that is cut short or not of the format of this name."""
    reason = str(error).strip()
    shown = f" ({reason.splitlines()[0][:200]})" if reason else ""
    return DataError(
        f"{where} is not a complete {name} file{shown}: it was cut short, or is something else; "
        "download or write it again"
    )


def starts_with(*signs: bytes) -> Callable[[bytes], bool]:
    return lambda begin: begin.startswith(signs)
