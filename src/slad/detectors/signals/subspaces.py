"""Signals of random subsets of columns: far from all others in a few columns, if not in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.detectors.signals.nearest import GroupMinima

RANKS = (1, 10)
"""Of the minima over groups: see `nearest`."""
LEAST = 1e-3
"""Added before a logarithm."""


@dataclass(frozen=True)
class Size:
    """How many subsets are drawn, and how large they are."""

    name: str
    subsets: int
    references: int
    """Reference rows that a subset compares with, drawn anew for each."""

    def columns(self, d: int) -> int:
        return -(-d // 2) if self.name == "half" else int(np.ceil(np.sqrt(d)))


class Subspaces:
    """Distances in each subset to some of the reference rows, in units of what is usual there."""

    NAMES = tuple(f"subsets {rank} {over}" for rank in RANKS for over in ("mean", "largest"))

    def __init__(self, rows: Float[np.ndarray, "m d"], size: Size, seed: int) -> None:
        count, d = rows.shape
        rng = Streams(seed).numpy(f"subsets, {size.name}")
        self._subsets = [
            _Subset.drawn(rows, size.columns(d), min(size.references, count), rng)
            for _ in range(size.subsets)
        ]

    def distances(
        self, rows: Float[np.ndarray, "n d"], own: Int[np.ndarray, " n"] | None = None
    ) -> Float[np.ndarray, "n subsets ranks"]:
        """Logarithms. Row i is not compared with the reference row at its place `own[i]`."""
        found = np.stack([subset.distances(rows, own) for subset in self._subsets], axis=1)
        logs: np.ndarray = np.log(found + np.float32(LEAST))
        return logs


def usual(
    distances: Float[np.ndarray, "m subsets ranks"],
) -> tuple[Float[np.ndarray, "subsets ranks"], Float[np.ndarray, "subsets ranks"]]:
    """The middle of the reference rows' own distances, and a robust deviation above it."""
    middle, high = np.quantile(distances, [0.5, 0.9], axis=0)
    spread = np.maximum((high - middle) / 1.2816, 1e-2 * distances.std(axis=0) + LEAST)
    return middle.astype(np.float32), spread.astype(np.float32)


def over_subsets(
    distances: Float[np.ndarray, "n subsets ranks"],
    middle: Float[np.ndarray, "subsets ranks"],
    spread: Float[np.ndarray, "subsets ranks"],
) -> Float[np.ndarray, "n 4"]:
    """The signals, in the order of `Subspaces.NAMES`."""
    beyond = np.arcsinh((distances - middle) / spread)
    mean, largest = beyond.mean(axis=1, dtype=np.float64), beyond.max(axis=1)
    return np.stack([mean, largest], axis=2).reshape(len(distances), -1)


@dataclass(frozen=True)
class _Subset:
    columns: Int[np.ndarray, " k"]
    places: Int[np.ndarray, " m"]
    """For each reference row its place among those of the subset; -1 where it is not one."""
    index: GroupMinima

    @classmethod
    def drawn(cls, rows: np.ndarray, width: int, count: int, rng: np.random.Generator) -> Self:
        columns = rng.choice(rows.shape[1], width, replace=False)
        chosen = np.sort(rng.choice(len(rows), count, replace=False))
        places = np.full(len(rows), -1)
        places[chosen] = np.arange(count)
        return cls(columns, places, GroupMinima(rows[np.ix_(chosen, columns)]))

    def distances(
        self, rows: Float[np.ndarray, "n d"], own: Int[np.ndarray, " n"] | None
    ) -> Float[np.ndarray, "n ranks"]:
        places = None if own is None else self.places[own]
        found = self.index.distances(np.ascontiguousarray(rows[:, self.columns]), places)
        return found[:, [min(rank, found.shape[1]) - 1 for rank in RANKS]]
