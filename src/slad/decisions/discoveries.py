"""Control of the false-discovery rate (Benjamini and Hochberg, 1995)."""

from __future__ import annotations

import numpy as np

from slad.core.typing import Float


def benjamini_hochberg(pvalues: Float[np.ndarray, " n"], rate: float) -> np.ndarray:
    """Which rows to flag so that on average at most a share `rate` of the flagged rows is normal.

    This holds although conformal p-values that share one calibration depend on each other (Bates
    et al., Testing for outliers with conformal p-values, 2023).
    """
    flags: np.ndarray = pvalues <= discovery_level(pvalues, rate)
    return flags


def discovery_level(pvalues: Float[np.ndarray, " n"], rate: float) -> float:
    """The p-value up to which rows are flagged; if none is, the one that a first row would need.

    It is the largest of the levels rate * k / n that k rows reach.
    """
    count = len(pvalues)
    levels = rate * np.arange(1, count + 1) / max(count, 1)
    reached = np.flatnonzero(np.sort(pvalues) <= levels)
    if count == 0:
        return rate
    return float(levels[reached[-1] if len(reached) else 0])
