"""Diffusion time from neighbours: DTE-NP (Livernoche, Jain, Hezaveh and Ravanbakhsh, ICLR 2024)."""

from __future__ import annotations

import numpy as np

from slad.core.typing import Float, Int
from slad.detectors.parts.neighbor_detectors import NearestDetector


class DTENonParametric(NearestDetector):
    """How much noise must have been added to a training row to arrive at this one.

    Were a row x a training row t plus Gaussian noise of variance v in each of d features, with all
    t and v as likely, then v would have the density

        sum over t of v^(-d/2) exp(-|x - t|^2 / (2 v)),

    a mixture of inverse gamma distributions of shape d/2 - 1 and scale |x - t|^2 / 2, in which the
    nearest rows outweigh all others. The estimate puts one distribution in its place, of the mean
    scale of the k nearest rows. The score is its mode: the mean of the k squared distances over d,
    which is a maximum for every d, while the distribution itself needs d > 2 and its mean d > 4.

    So this orders rows by the root mean square of the distances to the k nearest; `KNN` with
    aggregation="mean" takes their plain mean, and for k = 1 both have one order.

    Parameters
    ----------
    n_neighbors : int, default=5
        The k of the authors' code; one less than there are training rows, where that is fewer.
    scaling : {"standard", "minmax", "signed_log", "robust", "none"}, default="standard"
        Input scaling, fitted on the training rows: the authors standardise all tables. The same
        noise in all features needs columns in one unit.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training rows. `predict` flags rows that score above all
        but this fraction of the training rows; with "auto", above Tukey's fence of their scores.
        Each training row is scored by the others.
    device : str, default="auto"
        "auto" takes a GPU where there is one. Sparse rows are compared on the CPU.

    Attributes
    ----------
    n_neighbors_ : int
    training_scores_ : ndarray
        The score of each training row by the others.
    offset_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray, where the table had column names

    Notes
    -----
    The authors' code goes on to the expected step of a noise schedule, given this distribution cut
    off at the schedule's last variance. The order is the same (the step grows with the scale), but
    rows beyond that variance get nearly equal scores; here the variance itself is the score.

    Examples
    --------
    >>> from slad.detectors import DTENonParametric
    >>> detector = DTENonParametric(n_neighbors=2, scaling="none").fit([[0.0], [2.0], [4.0]])
    >>> detector.anomaly_score([[1.0], [6.0]]).tolist()  # (1 + 1) / 2, (4 + 16) / 2
    [1.0, 10.0]
    """

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        scaling: str = "standard",
        contamination: float | str = "auto",
        device: str = "auto",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.scaling = scaling
        self.contamination = contamination
        self.device = device

    def _strangeness(
        self, distances: Float[np.ndarray, "n k"], places: Int[np.ndarray, "n k"]
    ) -> Float[np.ndarray, " n"]:
        variances: np.ndarray = np.square(distances).mean(axis=1) / self.n_features_in_
        return variances
