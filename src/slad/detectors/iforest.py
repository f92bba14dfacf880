"""Isolation forest (Liu, Ting and Zhou, ICDM 2008): rows that random cuts isolate early."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from slad.core.seeds import RandomState, draw_seed
from slad.core.state import State
from slad.core.typing import Float, Table, is_sparse
from slad.detectors.direct import DirectDetector
from slad.detectors.parts.checks import check_number
from slad.detectors.parts.statistics import column_statistics, minmax, row_blocks
from slad.detectors.parts.trees import Trees, isolation, usual_length

BLOCK = 256
"""Rows that go through all trees together."""
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
        Fraction of anomalies among the training rows. `predict` flags rows that score above all
        but this fraction of the training rows; with "auto", above Tukey's fence of their scores.
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
    The columns are brought to one size first, which changes cuts only by rounding: scikit-learn
    cuts in single precision, and treats a column with a range below 1e-7 as constant.

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
        low, scale = column_statistics(minmax, X)
        # Zero stays zero, so that a sparse table stays sparse: a column without it is full.
        has_zero = (low <= 0) & (low + scale >= 0)
        shift = np.where(has_zero, 0.0, low)
        trees = Trees.grow(_sized_table(X, shift, scale), int(self.n_estimators), drawn, self.seed_)
        # Scoring reads only the features that some tree cuts.
        self._used, places = np.unique(trees.features, return_inverse=True)
        self._trees = replace(trees, features=places.reshape(trees.features.shape))
        self._shift, self._scale = shift[self._used], scale[self._used]
        self._usual = usual_length(drawn)

    # -- scoring ---------------------------------------------------------------------------------

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        size = BLOCK * max(1, CELLS // (BLOCK * len(self._used)))
        lengths = np.empty(X.shape[0])
        for start in range(0, X.shape[0], size):
            rows = X[start : start + size][:, self._used]
            cells = _sized(rows.toarray() if is_sparse(rows) else rows, self._shift, self._scale)
            for first in range(0, len(cells), BLOCK):
                block = cells[first : first + BLOCK]
                lengths[start + first :][: len(block)] = self._trees.path_lengths(block)
        return isolation(lengths, self._usual)

    # -- saved models ----------------------------------------------------------------------------

    def _fitted_state(self) -> State:
        arrays = {
            "used_features": self._used,
            "shift": self._shift,
            "scale": self._scale,
            "places": self._trees.features.astype(np.int32),
            "thresholds": self._trees.thresholds,
            "path_lengths": self._trees.lengths,
        }
        return State({"seed": self.seed_, "usual_length": self._usual}, arrays)

    def _set_fitted_state(self, state: State) -> None:
        values, arrays = state
        self.seed_, self._usual = values["seed"], values["usual_length"]
        self._used, self._shift, self._scale = (
            arrays[name] for name in ("used_features", "shift", "scale")
        )
        self._trees = Trees(
            arrays["places"].astype(np.intp), arrays["thresholds"], arrays["path_lengths"]
        )


def _sized(cells: np.ndarray, shift: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Cells in the unit of the trees. Cells beyond single precision are beyond every cut anyway."""
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
