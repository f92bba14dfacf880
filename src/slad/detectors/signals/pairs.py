"""Signals of pairs of columns: values that are usual by themselves and rare together."""

from __future__ import annotations

import numpy as np

from slad.core.seeds import Streams
from slad.core.typing import Float, Int

BINS = 7
"""Bins of a column; one of few values has a bin for each."""
MOST = 120
"""Pairs that are looked at; of more, so many are drawn."""
HALF = 0.5
"""Of a row, added to counts: nothing has a share of 0."""


class Pairs:
    """How often two bins come together."""

    NAMES = ("pair rarity largest", "pair rarity mean", "pair lift largest", "pair lift mean")

    def __init__(self, rows: Float[np.ndarray, "m d"], seed: int) -> None:
        self._rows = len(rows)
        self._edges = [_edges(column) for column in rows.T]
        self._pairs = _drawn_pairs(rows.shape[1], seed)
        codes = self._codes(rows)
        self._counts = [np.bincount(each, minlength=BINS) for each in codes]
        self._tables = [
            np.bincount(codes[a] * BINS + codes[b], minlength=BINS**2) for a, b in self._pairs
        ]

    def __call__(
        self, rows: Float[np.ndarray, "n d"], *, own: bool = False
    ) -> Float[np.ndarray, "n 4"]:
        """The signals, in the order of NAMES. `own` rows are themselves among the counted."""
        found = np.zeros((4, len(rows)))
        if not self._pairs:
            return found.T
        codes = self._codes(rows)
        alone = [self._surprise(counts, own) for counts in self._counts]
        found[[0, 2]] = -np.inf
        for (a, b), counts in zip(self._pairs, self._tables, strict=True):
            rarity = self._surprise(counts, own).take(codes[a] * BINS + codes[b])
            lift = rarity - alone[a].take(codes[a]) - alone[b].take(codes[b])
            np.maximum(found[0], rarity, out=found[0])
            np.maximum(found[2], lift, out=found[2])
            found[1] += rarity
            found[3] += np.maximum(lift, 0)
        found[[1, 3]] /= len(self._pairs)
        return found.T

    def _surprise(self, counts: Int[np.ndarray, " bins"], own: bool) -> Float[np.ndarray, " bins"]:
        others = np.maximum(counts - own, 0) + HALF
        surprise: np.ndarray = np.log(self._rows - own + HALF) - np.log(others)
        return surprise

    def _codes(self, rows: np.ndarray) -> list[np.ndarray]:
        return [
            np.searchsorted(edges, column, "right")
            for edges, column in zip(self._edges, np.ascontiguousarray(rows.T), strict=True)
        ]


def _edges(column: Float[np.ndarray, " m"]) -> Float[np.ndarray, " edges"]:
    """The borders of the bins of a column."""
    values = np.unique(column)
    if len(values) <= BINS:
        between: np.ndarray = (values[1:] + values[:-1]) / 2
        return between
    return np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1]))


def _drawn_pairs(columns: int, seed: int) -> list[tuple[int, int]]:
    count = columns * (columns - 1) // 2
    rng = Streams(seed).numpy("pairs")
    chosen = np.arange(count) if count <= MOST else rng.choice(count, MOST, replace=False)
    first = np.floor((1 + np.sqrt(1 + 8.0 * np.sort(chosen))) / 2).astype(np.int64)
    second = np.sort(chosen) - first * (first - 1) // 2
    return list(zip(first.tolist(), second.tolist(), strict=True))
