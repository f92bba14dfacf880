"""A dataset by its name: fetched where it is missing, checked, and read."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from slad.core.errors import ConfigError, DataError
from slad.core.typing import Int, Table
from slad_paper.datasets.catalog import SERIES, Entry, find
from slad_paper.datasets.fetch import fetch
from slad_paper.datasets.progress import ProgressLine
from slad_paper.datasets.readers import READERS, Raw
from slad_paper.datasets.store import data_root, is_here, verify


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with its labels: 1 for an anomaly."""

    name: str
    X: Table
    y: Int[np.ndarray, " n"]
    columns: tuple[str, ...]
    entry: Entry


def load(name: str, *, root: Path | None = None, download: bool = True) -> Dataset:
    """The dataset of that name from the data root, into which it is downloaded if need be.

    X is an array as stored (float32 or float64) or a csr_array of float32.
    """
    entry = find(name)
    if entry.kind == SERIES:
        raise ConfigError(
            f"{name} is a time series, whose rows are not independent: "
            f"slad_paper.datasets.load_series({name!r})"
        )
    paths = at_hand(entry, root, download)
    return _checked(READERS[entry.reader](entry, paths), entry, paths)


def at_hand(entry: Entry, root: Path | None, download: bool) -> list[Path]:
    """The files of a dataset, fetched where they are missing, with the right checksums."""
    root = data_root() if root is None else Path(root)
    if download and not is_here(entry, root):
        _fetch(entry, root)
    verify(entry, root)
    return [root / file.path for file in entry.files]


def _fetch(entry: Entry, root: Path) -> None:
    """Download, with progress on a terminal, and say where the checksum is a new one."""
    line = ProgressLine(sys.stderr)
    try:
        came = fetch(entry, root, progress=line)
    finally:
        line.close()
    for file in came:
        if file.noted:
            print(
                f"slad: no checksum of {file.path} is known; its own, {file.sha256}, was noted "
                "beside it and holds from now on",
                file=sys.stderr,
            )


def _checked(raw: Raw, entry: Entry, paths: list[Path]) -> Dataset:
    """An error where the table is not the one the catalog describes."""
    where = ", ".join(map(str, paths)) or entry.name
    rows, features = raw.X.shape
    if len(raw.y) != rows:
        raise DataError(f"{where}: {rows} rows, but {len(raw.y)} labels")
    found = (rows, features, int(raw.y.sum()))
    expected = (entry.rows, entry.features, entry.anomalies)
    if found != expected:
        raise DataError(
            f"{where}: rows, features and anomalies are {found}, but {entry.name} has {expected}"
        )
    columns = raw.columns or tuple(f"x{place}" for place in range(features))
    if len(columns) != features:
        raise DataError(f"{where}: {len(columns)} column names, but {features} columns")
    return Dataset(entry.name, raw.X, raw.y, columns, entry)
