"""The base class of detectors that compare a row with its nearest training rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from slad.core.devices import resolve_device
from slad.core.state import State
from slad.core.typing import Float, Int, Table
from slad.detectors.base import warn
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.neighbors import make_index
from slad.detectors.parts.novelty_detector import NoveltyDetector
from slad.detectors.parts.scaling import SCALINGS, Scaler, rows_from_state, rows_state
from slad.detectors.parts.sparse import worth_sparse


class NearestDetector(NoveltyDetector):
    """Base of detectors that score by the `n_neighbors_` nearest training rows in one scaling."""

    n_neighbors: int
    scaling: str
    device: str

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "n_neighbors", 1)
        check_choice(self, "scaling", SCALINGS)

    def _study(self, distances: Float[np.ndarray, "n k"], places: Int[np.ndarray, "n k"]) -> None:
        """Learn from the neighbours of the training rows."""

    def _strangeness(
        self, distances: Float[np.ndarray, "n k"], places: Int[np.ndarray, "n k"]
    ) -> Float[np.ndarray, " n"]:
        """Anomaly scores of rows with these neighbours."""
        raise NotImplementedError

    def _learn(self, X: Table) -> None:
        device, name = resolve_device(self.device), type(self).__name__
        self.n_neighbors_ = max(1, min(int(self.n_neighbors), X.shape[0] - 1))
        if self.n_neighbors_ < self.n_neighbors:
            warn(
                f"{name} has n_neighbors={self.n_neighbors}, but a row has only "
                f"{X.shape[0] - 1} others: it uses {self.n_neighbors_}"
            )
        self._scaler = Scaler.fit(self.scaling, X)
        rows = self._scaler.rows(X, device, sparse=worth_sparse(X))
        self._index = make_index(rows, self.n_neighbors_)
        self._device = device

    def _training_scores(self, X: Table) -> Float[np.ndarray, " n"]:
        if X.shape[0] == 1:  # there are no others to compare with
            found = np.zeros((1, 1)), np.zeros((1, 1), dtype=np.int64)
        else:
            distances, places = zip(*self._found(X, leave_out=True), strict=True)
            found = np.concatenate(distances), np.concatenate(places)
        self._study(*found)
        scores = self._strangeness(*found).copy()  # a copy, not a view that keeps all distances
        self.training_scores_ = scores
        return scores

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        return np.concatenate([self._strangeness(*found) for found in self._found(X)])

    def _found(
        self, X: Table, *, leave_out: bool = False
    ) -> Iterator[tuple[Float[np.ndarray, "n k"], Int[np.ndarray, "n k"]]]:
        """Distances and places of the neighbours of all rows, in chunks."""
        index = self._index
        for start in range(0, X.shape[0], index.chunk):
            chunk = X[start : start + index.chunk]
            rows = self._scaler.rows(chunk, self._device, sparse=index.sparse)
            yield index.nearest(rows, start if leave_out else None)

    def _fitted_state(self) -> State:
        arrays = rows_state(self._index.rows()).arrays | {
            "scaler.center": self._scaler.center,
            "scaler.scale": self._scaler.scale,
            "training_scores": self.training_scores_,
        }
        return State({"n_neighbors": self.n_neighbors_}, arrays)

    def _set_fitted_state(self, state: State) -> None:
        values, arrays = state
        self._device = resolve_device(self.device)
        self.n_neighbors_ = values["n_neighbors"]
        self.training_scores_ = arrays["training_scores"]
        self._scaler = Scaler(self.scaling, arrays["scaler.center"], arrays["scaler.scale"])
        rows = rows_from_state(state, self.n_features_in_, self._device)
        self._index = make_index(rows, self.n_neighbors_)
