"""Labelled tables by name: a catalog, downloads with checksums, readers, generators.

    from slad.datasets import load, names
    data = load("38_thyroid")          # data.X, data.y (1 = anomaly), data.columns, data.entry

The catalog is read without numpy; a dataset is not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from slad.datasets.catalog import Entry, find, groups, names
from slad.datasets.store import data_root

if TYPE_CHECKING:
    from slad.datasets.loading import Dataset as Dataset
    from slad.datasets.loading import load as load

_LATER = ("Dataset", "load")

__all__ = ["Dataset", "Entry", "data_root", "find", "groups", "load", "names"]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module("slad.datasets.loading"), name)
    raise AttributeError(f"module 'slad.datasets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
