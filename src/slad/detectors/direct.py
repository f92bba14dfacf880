"""Detectors that are fitted in one step: no network, no epochs."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from slad.core.typing import Float, Table
from slad.detectors.base import Detector


class DirectDetector(Detector):
    """Base of detectors that learn from a checked table in one step."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn what is normal from the rows of `X`. `y` is ignored."""
        self._check_parameters()
        self._forget()
        table = self._check(X, reset=True)
        self._learn(table)
        scores = self._training_scores(table)
        self._set_offset(scores)
        self._warn_of_constant(scores)
        return self

    def _learn(self, X: Table) -> None:
        """Set everything that `_anomaly_score` reads."""
        raise NotImplementedError

    def _training_scores(self, X: Table) -> Float[np.ndarray, " n"]:
        """The scores that the threshold comes from."""
        return self._anomaly_score(X)
