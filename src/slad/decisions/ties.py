"""Equal rows in calibration by several members.

A held-out row has the score of one member, a new row the mean of all. Where many rows are equal,
members that disagree a little about them would spread these over several scores, with a new equal
row in the middle: half of its equals would seem less strange than it, and not count.
"""

from __future__ import annotations

import numpy as np

from slad.core.typing import Float


def tied_rows(held_scores: Float[np.ndarray, " n"]) -> np.ndarray:
    """Which rows share their score with another row held out for the same member."""
    _, place, counts = np.unique(held_scores, return_inverse=True, return_counts=True)
    return np.asarray(counts[place.reshape(-1)] > 1)


def settle_ties(
    held_scores: Float[np.ndarray, " n"], mean_scores: Float[np.ndarray, " n"]
) -> Float[np.ndarray, " n"]:
    """Scores of tied rows to calibrate with: at least what a new row equal to them would get.

    `mean_scores` are the means over all members. Members that have seen a row may find it too
    usual, but never so where an equal row was held out for them: hence the larger of both.
    """
    return np.asarray(np.maximum(held_scores, mean_scores))
