"""Folds: which rows train and which are held out, so that no row is scored by its own fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slad.core.errors import DataError
from slad.core.names import unknown
from slad.core.seeds import Streams
from slad.core.typing import Int

CALIBRATIONS = ("auto", "cross", "split")
CROSS_FOLDS = 5
MANY_ROWS = 10_000
"""Tables of this many rows need one or two fits: held-out rows are plenty, and fits take time."""
HELD_SHARE = 0.25
MOST_HELD = 10_000
"""More held-out rows change the level of 1 % by less than a tenth of it."""
LEAST_HELD = 99
"""With fewer held-out rows no p-value reaches 1 %."""

MOST_PERMUTED = 2**23


@dataclass(frozen=True, eq=False)
class Fold:
    """Row numbers in ascending order: those that train, and those held out."""

    train: Int[np.ndarray, " n"]
    held: Int[np.ndarray, " m"]


def make_folds(
    n_rows: int, *, calibration: str = "auto", own_rows: bool = False, seed: int = 0
) -> list[Fold]:
    """The folds of a table.

    "cross": five folds, every row held out once. "split": one fold, a quarter held out. "auto":
    "cross" below 10,000 rows, "split" from there on; with `own_rows`, where every training row
    needs a model that has not seen it, two folds instead of the split.
    """
    if calibration not in CALIBRATIONS:
        raise unknown("calibration", calibration, CALIBRATIONS)
    if n_rows < 2:
        raise DataError(f"{n_rows} rows: some must be held out; use at least 2, better 100 or more")
    count = _fold_count(n_rows, calibration, own_rows)
    if count == 1:
        return [_fold(n_rows, held_rows(n_rows, seed))]
    order = Streams(seed).numpy("folds").permutation(n_rows)
    return [_fold(n_rows, held) for held in np.array_split(order, min(count, n_rows))]


def held_rows(n_rows: int, seed: int) -> Int[np.ndarray, " m"]:
    """Numbers of the rows that a split holds out, in ascending order.

    Those of very long tables are drawn without a permutation of all rows.
    """
    rng, count = Streams(seed).numpy("folds"), _held_count(n_rows)
    if n_rows <= MOST_PERMUTED:
        return np.sort(rng.permutation(n_rows)[:count])
    return np.sort(rng.choice(n_rows, count, replace=False))


def _fold_count(n_rows: int, calibration: str, own_rows: bool) -> int:
    if calibration == "split":
        return 1
    if calibration == "cross" or n_rows < MANY_ROWS:
        return CROSS_FOLDS
    return 2 if own_rows else 1


def _held_count(n_rows: int) -> int:
    """A quarter; in small tables enough for a level of 1 %, but never more than half."""
    return min(max(round(HELD_SHARE * n_rows), LEAST_HELD), n_rows // 2, MOST_HELD)


def _fold(n_rows: int, held: np.ndarray) -> Fold:
    trains = np.ones(n_rows, dtype=bool)
    trains[held] = False
    return Fold(np.flatnonzero(trains), np.sort(held))
