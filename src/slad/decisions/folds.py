"""Which rows train a member and which are held out for it, so that no row judges itself."""

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
"""From here on one or two fits do: held-out rows are plenty, and fits are what takes time."""
HELD_SHARE = 0.25
MOST_HELD = 10_000
"""Held-out rows beyond this sharpen a level of 1 % by less than a tenth of it."""
LEAST_HELD = 99
"""With fewer held-out rows no p-value reaches 1 %."""

MOST_PERMUTED = 2**23


@dataclass(frozen=True, eq=False)
class Fold:
    """Row numbers, in order: those that fit a member, and those it has never seen."""

    train: Int[np.ndarray, " n"]
    held: Int[np.ndarray, " m"]


def make_folds(
    n_rows: int, *, calibration: str = "auto", own_rows: bool = False, seed: int = 0
) -> list[Fold]:
    """How to hold out rows of a table.

    "cross": five folds, every row held out once. "split": one fold, a quarter held out. "auto":
    cross for up to 10,000 rows, split beyond; but two cross folds where the table's own rows are
    to be judged (`own_rows`), since each then needs a member that has not seen it.
    """
    if calibration not in CALIBRATIONS:
        raise unknown("calibration", calibration, CALIBRATIONS)
    if n_rows < 2:
        raise DataError(
            f"{n_rows} rows: some must be held out, so give at least 2, and 100 to be of use"
        )
    count = _fold_count(n_rows, calibration, own_rows)
    if count == 1:
        return [_fold(n_rows, held_rows(n_rows, seed))]
    order = Streams(seed).numpy("folds").permutation(n_rows)
    return [_fold(n_rows, held) for held in np.array_split(order, min(count, n_rows))]


def held_rows(n_rows: int, seed: int) -> Int[np.ndarray, " m"]:
    """Numbers of the rows that a split holds out, in order.

    Of tables that no memory holds they are drawn without a permutation of all rows.
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
    """A quarter; in small tables enough for a level of 1 %, as long as that is not over half."""
    return min(max(round(HELD_SHARE * n_rows), LEAST_HELD), n_rows // 2, MOST_HELD)


def _fold(n_rows: int, held: np.ndarray) -> Fold:
    trains = np.ones(n_rows, dtype=bool)
    trains[held] = False
    return Fold(np.flatnonzero(trains), np.sort(held))
