"""Signals of linear dependence: cells that the others of their row do not explain."""

from __future__ import annotations

import numpy as np

from slad.core.typing import Float
from slad.detectors.parts.space_statistics import Principal
from slad.detectors.signals.blocks import row_product

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

    def __init__(self, rows: Float[np.ndarray, "m d"], principal: Principal | None = None) -> None:
        rows = rows.astype(np.float64)
        principal = principal or Principal.of(rows)
        self._center = principal.center
        moved = rows - self._center
        variances, directions = principal.variances, principal.directions
        ridged = variances + RIDGE * variances.mean() + LEAST_VARIANCE
        precision = (directions / ridged) @ directions.T
        residual = precision / np.diag(precision)
        unit = np.sqrt(np.square(moved @ residual).mean(axis=0)) + LEAST
        self._residual = (residual / unit).astype(np.float32)
        minor = np.cumsum(variances) <= (1 - KEPT) * variances.sum()
        self._minor = max(1, int(minor.sum()))  # variances ascend

    def __call__(
        self, rows: Float[np.ndarray, "n d"], turned: Float[np.ndarray, "n d"]
    ) -> Float[np.ndarray, "n 6"]:
        """The signals, in the order of NAMES. `turned`: the rows in whitened directions."""
        moved = (rows - self._center).astype(np.float32)
        residuals, lengths = np.square(row_product(moved, self._residual)), np.square(turned)
        measures = (
            np.sqrt(residuals.max(axis=1)),
            residuals.mean(axis=1),
            lengths[:, : self._minor].mean(axis=1),
            np.square(moved).mean(axis=1),
            lengths.mean(axis=1),
            np.abs(moved).mean(axis=1),
        )
        logs: np.ndarray = np.log(np.column_stack(measures) + np.float32(LEAST))
        return logs
