"""Signals of linear dependence: cells that the others of their row do not explain."""

from __future__ import annotations

import numpy as np

from slad.core.typing import Float

RIDGE = 0.02
"""Fraction of the mean variance that is added to the variance of every direction."""
LEAST_VARIANCE = 1e-6
KEPT = 0.9
"""Share of the variance in the leading directions; the rest is what is left of a PCA."""
LEAST = 1e-3
"""Added before a logarithm."""


class Dependence:
    """Residuals of each column given the others, and lengths of a row in several norms."""

    NAMES = (
        "residual largest",
        "residual mean",
        "rest",
        "norm",
        "whitened norm",
        "city norm",
    )

    def __init__(self, rows: Float[np.ndarray, "m d"]) -> None:
        rows = rows.astype(np.float64)
        self._center = rows.mean(axis=0)
        moved = rows - self._center
        variances, directions = np.linalg.eigh(moved.T @ moved / len(rows))
        variances = np.maximum(variances, 0)
        ridged = variances + RIDGE * variances.mean() + LEAST_VARIANCE
        precision = (directions / ridged) @ directions.T
        self._residual = precision / np.diag(precision)
        self._unit = np.sqrt(np.square(moved @ self._residual).mean(axis=0)) + LEAST
        minor = np.cumsum(variances) <= (1 - KEPT) * variances.sum()
        minor[0] = True  # variances ascend
        self._minor = directions[:, minor] / np.sqrt(ridged[minor])
        self._whitened = directions / np.sqrt(ridged)

    def __call__(self, rows: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n 6"]:
        """The signals, in the order of NAMES."""
        moved = rows.astype(np.float64) - self._center
        residuals = np.square(moved @ self._residual / self._unit)
        measures = (
            np.sqrt(residuals.max(axis=1)),
            residuals.mean(axis=1),
            np.square(moved @ self._minor).mean(axis=1),
            np.square(moved).mean(axis=1),
            np.square(moved @ self._whitened).mean(axis=1),
            np.abs(moved).mean(axis=1),
        )
        # Sums in another order differ in the last bits; single precision does not see them.
        logs: np.ndarray = np.log(np.column_stack(measures).astype(np.float32) + np.float32(LEAST))
        return logs
