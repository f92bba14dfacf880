"""One-class support vector machine (Schoelkopf et al., Neural Computation 2001)."""

from __future__ import annotations

import numpy as np
import torch
from scipy.sparse import csr_array
from sklearn.svm import OneClassSVM as Machine

from slad.core.errors import ConfigError
from slad.core.rows import DenseRows
from slad.core.seeds import RandomState, Streams, draw_seed
from slad.core.state import State
from slad.core.typing import Float, Table
from slad.detectors.direct import DirectDetector
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.scaling import (
    SCALINGS,
    ScaledRows,
    Scaler,
    rows_from_state,
    rows_state,
)
from slad.detectors.parts.sparse import row_sums, worth_sparse

BLOCK = 256
"""Rows in a product; always filled up, for a product of another size sums otherwise."""
GAMMAS = ("scale", "auto")


class OneClassSVM(DirectDetector):
    """One-class support vector machine with a Gaussian kernel: libsvm's, through scikit-learn.

    Parameters
    ----------
    nu : float, default=0.5
        The paper's nu: a lower bound of the share of rows that become support vectors.
        scikit-learn's default.
    gamma : {"scale", "auto"} or float, default="scale"
        The kernel is exp(-gamma |x - y|^2). "scale" is one over features times variance of all
        cells, "auto" one over features. scikit-learn's default.
    max_rows : int or None, default=5000
        Largest number of rows to fit on, drawn at random if the table has more: the time grows with
        their square. None uses all.
    scaling : {"standard", "minmax", "signed_log", "robust", "none"}, default="standard"
        Input scaling, fitted on the training rows: see KNN. "none" is scikit-learn's.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training rows. `predict` flags rows that score above all
        but this fraction of the training rows; with "auto", above Tukey's fence of their scores.
        (The boundary of the machine itself flags about the fraction nu.)
    random_state : int, numpy generator or None, default=None
        Determines only which rows are drawn.

    Attributes
    ----------
    gamma_ : float
    offset_ : float
    seed_ : int
        The seed that was used; give it as `random_state` to repeat the fit.
    n_features_in_ : int
    feature_names_in_ : ndarray, where the table had column names

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import OneClassSVM
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = OneClassSVM().fit(normal)
    >>> bool(detector.anomaly_score([[9, -9, 9, -9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    keeps_training_data = True

    def __init__(
        self,
        *,
        nu: float = 0.5,
        gamma: str | float = "scale",
        max_rows: int | None = 5000,
        scaling: str = "standard",
        contamination: float | str = "auto",
        random_state: RandomState = None,
    ) -> None:
        self.nu = nu
        self.gamma = gamma
        self.max_rows = max_rows
        self.scaling = scaling
        self.contamination = contamination
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "nu", 0, whole=False)
        if not 0 < self.nu < 1:
            raise ConfigError(f"nu={self.nu!r} is not a fraction above 0 and below 1; use 0.5")
        check_number(self, "max_rows", 1, optional=True)
        check_choice(self, "scaling", SCALINGS)
        if isinstance(self.gamma, str):
            check_choice(self, "gamma", GAMMAS)
        else:
            check_number(self, "gamma", 0, whole=False)

    def _learn(self, X: Table) -> None:
        self.seed_ = draw_seed(self.random_state)
        self._scaler = Scaler.fit(self.scaling, X)
        sparse = worth_sparse(X)
        if self.max_rows is not None and X.shape[0] > self.max_rows:
            draw = Streams(self.seed_).numpy("rows")
            X = X[np.sort(draw.choice(X.shape[0], int(self.max_rows), replace=False))]
        rows = self._scaler.rows(X, sparse=sparse)
        self.gamma_ = self._gamma(rows)
        machine = Machine(nu=float(self.nu), gamma=self.gamma_)
        machine.random_state = 0  # has no effect, but None would draw from the global generator
        machine.fit(_cells(rows))
        support = rows.take(torch.from_numpy(machine.support_.astype(np.int64)))
        coefficients = machine.dual_coef_
        if sparse:
            coefficients = coefficients.toarray()
        self._adopt(support, np.ravel(coefficients))

    def _gamma(self, rows: ScaledRows) -> float:
        if not isinstance(self.gamma, str):
            return float(self.gamma)
        n_features = int(self.n_features_in_)
        if self.gamma == "auto":
            return 1.0 / n_features
        variance = _variance(rows)
        return 1.0 / (n_features * variance) if variance > 0 else 1.0

    def _adopt(self, support: ScaledRows, coefficients: Float[np.ndarray, " vectors"]) -> None:
        self._support, self._coefficients = support, coefficients
        cells = _cells(support)
        self._vectors = cells.T.tocsr() if isinstance(cells, csr_array) else cells.T
        self._squares = _square_sums(cells)

    # -- scoring ---------------------------------------------------------------------------------

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        sparse = isinstance(self._vectors, csr_array)
        scores = np.empty(X.shape[0])
        for start in range(0, X.shape[0], BLOCK):
            rows = self._scaler.rows(X[start : start + BLOCK], sparse=sparse)
            scores[start : start + len(rows)] = self._block_scores(_cells(rows))[: len(rows)]
        return scores

    def _block_scores(self, cells: Table) -> Float[np.ndarray, " block"]:
        if isinstance(cells, csr_array):
            products = (cells @ self._vectors).toarray()
        else:
            cells = np.concatenate([cells, np.zeros((BLOCK - len(cells), cells.shape[1]))])
            products = cells @ self._vectors
        products *= -2
        products += self._squares
        products += _square_sums(cells)[:, None]
        np.maximum(products, 0.0, out=products)
        products *= -self.gamma_
        similarity: np.ndarray = np.exp(products, out=products) @ self._coefficients
        return -similarity

    # -- saved models ----------------------------------------------------------------------------

    def _fitted_state(self) -> State:
        arrays = rows_state(self._support).arrays | {
            "scaler.center": self._scaler.center,
            "scaler.scale": self._scaler.scale,
            "coefficients": self._coefficients,
        }
        return State({"seed": self.seed_, "gamma": self.gamma_}, arrays)

    def _set_fitted_state(self, state: State) -> None:
        values, arrays = state
        self.seed_, self.gamma_ = values["seed"], values["gamma"]
        self._scaler = Scaler(self.scaling, arrays["scaler.center"], arrays["scaler.scale"])
        self._adopt(rows_from_state(state, self.n_features_in_), arrays["coefficients"])


def _cells(rows: ScaledRows) -> Table:
    """In double precision. The baseline of sparse rows cancels out in every difference."""
    if isinstance(rows, DenseRows):
        return rows.values.double().numpy()
    return rows.offsets.astype(np.float64)


def _square_sums(cells: Table) -> Float[np.ndarray, " n"]:
    if isinstance(cells, csr_array):
        return row_sums(cells.data**2, cells.indptr)
    sums: np.ndarray = np.einsum("nd,nd->n", cells, cells)
    return sums


def _variance(rows: ScaledRows) -> float:
    """Of all cells, zeros included."""
    if isinstance(rows, DenseRows):
        return float(rows.values.double().var(correction=0))
    cells, baseline = rows.offsets.astype(np.float64), rows.baseline.double().numpy()
    n, d = cells.shape
    sums = np.bincount(cells.indices, cells.data, d)
    mean = (sums.sum() / n + baseline.sum()) / d
    squares = (cells.data**2).sum() / n + 2 * (sums @ baseline) / n + (baseline**2).sum()
    return float(squares / d - mean**2)
