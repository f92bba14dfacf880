"""NeighborScale, the default of 0.1: scale learning on neighbour profiles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from scipy.optimize import nnls

from slad.core.devices import resolve_device
from slad.core.rows import DenseRows
from slad.core.seeds import RandomState, Streams, draw_seed
from slad.core.state import State
from slad.core.typing import Float, Int, Table
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.neighbors import make_index
from slad.detectors.parts.novelty_detector import NoveltyDetector
from slad.detectors.parts.scaling import Scaler
from slad.detectors.parts.space_statistics import drawn_together
from slad.detectors.parts.spaces import Spaces
from slad.detectors.parts.statistics import row_blocks
from slad.detectors.parts.views import KINDS, draw_views

WEIGHTINGS = ("learned", "equal", "random")
RIDGE = 1e-2
"""Strength of the ridge penalty, in units of the spread of the profiles."""
EQUAL = 0.25
"""The part of equal weights in the learned weights."""
BLOCK = 2**22
"""Cells of rows that are compared at a time."""


class NeighborScale(NoveltyDetector):
    """Scale learning on neighbour profiles.

    The SLAD paper (Xu et al., ICML 2023) learns to predict how much of a row went into a view of
    it; rows whose scale is predicted badly are strange. Here the scale of a view is its amount of
    corruption: noise, or cells swapped with other rows. The scale is predicted from the profile of
    the view: the logarithms of its distances to the nearest and to the `n_neighbors`-th nearest
    training row, in each of the five spaces of `detectors.parts.spaces`. The weights of the
    prediction are not negative, so a row never looks cleaner because it is farther away. The score
    of a row is its own profile under these weights: how corrupted it looks. Which distances show
    corruption differs from table to table, and this is what is learned.

    docs/accuracy.md describes how this method was chosen, what learning adds, and where it loses.
    The paper's own method is `SLAD`.

    Parameters
    ----------
    n_neighbors : int, default=5
        The farther of the two neighbours of a profile.
    n_scales : int, default=4
        Amounts of corruption, including none.
    noise : float, default=0.2
        Largest noise, in standard deviations of a column.
    swap : float, default=0.5
        Largest fraction of swapped cells.
    n_views : int, default=1500
        Number of views of each kind of corruption.
    weighting : {"learned", "equal", "random"}, default="learned"
        How the distances of a profile are weighted. The other two are controls that show what
        learning adds.
    max_rows : int or None, default=20000
        Largest number of reference rows, drawn at random from the training rows. None uses all.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training rows. `predict` flags rows that score above all
        but this fraction of the training rows; with "auto", above Tukey's fence of their scores.
        Each training row is scored by the others.
    device : str, default="auto"
        "auto" takes a GPU where there is one.
    random_state : int, numpy generator or None, default=None
        Same seed and device: same scores. The global generators are not used.

    Attributes
    ----------
    weights_ : ndarray
        Weights of the profile: of the nearest row in every space, then of the `n_neighbors`-th.
        They sum to 1.
    training_scores_ : ndarray
        The score of each reference row by the others.
    seed_ : int
        The seed that was used; give it as `random_state` to repeat the fit.
    offset_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray, where the table had column names

    Examples
    --------
    >>> import numpy as np
    >>> from slad import NeighborScale
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> odd = np.array([[9.0, -9.0, 9.0, -9.0]])
    >>> detector = NeighborScale(random_state=0).fit(normal)
    >>> bool(detector.anomaly_score(odd)[0] > detector.training_scores_.max())
    True
    """

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        n_scales: int = 4,
        noise: float = 0.2,
        swap: float = 0.5,
        n_views: int = 1500,
        weighting: str = "learned",
        max_rows: int | None = 20_000,
        contamination: float | str = "auto",
        device: str = "auto",
        random_state: RandomState = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.n_scales = n_scales
        self.noise = noise
        self.swap = swap
        self.n_views = n_views
        self.weighting = weighting
        self.max_rows = max_rows
        self.contamination = contamination
        self.device = device
        self.random_state = random_state

    # -- learning --------------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "weighting", WEIGHTINGS)
        for name, least in _LEAST.items():
            check_number(
                self,
                name,
                least,
                most=_MOST.get(name),
                whole=name not in _REAL,
                optional=name == "max_rows",
            )

    def _learn(self, X: Table) -> None:
        self.seed_ = draw_seed(self.random_state)
        streams = Streams(self.seed_)
        if self.max_rows is not None and X.shape[0] > self.max_rows:
            chosen = streams.numpy("rows").permutation(X.shape[0])[: self.max_rows]
            X = X[np.sort(chosen)]
        self._scaler = Scaler.fit("standard", X)
        self._compare_with(self._scaled(X))
        cells = self._rows.astype(np.float64)
        views = {
            kind: draw_views(
                cells,
                kind,
                self.n_views,
                n_scales=self.n_scales,
                most=getattr(self, kind),
                rng=streams.numpy(kind),
            )
            for kind in KINDS
        }
        far = {kind: self._distances(each.cells, each.origins) for kind, each in views.items()}
        self._floor = _least_of(np.concatenate(list(far.values())))
        own = self._distances(self._rows, np.arange(len(self._rows)))
        self._center, self._spread = self._logs(own).mean(axis=0), self._logs(own).std(axis=0)
        self._spread[self._spread < 1e-9] = 1.0
        self.weights_ = self._weigh(
            {kind: (self._profile(far[kind]), each.scales) for kind, each in views.items()}
        )
        self.training_scores_ = self._scores_of(self._profile(own))

    def _weigh(
        self, views: dict[str, tuple[np.ndarray, np.ndarray]]
    ) -> Float[np.ndarray, " profile"]:
        """Weights from profiles and scales of each kind of view."""
        size = len(self._center)
        if self.weighting == "equal":
            return np.full(size, 1 / size)
        if self.weighting == "random":
            drawn = Streams(self.seed_).numpy("weights").exponential(size=size)
            return np.asarray(drawn / drawn.sum())
        learned = [_weights(profile, scales) for profile, scales in views.values()]
        return np.asarray((1 - EQUAL) * np.mean(learned, axis=0) + EQUAL / size)

    def _compare_with(self, rows: Float[np.ndarray, "m d"]) -> None:
        """Use these scaled rows as the reference rows."""
        self._rows, self._device = rows, resolve_device(self.device)
        self._count = max(1, min(int(self.n_neighbors), len(rows) - 1))
        self._spaces = Spaces.fit(rows.astype(np.float64), self._device)
        self._indices = [
            make_index(each, min(self._count + 1, len(rows))) for each in self._in_spaces(rows)
        ]

    def _training_scores(self, X: Table) -> Float[np.ndarray, " n"]:
        return self.training_scores_

    # -- profiles --------------------------------------------------------------------------------

    def _scaled(self, X: Table) -> Float[np.ndarray, "n d"]:
        """Standardised rows in single precision; those of a wide table are projected."""
        together = drawn_together(X.shape[1], self.seed_)
        if together is None:
            return self._scaler.cells(X).numpy()
        parts = [self._scaler.dense(block) @ together for _, block in row_blocks(X, BLOCK)]
        return np.concatenate(parts).astype(np.float32)

    def _in_spaces(self, rows: Float[np.ndarray, "n d"]) -> Iterator[DenseRows]:
        moved = torch.from_numpy(rows).to(self._device).double()
        return (DenseRows(each.float()) for each in self._spaces(moved))

    def _distances(
        self, rows: Float[np.ndarray, "n d"], own: Int[np.ndarray, " n"] | None = None
    ) -> Float[np.ndarray, "n profile"]:
        """Distances to the nearest and to the farther neighbour, in every space.

        Each row is not compared with the reference row at its place in `own`.
        """
        size = max(1, BLOCK // rows.shape[1])
        found = np.empty((2, len(self._indices), len(rows)))
        for start in range(0, len(rows), size):
            part = slice(start, start + size)
            left_out = None if own is None else own[part]
            for number, (block, index) in enumerate(
                zip(self._in_spaces(rows[part]), self._indices, strict=True)
            ):
                distances, places = index.nearest(block)
                if left_out is not None:
                    distances = _without(distances, places == left_out[:, None])
                found[:, number, part] = distances[:, [0, self._count - 1]].T
        return found.reshape(-1, len(rows)).T

    def _logs(self, distances: Float[np.ndarray, "n profile"]) -> Float[np.ndarray, "n profile"]:
        logs: np.ndarray = np.log(distances + self._floor)
        return logs

    def _profile(self, distances: Float[np.ndarray, "n profile"]) -> Float[np.ndarray, "n profile"]:
        """Logarithms of distances, standardised by those of the reference rows."""
        profile: np.ndarray = (self._logs(distances) - self._center) / self._spread
        return profile

    def _scores_of(self, profile: Float[np.ndarray, "n profile"]) -> Float[np.ndarray, " n"]:
        """Weighted sums of profiles, computed so that a score does not depend on the other rows."""
        scores: np.ndarray = (profile * self.weights_).sum(axis=1)
        return scores

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        size = max(1, BLOCK // X.shape[1])
        parts = [
            self._scores_of(self._profile(self._distances(self._scaled(X[start : start + size]))))
            for start in range(0, X.shape[0], size)
        ]
        return np.concatenate(parts)

    # -- saved models ----------------------------------------------------------------------------

    def _fitted_state(self) -> State:
        arrays = {
            "rows": self._rows,
            "scaler.center": self._scaler.center,
            "scaler.scale": self._scaler.scale,
            "floor": self._floor,
            "center": self._center,
            "spread": self._spread,
            "weights": self.weights_,
            "training_scores": self.training_scores_,
        }
        return State({"seed": self.seed_}, arrays)

    def _set_fitted_state(self, state: State) -> None:
        values, arrays = state
        self.seed_ = values["seed"]
        self._scaler = Scaler("standard", arrays["scaler.center"], arrays["scaler.scale"])
        self._floor, self._center, self._spread = (
            arrays[name] for name in ("floor", "center", "spread")
        )
        self.weights_, self.training_scores_ = arrays["weights"], arrays["training_scores"]
        self._compare_with(arrays["rows"])


def _without(
    distances: Float[np.ndarray, "n k"], left_out: np.ndarray
) -> Float[np.ndarray, "n k-1"]:
    """Distances without one in every row: the one to leave out, or else the last."""
    if distances.shape[1] == 1:  # there is no other row
        return np.zeros_like(distances)
    none_left_out = ~left_out.any(axis=1)
    left_out[none_left_out, -1] = True
    others: np.ndarray = distances[~left_out].reshape(len(distances), -1)
    return others


def _least_of(distances: Float[np.ndarray, "n profile"]) -> Float[np.ndarray, " profile"]:
    """Added to distances before the logarithm: the 1 % quantile of the distances of views."""
    return np.array(
        [np.quantile(some[some > 0], 0.01) if (some > 0).any() else 1e-6 for some in distances.T]
    )


def _weights(
    profile: Float[np.ndarray, "n profile"], scales: Float[np.ndarray, " n"]
) -> Float[np.ndarray, " profile"]:
    """Weights of a non-negative ridge regression of the scales, with sum 1; equal if all are 0."""
    centred, wanted = profile - profile.mean(axis=0), scales - scales.mean()
    size, root = profile.shape[1], np.sqrt(len(profile))
    penalty = np.sqrt(RIDGE) * np.eye(size)
    found, _ = nnls(
        np.vstack([centred / root, penalty]), np.concatenate([wanted / root, np.zeros(size)])
    )
    return found / found.sum() if found.sum() > 0 else np.full(size, 1 / size)


_LEAST = {"n_neighbors": 1, "n_scales": 2, "noise": 0, "swap": 0, "n_views": 1, "max_rows": 2}
_MOST = {"swap": 1}
_REAL = {"noise", "swap"}
