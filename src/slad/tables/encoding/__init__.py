"""Columns as numbers: one small encoder a kind, and the one that puts them side by side."""

from slad.tables.encoding.encoder import EncodedColumn, Encoder
from slad.tables.encoding.number import as_floats
from slad.tables.encoding.time import as_seconds

__all__ = ["EncodedColumn", "Encoder", "as_floats", "as_seconds"]
