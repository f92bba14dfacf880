"""`Judgement`: the score, p-value and decision of every row of a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from slad.decisions import Calibration, Rule, unsure_rows

if TYPE_CHECKING:
    from slad.model.scores import Scores

STRANGE, UNSURE, USUAL = "strange", "unsure", "usual"


@dataclass(frozen=True)
class Judgement:
    """Scores and decisions, one per row. A higher score means stranger."""

    scores: np.ndarray
    errors: np.ndarray
    """Standard error of each score; NaN if the detector gives none."""
    pvalues: np.ndarray
    flags: np.ndarray
    unsure: np.ndarray
    """Rows set aside because their score is too close to the threshold; none is also flagged."""
    threshold: float | None
    """The lowest score that is flagged in this table; None if no score would be."""
    own: bool
    """Whether these are the training rows, each scored by a fold model that did not see it."""

    @cached_property
    def order(self) -> np.ndarray:
        """Row positions, from 0, strangest first; tied rows in the table's order."""
        return np.argsort(-self.scores, kind="stable")

    @property
    def decisions(self) -> np.ndarray:
        """A word for each row: strange, unsure or usual."""
        words = np.where(self.flags, STRANGE, USUAL)
        return np.where(self.unsure, UNSURE, words)


def decide(
    scores: Scores, calibration: Calibration, rule: Rule, reject: float | None, *, own: bool
) -> Judgement:
    """Apply a rule to scores. `own` says that these are the scores of the training rows."""
    pvalues = (calibration.own_pvalues if own else calibration.pvalues)(scores.scores)
    flags = rule.flags(scores.scores, pvalues, calibration)
    threshold = rule.threshold(scores.scores, pvalues, calibration)
    unsure = np.zeros(len(flags), dtype=bool)
    if reject is not None:
        unsure = unsure_rows(scores.scores, scores.errors, threshold, reject)
    return Judgement(scores.scores, scores.errors, pvalues, flags & ~unsure, unsure, threshold, own)
