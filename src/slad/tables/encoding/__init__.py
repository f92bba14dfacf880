"""Columns as numbers: one small encoder a kind, and the one that puts them side by side."""

from slad.tables.encoding.encoder import EncodedColumn, Encoder

__all__ = ["EncodedColumn", "Encoder"]
