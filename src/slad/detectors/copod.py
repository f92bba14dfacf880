"""COPOD (Li, Zhao, Botta, Ionescu and Hu, ICDM 2020): an empirical copula's tails."""

from __future__ import annotations

import numpy as np

from slad.core.state import State
from slad.core.typing import Float, Table
from slad.detectors.parts.checks import check_choice
from slad.detectors.parts.tail_detector import TailDetector

DEFINITIONS = ("released", "paper")


class COPOD(TailDetector):
    """Copula-based outlier detection: how far out in its tails every cell lies.

    The text and the authors' code differ. The text's Algorithm 1 is, step by step, that of ECOD,
    which the same authors published later. So the default is the released code.

    Parameters
    ----------
    definition : {"released", "paper"}, default="released"
        "released": of every column the larger of two figures is summed, -log of the tail on the
        side to which the column is skewed, and the mean of -log of both tails (the authors' code,
        winstonll/COPOD, which PyOD took over). "paper": the largest of three sums, over left
        tails, over right tails and over the tails on the skewed side (Algorithm 1); this is ECOD.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training rows. `predict` flags rows that score above all
        but this fraction of the training rows; with "auto", above Tukey's fence of their scores.

    Attributes
    ----------
    offset_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray, where the table had column names

    Notes
    -----
    New rows are ranked among the training rows, as by ECOD. The authors' code and PyOD rank them
    together with the training rows, so that a row's score there depends on the rows it comes
    with; and both add up the two tails of a column without any skewness, where the paper, and
    slad, take the right one.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import COPOD
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = COPOD().fit(normal)
    >>> bool(detector.anomaly_score([[9, 9, 9, 9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    def __init__(
        self, *, definition: str = "released", contamination: float | str = "auto"
    ) -> None:
        self.definition = definition
        self.contamination = contamination

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "definition", DEFINITIONS)

    def _sides(
        self,
        left: Float[np.ndarray, " m"],
        right: Float[np.ndarray, " m"],
        longer: Float[np.ndarray, " m"],
    ) -> Float[np.ndarray, "sums m"]:
        if self._definition == "paper":
            return super()._sides(left, right, longer)
        larger: np.ndarray = np.maximum(longer, (left + right) / 2)
        return larger[None]

    def _learn(self, X: Table) -> None:
        self._definition = self.definition
        super()._learn(X)

    def _set_fitted_state(self, state: State) -> None:
        self._definition = self.definition
        super()._set_fitted_state(state)
