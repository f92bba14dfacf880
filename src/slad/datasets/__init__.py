"""Labelled tables and time series by name: a catalog, downloads with checksums, readers.

    from slad.datasets import load, load_series, names
    data = load("38_thyroid")          # data.X, data.y (1 = anomaly), data.columns, data.entry
    series = load_series("omi-1")      # series.train, series.test, series.labels, series.channels

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
    from slad.datasets.series import Series as Series
    from slad.datasets.series import load_series as load_series

_LATER = {
    "Dataset": "slad.datasets.loading",
    "load": "slad.datasets.loading",
    "Series": "slad.datasets.series",
    "load_series": "slad.datasets.series",
}

__all__ = [
    "Dataset",
    "Entry",
    "Series",
    "data_root",
    "find",
    "groups",
    "load",
    "load_series",
    "names",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'slad.datasets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
