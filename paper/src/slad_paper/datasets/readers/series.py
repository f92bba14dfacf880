"""Files of time series: a part that trains, a part that tests, and a label for its points."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from slad.core.errors import DataError
from slad.core.typing import Int
from slad_paper.datasets.catalog import Entry
from slad_paper.datasets.readers.raw import labels, numbers, reading


@dataclass(frozen=True, eq=False)
class RawSeries:
    """A series as files have it; channels are None where they name none."""

    train: np.ndarray
    test: np.ndarray
    labels: Int[np.ndarray, " t"]
    channels: tuple[str, ...] | None = None


def read_series_csv(entry: Entry, paths: Sequence[Path]) -> RawSeries:
    """Two tables, the first column counting time; options.label names the column of labels."""
    label = entry.options["label"]
    (train_header, train), (header, test) = (_csv(path, ",") for path in paths)
    channels = tuple(name for name in header[1:] if name != label)
    if label not in header:
        raise DataError(f"{paths[1]} has no column {label!r}, but {', '.join(header)}")
    if absent := [name for name in channels if name not in train_header]:
        raise DataError(f"{paths[0]} has no column {absent[0]!r}, which {paths[1]} has")
    return RawSeries(
        _columns(train_header, train, channels),
        _columns(header, test, channels),
        labels(test[:, header.index(label)], paths[1]),
        channels,
    )


def read_series_npz(entry: Entry, paths: Sequence[Path]) -> RawSeries:
    """Arrays train, test and label."""
    (path,) = paths
    with reading(path, "npz"), open(path, "rb") as file:
        arrays = np.load(file, allow_pickle=False)
        train, test = (numbers(arrays[name], name, path) for name in ("train", "test"))
        return RawSeries(train, test, labels(arrays["label"], path))


def read_series_nasa(entry: Entry, paths: Sequence[Path]) -> RawSeries:
    """Two arrays, and the list of anomalies of all channels: first and last point of each."""
    parts = []
    for path in paths[:2]:
        with reading(path, "npy"), open(path, "rb") as file:
            parts.append(numbers(np.load(file, allow_pickle=False), "the series", path))
    train, test = parts
    y = np.zeros(len(test), dtype=np.int64)
    for first, last in _anomalies(paths[2], entry.options["channel"]):
        y[first : last + 1] = 1
    return RawSeries(train, test, y)


def _anomalies(path: Path, channel: str) -> list[tuple[int, int]]:
    with reading(path, "csv"), open(path, newline="", encoding="utf-8") as file:
        mine = [line for line in csv.DictReader(file) if line["chan_id"] == channel]
        if not mine:
            raise DataError(f"{path} has no line of channel {channel!r}")
        return [(a, b) for line in mine for a, b in json.loads(line["anomaly_sequences"])]


def read_series_skab(entry: Entry, paths: Sequence[Path]) -> RawSeries:
    """One table of both parts, of which options.train points train; the last two columns are
    labels, of anomalies and of changes."""
    (path,) = paths
    header, cells = _csv(path, ";")
    train = entry.options["train"]
    if header[-2:] != ["anomaly", "changepoint"] or len(cells) <= train:
        raise DataError(
            f"{path} is no file of SKAB with more than {train} points: {len(cells)} points of "
            f"{', '.join(header)}"
        )
    y = labels(cells[:, -2], path)
    channels = tuple(header[1:-2])
    values = _columns(header, cells, channels)
    return RawSeries(values[:train], values[train:], y[train:], channels)


def _csv(path: Path, delimiter: str) -> tuple[list[str], np.ndarray]:
    """The header, and the cells but for those of the first column, which may hold a date."""
    with reading(path, "csv"), open(path, newline="", encoding="utf-8-sig") as file:
        header, *rows = csv.reader(file, delimiter=delimiter)
        cells = np.array([["0", *row[1:]] for row in rows]).astype(np.float64)
        if not np.isfinite(cells).all() or cells.shape[1] != len(header):
            raise DataError(f"{path} has gaps, or lines of another length than its header")
        return header, cells


def _columns(header: Sequence[str], cells: np.ndarray, names: Sequence[str]) -> np.ndarray:
    return cells[:, [list(header).index(name) for name in names]]


SERIES_READERS: dict[str, Callable[[Entry, Sequence[Path]], RawSeries]] = {
    "series-csv": read_series_csv,
    "series-npz": read_series_npz,
    "series-nasa": read_series_nasa,
    "series-skab": read_series_skab,
}
