"""Equal rows in a calibration by several fold models.

A held-out row has the score of one fold model, a new row the mean over all. Fold models that differ
a little would give many equal rows several scores, with a new equal row in the middle: half of its
equals would score lower and not count in its p-value.
"""

from __future__ import annotations

import numpy as np

from slad.core.typing import Float


def tied_rows(held_scores: Float[np.ndarray, " n"]) -> np.ndarray:
    """Which rows share their score with another row of the same fold."""
    _, place, counts = np.unique(held_scores, return_inverse=True, return_counts=True)
    return np.asarray(counts[place.reshape(-1)] > 1)


def settle_ties(
    held_scores: Float[np.ndarray, " n"], mean_scores: Float[np.ndarray, " n"]
) -> Float[np.ndarray, " n"]:
    """Scores of tied rows for calibration: at least the score of a new row equal to them.

    `mean_scores` are the means over all fold models. Fold models that trained on a row may score it
    too low, so the larger of the two scores is taken.
    """
    return np.asarray(np.maximum(held_scores, mean_scores))
