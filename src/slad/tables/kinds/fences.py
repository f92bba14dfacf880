"""`Fences`: numbers far beyond the others are drawn in, so that they do not hide each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from slad.core.typing import Float

QUARTILES = (0.25, 0.75)
WIDER = ((0.05, 0.95), (0.01, 0.99), (0.0, 1.0))
"""Taken one after the other where the quartiles are one value."""
FAR = 3.0
"""Tukey's outer fences: so many times the distance of the quartiles beyond them."""
MOST = 1e300
"""Distances that are told apart, in units."""


@dataclass(frozen=True)
class Fences:
    """The values between `low` and `high` stay; from there on distances count by logarithms.

    Detectors give every feature the same spread. One value in another unit would make that spread
    so large that the next ones seem usual, and a cell of 19 among years lost all other years.
    """

    low: float
    high: float
    unit: float
    """The distance between the quartiles."""

    @classmethod
    def around(cls, finite: Float[np.ndarray, " n"]) -> Self | None:
        """The fences of these values; None of equal ones."""
        if not len(finite):
            return None
        for pair in (QUARTILES, *WIDER):
            first, last = np.quantile(finite, pair).tolist()
            if last > first:
                unit = last - first
                return cls(first - FAR * unit, last + FAR * unit, unit)
        return None

    def hold(self, low: float, high: float) -> bool:
        """Whether all values from `low` to `high` stay."""
        return self.low <= low and high <= self.high

    def drawn_in(self, values: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """The values, those beyond the fences nearer to them; their order stays."""
        inside = np.clip(values, self.low, self.high)
        with np.errstate(over="ignore"):
            units = np.minimum(np.abs(values - inside) / self.unit, MOST)
        drawn: np.ndarray = inside + np.sign(values - inside) * self.unit * np.log1p(units)
        return drawn
