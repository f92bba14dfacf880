"""A table that was read, and notes on how it was read."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa


@dataclass(frozen=True)
class Note:
    """One line for the user, about a column or (None) about the whole table."""

    column: str | None
    text: str

    def __str__(self) -> str:
        return self.text if self.column is None else f"{self.column}: {self.text}"


@dataclass(frozen=True)
class Loaded:
    """A table, where it came from, and the checksum of the bytes it was read from."""

    frame: pa.Table
    name: str
    sha256: str | None = None
    notes: tuple[Note, ...] = ()
