"""What is said about each row of a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

STRANGE, UNSURE, USUAL = "strange", "unsure", "usual"


@dataclass(frozen=True)
class Judgement:
    """Scores and decisions, one a row. A higher score is stranger."""

    scores: np.ndarray
    errors: np.ndarray
    """Standard error of each score; NaN where the detector gives nothing to tell it from."""
    pvalues: np.ndarray
    flags: np.ndarray
    unsure: np.ndarray
    """Rows set aside: too close to the threshold to call. Never flagged as well."""
    threshold: float | None
    """The least score that is flagged in this table; None where no score would be."""
    own: bool
    """Whether these are the rows that the model was fitted on, each judged by a part that had
    not seen it."""

    @cached_property
    def order(self) -> np.ndarray:
        """Row numbers, strangest first; ties in the table's order."""
        return np.argsort(-self.scores, kind="stable")

    @property
    def decisions(self) -> np.ndarray:
        """A word for each row."""
        words = np.where(self.flags, STRANGE, USUAL)
        return np.where(self.unsure, UNSURE, words)
