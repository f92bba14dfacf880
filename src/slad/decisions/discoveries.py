"""Flags with a bound on the share of false ones (Benjamini and Hochberg, 1995)."""

from __future__ import annotations

import numpy as np

from slad.core.typing import Float


def benjamini_hochberg(pvalues: Float[np.ndarray, " n"], rate: float) -> np.ndarray:
    """The rows to flag so that at most a share `rate` of the flags is false, on average.

    Conformal p-values of rows judged against one calibration set depend on each other in a way
    under which this holds (Bates et al., Testing for outliers with conformal p-values, 2023).
    """
    flags: np.ndarray = pvalues <= discovery_level(pvalues, rate)
    return flags


def discovery_level(pvalues: Float[np.ndarray, " n"], rate: float) -> float:
    """The p-value up to which rows are flagged; where none is, the one that the first would need.

    Of the levels rate * k / n it is the largest that k rows reach.
    """
    count = len(pvalues)
    levels = rate * np.arange(1, count + 1) / max(count, 1)
    reached = np.flatnonzero(np.sort(pvalues) <= levels)
    if count == 0:
        return rate
    return float(levels[reached[-1] if len(reached) else 0])
