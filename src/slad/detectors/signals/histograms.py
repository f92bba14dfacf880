"""Signals of histograms: how empty the room around a row is, in columns and random directions."""

from __future__ import annotations

import numpy as np

from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.detectors.signals.blocks import row_product

BINS = 24
"""Bins of one width between the lowest and the highest value."""
DIRECTIONS = 64
HALF = 0.5
"""Of a row, added to counts: no bin has a share of 0."""


class Histograms:
    """Of every column, and of random directions that some columns take part in (Pevny 2016)."""

    NAMES = ("histograms", "projections")

    def __init__(self, rows: Float[np.ndarray, "m d"], seed: int) -> None:
        self._directions = _drawn_directions(rows.shape[1], seed)
        self._columns = _Histogram(rows)
        self._projections = _Histogram(row_product(rows, self._directions))

    def __call__(
        self, rows: Float[np.ndarray, "n d"], *, own: bool = False
    ) -> Float[np.ndarray, "n 2"]:
        """The signals, in the order of NAMES. `own` rows are themselves among the counted."""
        projected = row_product(rows, self._directions)
        return np.column_stack(
            [self._columns.surprise(rows, own), self._projections.surprise(projected, own)]
        )


class _Histogram:
    """Of the columns of a matrix."""

    def __init__(self, cells: Float[np.ndarray, "m k"]) -> None:
        self._low = cells.min(axis=0)
        width = np.ptp(cells, axis=0) / BINS
        self._width = np.where(width > 0, width, 1).astype(np.float32)
        self._rows, columns = cells.shape
        self._starts = np.arange(0, columns * (BINS + 1), BINS + 1)
        self._counts = np.bincount(self._bins(cells).ravel(), minlength=columns * (BINS + 1))

    def surprise(self, cells: Float[np.ndarray, "n k"], own: bool) -> Float[np.ndarray, " n"]:
        """-log of the share of rows in a cell's bin, as the mean over the columns."""
        others = np.maximum(self._counts - own, 0) + HALF
        heights = np.log((self._rows - own + HALF) / others).astype(np.float32)
        mean: np.ndarray = heights.take(self._bins(cells)).mean(axis=1)
        return mean

    def _bins(self, cells: Float[np.ndarray, "n k"]) -> Int[np.ndarray, "n k"]:
        """The last bin of a column is for what is beyond the others."""
        places = (cells - self._low) / self._width
        inside = (places >= 0) & (places <= BINS)
        bins = np.where(inside, places.clip(0, BINS - 0.5), BINS).astype(np.int64)
        bins += self._starts
        return bins


def _drawn_directions(columns: int, seed: int) -> Float[np.ndarray, "d directions"]:
    """Normal numbers in about the root of the columns, zero in the others."""
    rng = Streams(seed).numpy("directions")
    taken = np.ceil(np.sqrt(columns)) / columns
    order = rng.random((columns, DIRECTIONS)).argsort(axis=0)
    chosen = order < taken * columns
    return np.where(chosen, rng.normal(size=chosen.shape), 0).astype(np.float32)
