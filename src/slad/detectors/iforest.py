"""Isolation forest (Liu, Ting and Zhou, ICDM 2008): rows that random cuts set apart early."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.ensemble import IsolationForest as Forest

from slad.core.seeds import RandomState, draw_seed
from slad.core.typing import Float, Int, Table, is_sparse
from slad.detectors.checks import check_number
from slad.detectors.direct import DirectDetector
from slad.detectors.scaling import Scaler, row_blocks

BLOCK = 256
"""Rows that go through all trees together: 25,600 paths, what a CPU's cache holds."""
CELLS = 2**22
"""Cells made dense at a time."""


class IsolationForest(DirectDetector):
    """Isolation forest: scikit-learn's trees, followed for all rows at once.

    Parameters
    ----------
    n_estimators : int, default=100
        Trees (the paper's t, section 4.2).
    max_samples : int, default=256
        Rows that each tree is grown on (the paper's psi); all rows where there are fewer.
    contamination : "auto" or float, default="auto"
        What `predict` flags: training rows beyond Tukey's fence, or this share of them.
    random_state : int, numpy generator or None, default=None
        The same integer as scikit-learn's gives the same trees but for rounding.

    Attributes
    ----------
    offset_ : float
    seed_ : int
        The seed that was used; give it as `random_state` to repeat the fit.
    n_features_in_ : int
    feature_names_in_ : ndarray, where the table had column names

    Notes
    -----
    The columns are brought to one size first, which changes no cut but for rounding: scikit-learn
    cuts in single precision, and takes a column whose range is below 1e-7 for a constant one.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import IsolationForest
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = IsolationForest(random_state=0).fit(normal)
    >>> bool(detector.anomaly_score([[9, -9, 9, -9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: int = 256,
        contamination: float | str = "auto",
        random_state: RandomState = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.contamination = contamination
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "n_estimators", 1)
        check_number(self, "max_samples", 1)

    def _learn(self, X: Table) -> None:
        self.seed_ = draw_seed(self.random_state)
        drawn = min(int(self.max_samples), X.shape[0])
        scaler = Scaler.fit("minmax", X)
        # Zero stays zero, so that a sparse table stays sparse: a column without it is full.
        has_zero = (scaler.center <= 0) & (scaler.center + scaler.scale >= 0)
        shift, scale = np.where(has_zero, 0.0, scaler.center), scaler.scale
        forest = Forest(
            n_estimators=int(self.n_estimators),
            max_samples=drawn,
            random_state=self.seed_ % 2**32,  # scikit-learn's seeds end there
        ).fit(_sized_table(X, shift, scale))
        trees = [_complete(tree.tree_, forest.estimators_[0].max_depth) for tree in forest]
        features, self._thresholds, self._lengths = (
            np.stack(part) for part in zip(*trees, strict=True)
        )
        # Only the features that some tree cuts are looked at again.
        self._used, places = np.unique(features, return_inverse=True)
        self._places = places.reshape(features.shape)
        self._shift, self._scale = shift[self._used], scale[self._used]
        self._usual = float(average_path_length(np.array([drawn]))[0])

    # -- scoring ---------------------------------------------------------------------------------

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        levels = _levels(self._places, self._thresholds)
        size = BLOCK * max(1, CELLS // (BLOCK * len(self._used)))
        total = np.empty(X.shape[0])
        for start in range(0, X.shape[0], size):
            rows = X[start : start + size][:, self._used]
            cells = _sized(rows.toarray() if is_sparse(rows) else rows, self._shift, self._scale)
            for first in range(0, len(cells), BLOCK):
                block = cells[first : first + BLOCK]
                total[start + first :][: len(block)] = _path_lengths(block, levels, self._lengths)
        mean = total / len(self._places)
        # Equation 2. Trees of one row have no usual length; scikit-learn takes the quotient for 1.
        scores: np.ndarray = np.exp2(-(mean / self._usual if self._usual else np.ones_like(mean)))
        return scores

    # -- saved models ----------------------------------------------------------------------------

    def _state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {"seed": self.seed_, "usual_length": self._usual}, {
            "used_features": self._used,
            "shift": self._shift,
            "scale": self._scale,
            "places": self._places.astype(np.int32),
            "thresholds": self._thresholds,
            "path_lengths": self._lengths,
        }

    def _restore(self, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self._check_parameters()
        self.seed_, self._usual = values["seed"], values["usual_length"]
        self._used, self._shift, self._scale, self._thresholds, self._lengths = (
            arrays[name]
            for name in ("used_features", "shift", "scale", "thresholds", "path_lengths")
        )
        self._places = arrays["places"].astype(np.intp)


def average_path_length(rows: Int[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """The mean depth of an unsuccessful search among so many rows: the paper's c(n), equation 1."""
    n = np.maximum(rows, 3).astype(np.float64)
    lengths = 2 * (np.log(n - 1) + np.euler_gamma) - 2 * (n - 1) / n
    return np.where(rows > 2, lengths, np.maximum(rows - 1.0, 0.0))


def _sized(cells: np.ndarray, shift: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Cells in the trees' unit. What is beyond single precision is beyond every cut anyway."""
    limit = np.finfo(np.float32).max
    with np.errstate(over="ignore"):
        sized: np.ndarray = np.clip((cells - shift) / scale, -limit, limit).astype(np.float32)
    return sized


def _sized_table(X: Table, shift: np.ndarray, scale: np.ndarray) -> Table:
    if not is_sparse(X):
        sized = np.empty(X.shape, dtype=np.float32)
        for start, block in row_blocks(X):
            sized[start : start + len(block)] = _sized(block, shift, scale)
        return sized
    at = X.indices
    return csr_array((_sized(X.data, shift[at], scale[at]), at, X.indptr), shape=X.shape)


def _complete(tree: Any, depth: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, thresholds and path lengths of a tree filled up to its full depth.

    Level after level from left to right, so that the branches of place i of a level are places
    2i and 2i + 1 of the next. Below a leaf every path goes left and ends with the leaf's length.
    """
    nodes, depths = np.zeros(1, dtype=np.intp), tree.compute_node_depths()
    features, thresholds = [], []
    for _ in range(depth):
        inner = tree.children_left[nodes] >= 0
        features.append(np.where(inner, tree.feature[nodes], tree.feature[0].clip(0)))
        thresholds.append(np.where(inner, tree.threshold[nodes], np.inf))
        left = np.where(inner, tree.children_left[nodes], nodes)
        right = np.where(inner, tree.children_right[nodes], nodes)
        nodes = np.stack([left, right], axis=1).ravel()
    # scikit-learn counts depths from 1.
    lengths = depths[nodes] - 1 + average_path_length(tree.n_node_samples[nodes])
    return np.concatenate(features), _round_down(np.concatenate(thresholds)), lengths


def _round_down(thresholds: np.ndarray) -> np.ndarray:
    """In single precision, where x <= threshold holds for the same x of that precision."""
    single = thresholds.astype(np.float32)
    return np.where(single > thresholds, np.nextafter(single, np.float32(-np.inf)), single)


Level = tuple[Int[np.ndarray, " cuts"], Float[np.ndarray, " cuts"]]


def _levels(places: np.ndarray, thresholds: np.ndarray) -> list[Level]:
    """Features and thresholds of each level of all trees, tree after tree."""
    ends = 2 ** np.arange(1, int(np.log2(places.shape[1] + 1)) + 1) - 1
    return [
        (places[:, end // 2 : end].ravel(), thresholds[:, end // 2 : end].ravel()) for end in ends
    ]


def _path_lengths(
    block: np.ndarray, levels: list[Level], lengths: np.ndarray
) -> Float[np.ndarray, " rows"]:
    """Sum of the path lengths of each row over all trees.

    With the trees of a level side by side, a path's place in it is 2i or 2i + 1 for every tree.
    """
    columns = np.ascontiguousarray(block.T).ravel()
    row = np.arange(len(block))
    paths = np.repeat(np.arange(len(lengths))[:, None], len(block), axis=1)
    for places, thresholds in levels:
        cells = columns.take(places.take(paths) * len(block) + row)
        beyond = cells > thresholds.take(paths)
        paths *= 2
        paths += beyond
    total: np.ndarray = lengths.ravel().take(paths).sum(axis=0)
    return total
