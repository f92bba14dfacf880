"""Principal component classifier (Shyu, Chen, Sarinnapakorn and Chang, 2003), and with it the
Mahalanobis distance (1936)."""

from __future__ import annotations

import numpy as np

from slad.core.state import State
from slad.core.typing import Float, Table
from slad.detectors.direct import DirectDetector
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.principal_components import (
    EPS,
    Axes,
    Components,
    SparseAxes,
    Standard,
    axes_from_state,
)

SHRINKAGES = ("ledoit_wolf",)


class PCA(DirectDetector):
    """Squared distance from the mean along principal components, each in units of its variance.

    Of the components of the standardised columns those of most variance take part, and those of
    hardly any: the first see extreme rows, the last see rows that break a relation of columns.
    Over all components the score is the squared Mahalanobis distance.

    Parameters
    ----------
    major : float, default=0.5
        The first components that together hold this share of the variance take part (the paper's
        choice: about half). 1 takes all components.
    minor : float, default=0.2
        Components of less variance than this take part, where an average column has 1 (the
        paper's choice). 0 takes none.
    shrinkage : float or "ledoit_wolf", default=0.0
        How far the covariance is moved towards that of columns without correlation: 0 not at all
        (the paper), 1 entirely. "ledoit_wolf" is the amount of least expected error (Ledoit and
        Wolf 2004). Without it components that have no variance in training cannot take part; with
        it they do, as minor ones.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training rows. `predict` flags rows that score above all
        but this fraction of the training rows; with "auto", above Tukey's fence of their scores.

    Attributes
    ----------
    eigenvalues_ : ndarray
        The variance of every component, falling; 0 where there is but rounding.
    n_components_ : int
        Components of some variance that take part.
    shrinkage_ : float
        The shrinkage that was used.
    offset_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray, where the table had column names

    Notes
    -----
    The paper flags a row where one of two sums, over major and over minor components, is beyond
    its own threshold. Here one score is the sum of both. The paper also leaves the most extreme
    rows out before it looks for components; here all training rows count.

    Time grows with the larger side of the table times the square of the smaller one. Memory grows
    with the square of the smaller side; a wide dense table takes about three times its size in
    double precision besides. Of a wide sparse table (under 10 % stored) the rows are kept, and it
    is never made dense.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import PCA
    >>> x = np.random.default_rng(0).normal(size=500)
    >>> detector = PCA().fit(np.stack([x, x + 0.1 * np.sin(9 * x)], axis=1))
    >>> usual, extreme, unrelated = detector.anomaly_score([[0.5, 0.5], [5, 5], [1, -1]])
    >>> bool(usual < 1 < extreme < unrelated)
    True
    """

    def __init__(
        self,
        *,
        major: float = 0.5,
        minor: float = 0.2,
        shrinkage: float | str = 0.0,
        contamination: float | str = "auto",
    ) -> None:
        self.major = major
        self.minor = minor
        self.shrinkage = shrinkage
        self.contamination = contamination

    @property
    def keeps_training_data(self) -> bool:  # type: ignore[override]
        """Of a wide sparse table only."""
        return isinstance(getattr(self, "_axes", None), SparseAxes)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "major", 0, most=1, whole=False)
        check_number(self, "minor", 0, whole=False)
        if isinstance(self.shrinkage, str):
            check_choice(self, "shrinkage", SHRINKAGES)
        else:
            check_number(self, "shrinkage", 0, most=1, whole=False)

    def _learn(self, X: Table) -> None:
        found = Components.of(X)
        named = isinstance(self.shrinkage, str)
        self.shrinkage_ = found.ledoit_wolf(X.shape[0]) if named else float(self.shrinkage)
        variances = self.eigenvalues_ = found.variances
        least = self.shrinkage_ * found.mean_variance
        has_least = least > EPS * variances.max(initial=0.0)
        shrunk = (1 - self.shrinkage_) * variances + least
        weights = np.zeros(len(variances))
        takes_part = self._chosen(variances) & ((variances > 0) | has_least)
        weights[takes_part] = 1 / shrunk[takes_part]
        self.n_components_ = int((takes_part & (variances > 0)).sum())
        # What the axes do not span has the least variance there is, under shrinkage.
        rest = has_least and not found.complete and (self.major >= 1 or self.minor > 0)
        self._rest = 1 / least if rest else 0.0
        needed = np.ones(len(weights), dtype=bool) if rest else takes_part
        self._axes: Axes = found.axes.take(needed)
        self._weights = weights[needed]

    def _chosen(self, variances: Float[np.ndarray, " m"]) -> np.ndarray:
        before = np.cumsum(variances) - variances
        chosen: np.ndarray = (before < self.major * variances.sum()) | (variances < self.minor)
        return chosen | (self.major >= 1)

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        scores = np.empty(X.shape[0])
        for start, coordinates, lengths in self._axes.project(X):
            squares = coordinates**2
            part = np.einsum("nm,m->n", squares, self._weights)
            if self._rest:
                part += self._rest * np.maximum(0.0, lengths - squares.sum(axis=1))
            scores[start : start + len(part)] = part
        return scores

    # -- saved models ----------------------------------------------------------------------------

    def _fitted_state(self) -> State:
        values = {
            "n_components": self.n_components_,
            "shrinkage": self.shrinkage_,
            "rest": self._rest,
        }
        arrays = self._axes.state().arrays | {
            "center": self._axes.standard.center,
            "scale": self._axes.standard.scale,
            "weights": self._weights,
            "eigenvalues": self.eigenvalues_,
        }
        return State(values, arrays)

    def _set_fitted_state(self, state: State) -> None:
        values, arrays = state
        self.n_components_, self.shrinkage_ = values["n_components"], values["shrinkage"]
        self._rest = values["rest"]
        self.eigenvalues_, self._weights = arrays["eigenvalues"], arrays["weights"]
        self._axes = axes_from_state(state, Standard(arrays["center"], arrays["scale"]))
