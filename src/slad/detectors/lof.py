"""Local outlier factor (Breunig, Kriegel, Ng and Sander, SIGMOD 2000)."""

from __future__ import annotations

import numpy as np

from slad.core.state import State
from slad.core.typing import Float, Int
from slad.detectors.base import warn
from slad.detectors.parts.neighbor_detectors import NearestDetector

LEAST_REACH = 1e-10
"""Added to a mean reachability distance, so that duplicates have a density: scikit-learn's."""
TORN = 1e7
"""Above this factor, duplicates make densities meaningless (scikit-learn's limit)."""


class LOF(NearestDetector):
    """Local outlier factor: the density of training rows around the neighbours over that of a row.

    New rows are scored as by scikit-learn's LocalOutlierFactor(novelty=True).

    Parameters
    ----------
    n_neighbors : int, default=20
        The paper's MinPts; one less than there are training rows, where that is fewer.
        scikit-learn's default; the paper advises 10 or more and uses up to 50.
    scaling : {"standard", "minmax", "signed_log", "robust", "none"}, default="standard"
        Input scaling, fitted on the training rows: see KNN.
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
    >>> import numpy as np
    >>> from slad.detectors import LOF
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = LOF().fit(normal)
    >>> bool(detector.anomaly_score([[9, -9, 9, -9]])[0] > detector.training_scores_.max())
    True
    """

    def __init__(
        self,
        *,
        n_neighbors: int = 20,
        scaling: str = "standard",
        contamination: float | str = "auto",
        device: str = "auto",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.scaling = scaling
        self.contamination = contamination
        self.device = device

    def _study(self, distances: Float[np.ndarray, "n k"], places: Int[np.ndarray, "n k"]) -> None:
        self._reaches = distances[:, -1].copy()  # definition 3: the k-distance
        self._densities = self._density(distances, places)

    def _density(
        self, distances: Float[np.ndarray, "n k"], places: Int[np.ndarray, "n k"]
    ) -> Float[np.ndarray, " n"]:
        """Definitions 5 and 6: the inverse of the mean reachability distance."""
        reach = np.maximum(distances, self._reaches[places])
        density: np.ndarray = 1.0 / (reach.mean(axis=1) + LEAST_REACH)
        return density

    def _strangeness(
        self, distances: Float[np.ndarray, "n k"], places: Int[np.ndarray, "n k"]
    ) -> Float[np.ndarray, " n"]:
        """Definition 7: the mean density of the neighbours over the row's own."""
        around = self._densities[places].mean(axis=1)
        factor: np.ndarray = around / self._density(distances, places)
        return factor

    def _warn_of_constant(self, training_scores: Float[np.ndarray, " n"]) -> None:
        super()._warn_of_constant(training_scores)
        if training_scores.max() > TORN:
            warn(
                f"LOF gives a training row {training_scores.max():.3g}: it is next to more than "
                f"n_neighbors={self.n_neighbors} copies of one row; use more neighbours, or "
                "remove copies"
            )

    def _fitted_state(self) -> State:
        values, arrays = super()._fitted_state()
        return State(values, arrays | {"reaches": self._reaches, "densities": self._densities})

    def _set_fitted_state(self, state: State) -> None:
        super()._set_fitted_state(state)
        self._reaches, self._densities = state.arrays["reaches"], state.arrays["densities"]
