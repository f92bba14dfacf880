"""A time series by its name: fetched where it is missing, checked, and read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from slad.core.errors import ConfigError, DataError
from slad.core.typing import Float, Int
from slad_paper.datasets.catalog import SERIES, Entry, find
from slad_paper.datasets.loading import at_hand
from slad_paper.datasets.readers.series import SERIES_READERS, RawSeries


@dataclass(frozen=True, eq=False)
class Series:
    """A series: the part that trains, and the later part that tests, with a label a point."""

    name: str
    train: Float[np.ndarray, "n channels"]
    test: Float[np.ndarray, "t channels"]
    labels: Int[np.ndarray, " t"]
    """Of the points that test: 1 for an anomaly."""
    channels: tuple[str, ...]
    entry: Entry


def load_series(name: str, *, root: Path | None = None, download: bool = True) -> Series:
    """The time series of that name from the data root, into which it is downloaded if need be."""
    entry = find(name)
    if entry.kind != SERIES:
        raise ConfigError(
            f"{name} is a table and no time series: slad_paper.datasets.load({name!r})"
        )
    paths = at_hand(entry, root, download)
    return _checked(SERIES_READERS[entry.reader](entry, paths), entry, paths)


def _checked(raw: RawSeries, entry: Entry, paths: list[Path]) -> Series:
    """An error where the series is not the one the catalog describes."""
    where = ", ".join(map(str, paths))
    if raw.train.shape[1] != raw.test.shape[1] or len(raw.test) != len(raw.labels):
        raise DataError(
            f"{where}: parts of {raw.train.shape} and {raw.test.shape}, and {len(raw.labels)} "
            "labels do not go together"
        )
    width = raw.test.shape[1]
    found = (len(raw.train) + len(raw.test), width, int(raw.labels.sum()))
    expected = (entry.rows, entry.features, entry.anomalies)
    if found != expected:
        raise DataError(
            f"{where}: time points, channels and anomalies are {found}, but {entry.name} has "
            f"{expected}"
        )
    channels = raw.channels or tuple(f"x{place}" for place in range(width))
    return Series(entry.name, raw.train, raw.test, raw.labels, channels, entry)
