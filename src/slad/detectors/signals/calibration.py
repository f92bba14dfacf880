"""How extreme a signal is among the reference rows' own, so that it means the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from slad.core.typing import Float

KNOTS = 64
"""Places in the upper tail, and as many in the rest, at which a tail probability is measured."""
LEAST = 1e-3
"""The least unit of a signal: where reference rows are all alike, what differs less is rounding."""
STEPS = 256
"""Even steps from the lowest distance to the highest, at which it is kept."""


@dataclass(frozen=True)
class Calibration:
    """Tail probabilities and robust distances of every signal, in single precision."""

    median: Float[np.ndarray, " signals"]
    unit: Float[np.ndarray, " signals"]
    low: Float[np.ndarray, " signals"]
    """The distances of the reference rows' lowest and highest values."""
    high: Float[np.ndarray, " signals"]
    heights: Float[np.ndarray, "signals steps"]
    """-log of the share of reference rows that reach a distance; last, of no row."""

    @classmethod
    def of(cls, values: Float[np.ndarray, "m signals"]) -> Self:
        """From the reference rows' own signals."""
        quarter, median, upper, high = np.quantile(values, [0.25, 0.5, 0.75, 0.9], axis=0)
        spread = np.maximum((high - median) / 1.2816, (upper - quarter) / 1.349)
        unit = np.maximum(spread, 1e-2 * values.std(axis=0, dtype=np.float64) + LEAST)
        measure = cls(*(part.astype(np.float32) for part in (median, unit)), *[np.empty(0)] * 3)
        ordered = np.sort(measure.distances(values), axis=0)
        low, high = ordered[0], ordered[-1]
        heights = [_heights(each, np.linspace(each[0], each[-1], STEPS + 1)) for each in ordered.T]
        beyond = np.log(len(values) + 1) + np.log(2)
        return cls(
            measure.median,
            measure.unit,
            low,
            high,
            np.column_stack([np.stack(heights), np.full(len(heights), beyond)]).astype(np.float32),
        )

    def extremes(
        self, values: Float[np.ndarray, "n signals"]
    ) -> tuple[Float[np.ndarray, "n signals"], Float[np.ndarray, "n signals"]]:
        """-log of tail probabilities, linear between the steps; and the distances."""
        distances = self.distances(values)
        places = (distances - self.low) * (STEPS / np.maximum(self.high - self.low, 1e-9))
        np.clip(places, 0, STEPS, out=places)
        steps = np.minimum(places, STEPS - 1).astype(np.int32)
        places -= steps
        at = steps + np.arange(0, self.heights.size, STEPS + 2, dtype=np.int32)
        tails = self.heights.take(at)
        tails += places * (self.heights.take(at + 1) - tails)
        beyond = distances > self.high
        tails[beyond] = np.broadcast_to(self.heights[:, -1], tails.shape)[beyond]
        return tails, distances

    def distances(self, values: Float[np.ndarray, "n signals"]) -> Float[np.ndarray, "n signals"]:
        """Distances from the median in robust deviations, as areas of hyperbolic sines: linear
        near the median and logarithmic far from it."""
        found: np.ndarray = np.arcsinh((values - self.median) / self.unit)
        return found


def _heights(
    ordered: Float[np.ndarray, " m"], places: Float[np.ndarray, " steps"]
) -> Float[np.ndarray, " steps"]:
    """-log of the share of values that reach each place, linear between knots."""
    count = len(ordered)
    from_top = np.unique(np.geomspace(1, count, KNOTS).round().astype(np.int64))
    evenly = np.linspace(1, count, KNOTS).round().astype(np.int64)
    knots = ordered[count - np.union1d(from_top, evenly)[::-1]]
    below = np.searchsorted(ordered, knots)
    found: np.ndarray = np.interp(places, knots, -np.log((count - below) / (count + 1)))
    return found
