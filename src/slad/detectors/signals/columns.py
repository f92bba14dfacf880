"""Signals of single cells: how far out, how alone and how rare each is in its column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slad.core.typing import Float

FEW = 0.05
"""A column with fewer distinct values than this share of the rows is one of few values."""
BOTH_SIDES = np.log(2)
"""A tail on either side is twice as likely as one on a given side."""
LEAST = 1e-3
"""Added before a logarithm."""
UNIT_OF_QUARTILES = 1.349
"""The distance between the quartiles of a normal distribution, in deviations."""
UNIT_OF_TAILS = 3.29
"""The distance between its 5 % and its 95 % quantile."""


class Columns:
    """Every column's values, sorted. In a signal, columns count as a sum or as the largest."""

    NAMES = (
        "tails sum",
        "tails largest",
        "tails second",
        "tails one side",
        "columns beyond",
        "excess largest",
        "far largest",
        "far sum",
        "gap sum",
        "gap largest",
        "rarity sum",
        "rarity largest",
        "unseen values",
    )

    def __init__(self, rows: Float[np.ndarray, "m d"]) -> None:
        self._rows = len(rows)
        self._near = max(1, min(self._rows - 1, int(np.ceil(np.sqrt(self._rows) / 2))))
        ordered = np.sort(rows.astype(np.float64), axis=0)
        self._columns = [_Column.of(values, self._near) for values in ordered.T]

    def __call__(
        self, rows: Float[np.ndarray, "n d"], *, own: bool = False
    ) -> Float[np.ndarray, "n 13"]:
        """The signals, in the order of NAMES. `own` rows are themselves among the sorted values."""
        shape = (len(self._columns), len(rows))
        tails, gaps, rarities, far, excess = (np.zeros(shape) for _ in range(5))
        below, above, unseen = (np.zeros(len(rows)) for _ in range(3))
        for at, (column, cells) in enumerate(zip(self._columns, rows.T, strict=True)):
            cells = cells.astype(np.float64)
            left, right = column.places(cells)
            low, high = column.tails(left, right, own=own)
            below += low
            above += high
            tails[at] = np.maximum(np.maximum(low, high) - BOTH_SIDES, 0)
            gaps[at] = column.gaps(cells, left, right, self._near)
            far[at], excess[at] = column.far(cells), column.excess(cells)
            if column.few:
                rarities[at] = column.rarities(right - left, own=own)
                unseen += right == left
        return np.column_stack(
            [
                tails.sum(axis=0),
                *_two_largest(tails),
                np.maximum(below, above),
                (excess > 0).sum(axis=0),
                np.log(excess.max(axis=0) + LEAST),
                far.max(axis=0),
                far.sum(axis=0),
                np.maximum(gaps, 0).sum(axis=0),
                gaps.max(axis=0),
                rarities.sum(axis=0),
                rarities.max(axis=0),
                unseen,
            ]
        )


@dataclass(frozen=True)
class _Column:
    values: Float[np.ndarray, " m"]
    """Ascending."""
    middle: float
    unit: float
    few: bool
    usual_gap: float = 1.0

    @classmethod
    def of(cls, values: Float[np.ndarray, " m"], near: int) -> _Column:
        low, quarter, middle, upper, high = np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95])
        units = (
            (upper - quarter) / UNIT_OF_QUARTILES,
            (high - low) / UNIT_OF_TAILS,
            values.std(),
        )
        unit = next((float(each) for each in units if each > 1e-9), 1.0)
        distinct = 1 + np.count_nonzero(np.diff(values))
        few = bool(distinct <= max(2, FEW * len(values)))
        column = cls(values, float(middle), unit, few)
        gaps = column._widths(values, *column.places(values), near)
        usual = float(np.median(gaps)) or max(float(gaps.mean()), 1e-9)
        return cls(values, float(middle), unit, few, usual)

    def places(self, cells: Float[np.ndarray, " n"]) -> tuple[np.ndarray, np.ndarray]:
        """How many values are below each cell, and how many are not above it."""
        left, right = (np.searchsorted(self.values, cells, side) for side in ("left", "right"))
        return left, right

    def tails(
        self, left: np.ndarray, right: np.ndarray, *, own: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """-log of the share of values that are at most as high as a cell, and at least as high."""
        count = len(self.values) + (not own)
        low, high = right + (not own), len(self.values) - left + (not own)
        return -np.log(low / count), -np.log(high / count)

    def gaps(self, cells: np.ndarray, left: np.ndarray, right: np.ndarray, near: int) -> np.ndarray:
        """Logarithm of the room that the nearest values leave, against what is usual."""
        widths = self._widths(cells, left, right, near)
        logs: np.ndarray = np.log((widths + 0.01 * self.usual_gap) / (1.01 * self.usual_gap))
        return logs

    def _widths(
        self, cells: np.ndarray, left: np.ndarray, right: np.ndarray, near: int
    ) -> np.ndarray:
        """From the `near`-th value below to the `near`-th above; twice the one where one lacks."""
        last = len(self.values) - 1
        middle = (left + right) // 2
        below, above = middle - near, middle + near - 1
        down = np.abs(cells - self.values[below.clip(0)])
        up = np.abs(self.values[above.clip(max=last)] - cells)
        wider = np.maximum(down, up)
        widths: np.ndarray = np.where(below < 0, wider, down) + np.where(above > last, wider, up)
        return widths

    def far(self, cells: np.ndarray) -> np.ndarray:
        logs: np.ndarray = np.log1p(np.abs(cells - self.middle) / self.unit)
        return logs

    def excess(self, cells: np.ndarray) -> np.ndarray:
        """How far beyond all values, in units of their range."""
        low, high = self.values[0], self.values[-1]
        beyond = np.maximum(np.maximum(low - cells, cells - high), 0)
        excess: np.ndarray = beyond / ((high - low) or 1.0)
        return excess

    def rarities(self, counts: np.ndarray, *, own: bool) -> np.ndarray:
        """-log of the share of rows with the same value; half a row where there is none."""
        rows = len(self.values) + (0.0 if own else 0.5)
        logs: np.ndarray = -np.log(np.maximum(counts + (0.0 if own else 0.5), 0.5) / rows)
        return logs


def _two_largest(cells: Float[np.ndarray, "d n"]) -> tuple[np.ndarray, np.ndarray]:
    if len(cells) == 1:
        return cells[0], cells[0]
    two = np.partition(cells, len(cells) - 2, axis=0)[-2:]
    return two[1], two[0]
