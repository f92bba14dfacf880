"""Standardisation of scores, so that detectors fitted on different folds can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from slad.core.errors import DataError
from slad.core.state import State
from slad.core.typing import Float

CUT = 0.9
ROUNDING = 1e-9
"""Scores that differ by less than this share of their level count as equal."""


@dataclass(frozen=True)
class Standard:
    """(score - median) / (mean distance from the median) of held-out scores.

    Distances are cut off at their 90 % quantile, so that anomalies do not set the unit. Quartiles
    alone, tried first, gave folds of tables with many equal rows different units.
    """

    centre: float
    spread: float

    @classmethod
    def fit(cls, held_scores: Float[np.ndarray, " n"]) -> Self:
        """From the scores of rows that the detector has not seen."""
        if not len(held_scores) or not np.isfinite(held_scores).all():
            raise DataError(
                f"{len(held_scores)} held-out scores, {int(np.isnan(held_scores).sum())} of them "
                "NaN: at least one is needed, and all must be finite"
            )
        centre = float(np.median(held_scores))
        distances = np.abs(held_scores - centre)
        for longest in (
            np.quantile(distances, CUT),
            distances.max(),
        ):  # over 90 % may be equal
            spread = float(np.minimum(distances, longest).mean())
            if spread > ROUNDING * abs(centre):
                return cls(centre, spread)
        return cls(centre, 1.0)

    def apply(self, scores: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        return (scores - self.centre) / self.spread

    def state(self) -> State:
        return State({"centre": self.centre, "spread": self.spread}, {})

    @classmethod
    def from_state(cls, state: State) -> Self:
        return cls(float(state.values["centre"]), float(state.values["spread"]))


@dataclass(frozen=True, eq=False)
class PartStandard:
    """A `Standard`, and the mean and deviation of every score part."""

    standard: Standard
    centres: Float[np.ndarray, " parts"]
    scales: Float[np.ndarray, " parts"]

    @classmethod
    def fit(cls, held_parts: Float[np.ndarray, "n parts"]) -> Self:
        """From `Detector.score_parts` of rows that the detector has not seen."""
        standard = Standard.fit(held_parts.mean(axis=1))
        return cls(standard, held_parts.mean(axis=0), held_parts.std(axis=0))

    def apply(self, parts: Float[np.ndarray, "n parts"]) -> Float[np.ndarray, " n"]:
        """Standardised scores, each the mean of its parts."""
        return self.standard.apply(parts.mean(axis=1))

    def state(self) -> State:
        return State(self.standard.state().values, {"centres": self.centres, "scales": self.scales})

    @classmethod
    def from_state(cls, state: State) -> Self:
        return cls(Standard.from_state(state), state.arrays["centres"], state.arrays["scales"])
