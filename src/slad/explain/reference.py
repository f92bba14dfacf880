"""`draw_reference`: the normal rows that other rows are compared with."""

from __future__ import annotations

import numpy as np

from slad.core.seeds import Streams
from slad.core.typing import Float, Int

SIZE = 500
"""Enough to find comparable rows; more hardly help (paper/docs/results/culprits.md)."""
ORDINARY = 0.9
"""The fraction of rows, by score, that count as normal where that is not known."""


def draw_reference(
    scores: Float[np.ndarray, " n"], *, size: int = SIZE, share: float = ORDINARY, seed: int = 0
) -> Int[np.ndarray, " m"]:
    """Positions of at most `size` rows, drawn from the `share` of rows with the lowest scores.

    With share=1 (rows known to be normal) they are drawn from all rows.
    """
    ordinary = np.argsort(scores, kind="stable")[: max(1, round(share * len(scores)))]
    if len(ordinary) > size:
        ordinary = Streams(seed).numpy("reference").choice(ordinary, size, replace=False)
    return np.sort(ordinary)
