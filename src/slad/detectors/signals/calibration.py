"""How extreme a signal is among the reference rows' own, so that it means the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from slad.core.typing import Float

KNOTS = 64
"""Places in the upper tail, and as many in the rest, at which a tail probability is kept."""


@dataclass(frozen=True)
class Calibration:
    """Tail probabilities and robust distances of every signal."""

    knots: Float[np.ndarray, "signals knots"]
    """Ascending values of the reference rows."""
    heights: Float[np.ndarray, "signals knots"]
    """-log of the share of reference rows that reach each knot; of equal knots, the same."""
    median: Float[np.ndarray, " signals"]
    unit: Float[np.ndarray, " signals"]

    @property
    def _beyond(self) -> float:
        """Where no reference row reaches."""
        return float(self.heights.max() + np.log(2))

    @classmethod
    def of(cls, values: Float[np.ndarray, "m signals"]) -> Self:
        """From the reference rows' own signals."""
        count = len(values)
        ordered = np.sort(values.astype(np.float64), axis=0)
        from_top = np.unique(np.geomspace(1, count, KNOTS).round().astype(np.int64))
        evenly = np.linspace(1, count, KNOTS).round().astype(np.int64)
        ranks = np.union1d(from_top, evenly)[::-1]  # how many rows are at or above the knot
        quarter, median, upper, high = np.quantile(ordered, [0.25, 0.5, 0.75, 0.9], axis=0)
        spread = np.maximum((high - median) / 1.2816, (upper - quarter) / 1.349)
        knots = ordered[count - ranks].T.copy()
        below = [np.searchsorted(*both) for both in zip(ordered.T, knots, strict=True)]
        return cls(
            knots,
            -np.log((count - np.stack(below)) / (count + 1)),
            median,
            np.maximum(spread, 1e-2 * ordered.std(axis=0) + 1e-6),
        )

    def tails(self, values: Float[np.ndarray, "n signals"]) -> Float[np.ndarray, "n signals"]:
        """-log of tail probabilities, linear between the knots; the last one beyond all rows."""
        found = np.empty(values.shape)
        for at, (knots, heights) in enumerate(zip(self.knots, self.heights, strict=True)):
            found[:, at] = np.interp(values[:, at], knots, heights)
            found[values[:, at] > knots[-1], at] = self._beyond
        return found

    def distances(self, values: Float[np.ndarray, "n signals"]) -> Float[np.ndarray, "n signals"]:
        """Distances from the median in robust deviations, as areas of hyperbolic sines: linear
        near the median and logarithmic far from it."""
        found: np.ndarray = np.arcsinh((values - self.median) / self.unit)
        return found
