"""Distance to the nearest training rows (Ramaswamy, Rastogi and Shim, SIGMOD 2000)."""

from __future__ import annotations

import numpy as np

from slad.core.state import State
from slad.core.typing import Float, Int, Table
from slad.detectors.parts.checks import check_choice
from slad.detectors.parts.neighbor_detectors import NearestDetector

AGGREGATIONS = ("largest", "mean")


class KNN(NearestDetector):
    """The distance to the k-th nearest training row, or the mean distance to the k nearest.

    Exact: rows are compared with every training row, by matrix products.

    Parameters
    ----------
    n_neighbors : int, default=5
        The paper's k; one less than there are training rows, where that is fewer. The paper
        gives no default, this is scikit-learn's for nearest neighbours.
    aggregation : {"largest", "mean"}, default="largest"
        The distance to the k-th neighbour (Ramaswamy et al. 2000), or the mean over all k
        (Angiulli and Pizzuti 2002, but for a factor k).
    scaling : {"standard", "minmax", "signed_log", "robust", "none"}, default="standard"
        Input scaling, fitted on the training rows. A distance sums over columns, so they need
        one unit. "standard" gives each of them the same mean square in that sum; under
        "minmax" a column's share would depend on its two most extreme training cells.
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

    Examples
    --------
    >>> from slad.detectors import KNN
    >>> detector = KNN(n_neighbors=1, scaling="none").fit([[0.0, 0.0], [3.0, 4.0], [3.0, 6.0]])
    >>> detector.anomaly_score([[0.0, 0.0], [0.0, 1.0]]).tolist()
    [0.0, 1.0]
    >>> detector.training_scores_.tolist()
    [5.0, 2.0, 2.0]
    """

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        aggregation: str = "largest",
        scaling: str = "standard",
        contamination: float | str = "auto",
        device: str = "auto",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.aggregation = aggregation
        self.scaling = scaling
        self.contamination = contamination
        self.device = device

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "aggregation", AGGREGATIONS)

    def _learn(self, X: Table) -> None:
        super()._learn(X)
        self._aggregation = self.aggregation

    def _strangeness(
        self, distances: Float[np.ndarray, "n k"], places: Int[np.ndarray, "n k"]
    ) -> Float[np.ndarray, " n"]:
        return distances[:, -1] if self._aggregation == "largest" else distances.mean(axis=1)

    def _set_fitted_state(self, state: State) -> None:
        super()._set_fitted_state(state)
        self._aggregation = self.aggregation
