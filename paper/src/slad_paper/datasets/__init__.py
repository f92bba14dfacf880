"""Labelled tables and time series by name: a catalog, downloads with checksums, readers.

    from slad_paper.datasets import load, load_series, names
    data = load("38_thyroid")          # data.X, data.y (1 = anomaly), data.columns, data.entry
    series = load_series("omi-1")      # series.train, series.test, series.labels, series.channels

The catalog is read without numpy; a dataset is not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from slad_paper.datasets.catalog import Entry, find, groups, names
from slad_paper.datasets.store import data_root

if TYPE_CHECKING:
    from slad_paper.datasets.loading import Dataset as Dataset
    from slad_paper.datasets.loading import load as load
    from slad_paper.datasets.series import Series as Series
    from slad_paper.datasets.series import load_series as load_series

_LATER = {
    "Dataset": "slad_paper.datasets.loading",
    "load": "slad_paper.datasets.loading",
    "Series": "slad_paper.datasets.series",
    "load_series": "slad_paper.datasets.series",
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
    raise AttributeError(f"module 'slad_paper.datasets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
