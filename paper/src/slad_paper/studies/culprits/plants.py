"""Normal rows with a culprit planted in one column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from slad.core.typing import Float, Int

DEPENDENT = 0.7
"""A column that correlates this much with another one has a dependency that can be broken."""
OFF_CENTRE = 0.25
"""How far from the middle a rank has to be, for its mirror image to be somewhere else."""
GAPS = 0.2
"""Share of rows in which a pair of columns is missing, always together."""


@dataclass(frozen=True)
class Planted:
    """Rows, and the columns that are right answers: one, or both of a pair."""

    rows: Float[np.ndarray, "n d"]
    culprits: Int[np.ndarray, "n right"]


Plant = Callable[[np.ndarray, np.ndarray, np.random.Generator, int], Planted | None]


def spike(
    train: np.ndarray, held_out: np.ndarray, rng: np.random.Generator, count: int
) -> Planted | None:
    """A value one to three deviations beyond all that were seen."""
    rows, columns = _drawn(held_out, rng, count)
    beyond = train.std(axis=0)[columns] * rng.uniform(1, 3, count)
    above = train.max(axis=0)[columns] + beyond
    below = train.min(axis=0)[columns] - beyond
    rows[np.arange(count), columns] = np.where(rng.random(count) < 0.5, above, below)
    return Planted(rows, columns[:, None])


def swapped(
    train: np.ndarray, held_out: np.ndarray, rng: np.random.Generator, count: int
) -> Planted | None:
    """The value that another normal row has there."""
    rows, columns = _drawn(held_out, rng, count)
    for row, column in zip(rows, columns, strict=True):
        others = held_out[held_out[:, column] != row[column], column]
        row[column] = rng.choice(others) if len(others) else row[column]
    return Planted(rows, columns[:, None])


def broken_dependency(
    train: np.ndarray, held_out: np.ndarray, rng: np.random.Generator, count: int
) -> Planted | None:
    """The value of the mirrored rank, low for high, in a column that depends on another one.

    None where no column does.
    """
    strength = np.abs(np.corrcoef(train.T))
    np.fill_diagonal(strength, 0)
    columns = np.flatnonzero(strength.max(axis=0) >= DEPENDENT)
    ordered = np.sort(train, axis=0)
    places, mirrored = [], []
    for column in columns:
        rank = _ranks(ordered[:, column], held_out[:, column])
        image = np.quantile(ordered[:, column], 1 - rank)
        fit = (np.abs(rank - 0.5) >= OFF_CENTRE) & (image != held_out[:, column])
        places += [(row, column) for row in np.flatnonzero(fit)]
        mirrored += image[fit].tolist()
    if not places:
        return None
    drawn = rng.choice(len(places), count)
    taken, culprits = np.array(places)[drawn].T
    rows = held_out[taken].copy()
    rows[np.arange(count), culprits] = np.array(mirrored)[drawn]
    return Planted(rows, culprits[:, None])


PLANTS: dict[str, Plant] = {
    "spike": spike,
    "swapped value": swapped,
    "broken dependency": broken_dependency,
}


def _drawn(
    held_out: np.ndarray, rng: np.random.Generator, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Copies of rows, and a column for each."""
    rows = held_out[rng.integers(len(held_out), size=count)].copy()
    return rows, rng.integers(held_out.shape[1], size=count)


def _ranks(ordered: np.ndarray, values: np.ndarray) -> np.ndarray:
    """From 0 to 1; the middle one of equal values."""
    ends = [np.searchsorted(ordered, values, side) for side in ("left", "right")]
    ranks: np.ndarray = (ends[0] + ends[1]) / 2 / len(ordered)
    return ranks


class Gaps:
    """A table in which some pairs of columns are missing together, and ways to break that.

    A column is two features: its value (the median where there is none), and minus the logarithm
    of the share of gaps in it where there is one.
    """

    def __init__(self, train: np.ndarray, held_out: np.ndarray, rng: np.random.Generator) -> None:
        width = train.shape[1]
        order = rng.permutation(width)[: 2 * max(1, min(3, width // 4))]
        self.pairs = order.reshape(-1, 2)
        self.never = np.setdiff1d(np.arange(width), order)
        self.held_out, self.held_gaps = held_out, self._gaps(held_out, rng)
        gaps = self._gaps(train, rng)
        self.rarity = -np.log((gaps.sum(axis=0) + 0.5) / (len(train) + 1))
        self.median = np.nanmedian(np.where(gaps, np.nan, train), axis=0)
        self.train = self._encoded(train, gaps)
        self.normal = self._encoded(held_out, self.held_gaps)
        self.blocks = [(2 * column, 2 * column + 2) for column in range(width)]

    def where_never(self, rng: np.random.Generator, count: int) -> Planted | None:
        """A gap in a column that has none."""
        taken = rng.integers(len(self.held_out), size=count)
        if len(self.never) == 0:
            return None
        columns = rng.choice(self.never, count)
        gaps = self.held_gaps[taken]
        gaps[np.arange(count), columns] = True
        return Planted(self._encoded(self.held_out[taken], gaps), columns[:, None])

    def half_a_pair(self, rng: np.random.Generator, count: int) -> Planted | None:
        """A gap in one column of a pair; both columns are right answers."""
        taken = rng.integers(len(self.held_out), size=count)
        pairs = self.pairs[rng.integers(len(self.pairs), size=count)]
        gaps, first = self.held_gaps[taken], rng.integers(2, size=count)
        gaps[np.arange(count), pairs[np.arange(count), first]] = True
        gaps[np.arange(count), pairs[np.arange(count), 1 - first]] = False
        return Planted(self._encoded(self.held_out[taken], gaps), pairs)

    def _gaps(self, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        gaps = np.zeros(rows.shape, dtype=bool)
        for pair in self.pairs:
            gaps[np.ix_(rng.random(len(rows)) < GAPS, pair)] = True
        return gaps

    def _encoded(self, rows: np.ndarray, gaps: np.ndarray) -> np.ndarray:
        values = np.where(gaps, self.median, rows)
        return np.stack([values, np.where(gaps, self.rarity, 0.0)], axis=2).reshape(len(rows), -1)


GAP_PLANTS: dict[str, Callable[[Gaps, np.random.Generator, int], Planted | None]] = {
    "new gap": Gaps.where_never,
    "half a pair of gaps": Gaps.half_a_pair,
}
