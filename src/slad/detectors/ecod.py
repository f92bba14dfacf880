"""ECOD (Li, Zhao, Hu, Botta, Ionescu and Chen, TKDE 2022): tails of every column on its own."""

from __future__ import annotations

from slad.detectors.parts.tail_detector import TailDetector


class ECOD(TailDetector):
    """Empirical cumulative distribution functions: how far out in its tails every cell lies.

    There is nothing to tune, and nothing is random. Columns need no scaling: only ranks count.

    Parameters
    ----------
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
    The training rows are the reference for all rows. The paper ranks a table within itself, where
    no tail is empty; here a new cell beyond all training cells has the tail probability 1/(n+1).

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import ECOD
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = ECOD().fit(normal)
    >>> bool(detector.anomaly_score([[9, 9, 9, 9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    def __init__(self, *, contamination: float | str = "auto") -> None:
        self.contamination = contamination
