"""P-values from the scores of held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from slad.core.errors import DataError
from slad.core.state import State
from slad.core.typing import Float


@dataclass(frozen=True, eq=False)
class Calibration:
    """Standardised scores of the calibration rows, with which all other scores are compared.

    >>> calibration = Calibration(np.arange(99.0), clean=True, kind="split")
    >>> calibration.pvalues(np.array([98.0, 98.5])).tolist()
    [0.02, 0.01]
    """

    scores: Float[np.ndarray, " n"]
    """In ascending order."""
    clean: bool
    """Whether all calibration rows are known to be normal."""
    kind: str
    """"cross" (every training row was held out once) or "split"."""
    folds: int = 1

    def __post_init__(self) -> None:
        scores = np.sort(np.asarray(self.scores, dtype=np.float64))
        if not len(scores) or not np.isfinite(scores).all():
            raise DataError(
                f"{len(scores)} calibration scores, {int((~np.isfinite(scores)).sum())} of them "
                "not finite: use at least one row, and fit again if scores are not numbers"
            )
        object.__setattr__(self, "scores", scores)

    def __len__(self) -> int:
        return len(self.scores)

    def at_least(self, scores: Float[np.ndarray, " n"]) -> np.ndarray:
        """How many calibration rows score at least as high."""
        return np.asarray(len(self) - np.searchsorted(self.scores, scores, side="left"))

    def pvalues(self, scores: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """P-values of new rows: (1 + calibration rows that score at least as high) / (n + 1).

        The p-value of a normal row is at most t with a probability of at most t, for every t.
        """
        return np.asarray((1 + self.at_least(scores)) / (len(self) + 1))

    def own_pvalues(self, scores: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """P-values of the calibration rows themselves: the share that scores at least as high."""
        return np.asarray(np.maximum(self.at_least(scores), 1) / len(self))

    def threshold(self, level: float) -> float:
        """The smallest score whose p-value is at most `level`; inf if there is none."""
        return self._above(_most_within(level, len(self) + 1) - 1)

    def quantile(self, share: float) -> float:
        """The smallest score that at most this share of the calibration rows reaches."""
        return self._above(_most_within(share, len(self)))

    def _above(self, reached: int) -> float:
        """The smallest score that at most `reached` calibration rows reach."""
        if reached < 0:
            return float("inf")
        if reached >= len(self):
            return float("-inf")
        return float(np.nextafter(self.scores[len(self) - reached - 1], np.inf))

    def state(self) -> State:
        values = {"clean": self.clean, "kind": self.kind, "folds": self.folds}
        return State(values, {"scores": self.scores})

    @classmethod
    def from_state(cls, state: State) -> Self:
        values, arrays = state
        return cls(arrays["scores"], values["clean"], values["kind"], values["folds"])


def _most_within(level: float, total: int) -> int:
    """The largest count with count / total <= level in floating point (0.29 * 100 < 29)."""
    count = round(level * total)
    while count / total > level:
        count -= 1
    return count
