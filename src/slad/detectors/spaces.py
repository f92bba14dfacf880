"""Spaces in which rows are compared: five ways to measure how far apart two rows are.

All start from standardised cells. "standard" and "minmax" take columns in units of their deviation
or of their range; "normal" takes the normal scores of their ranks, which no skewed column or far
cell can rule; "whitened" and "normal whitened" turn the standardised cells or the normal scores to
directions without correlation and of one variance, so that a break with the usual dependency
between columns counts even where each column is usual by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array
from scipy.special import ndtri

from slad.core.seeds import Streams, uniform
from slad.core.typing import Float
from slad.detectors.scaling import CLIP

KNOTS = 1000
"""Of a column's normal scores, at most: between these they are straight lines."""
RIDGE = 0.05
"""Share of the mean variance that is added to the variance of every direction."""
LEAST_VARIANCE = 1e-6
FAR = 30.0
"""Whitened cells are cut off there."""
WIDEST = 2000
"""Tables of more columns are drawn together to so many, which keeps distances to a few percent."""
COPIES = 4
"""New columns that an old one goes to."""

Rows = Float[np.ndarray, "n d"]


class Space(Protocol):
    """Takes standardised rows to where they are compared."""

    def __call__(self, rows: Rows) -> Rows: ...


def fit_spaces(rows: Rows) -> dict[str, Space]:
    """All spaces, learned from some standardised rows."""
    normal = NormalScores.fit(rows)
    return {
        "standard": Same(),
        "minmax": MinMax.fit(rows),
        "normal": normal,
        "whitened": Whitened.fit(rows, Same()),
        "normal whitened": Whitened.fit(rows, normal),
    }


class Same:
    """The rows as they are."""

    def __call__(self, rows: Rows) -> Rows:
        return rows


@dataclass(frozen=True)
class MinMax:
    """Columns in units of their range."""

    low: Float[np.ndarray, " d"]
    width: Float[np.ndarray, " d"]

    @classmethod
    def fit(cls, rows: Rows) -> MinMax:
        return cls(rows.min(axis=0), _or_one(np.ptp(rows, axis=0)))

    def __call__(self, rows: Rows) -> Rows:
        scaled: np.ndarray = np.clip((rows - self.low) / self.width, -CLIP, CLIP)
        return scaled


@dataclass(frozen=True)
class NormalScores:
    """Columns as the normal scores of their ranks, in units of these scores' deviation.

    Piecewise linear through (value, score of its rank); of equal values all have their middle
    rank. Beyond the ends, where ranks say nothing, one deviation of the column counts as one.
    """

    knots: list[tuple[np.ndarray, np.ndarray]]
    deviation: Float[np.ndarray, " d"] | float = 1.0

    @classmethod
    def fit(cls, rows: Rows) -> NormalScores:
        plain = cls([_knots(column) for column in rows.T])
        return cls(plain.knots, _or_one(plain._scores(rows).std(axis=0)))

    def __call__(self, rows: Rows) -> Rows:
        return np.clip(self._scores(rows) / self.deviation, -CLIP, CLIP)

    def _scores(self, rows: Rows) -> Rows:
        scores = np.empty(rows.shape)
        for j, (values, heights) in enumerate(self.knots):
            cells = rows[:, j]
            beyond = np.maximum(cells - values[-1], 0) - np.maximum(values[0] - cells, 0)
            scores[:, j] = np.interp(cells, values, heights) + beyond
        return scores


@dataclass(frozen=True)
class Whitened:
    """Rows of another space along their principal directions, each in units of its deviation."""

    of: Space
    center: Float[np.ndarray, " d"]
    turn: Float[np.ndarray, "d d"]

    @classmethod
    def fit(cls, rows: Rows, of: Space) -> Whitened:
        rows = of(rows)
        center = rows.mean(axis=0)
        covariance = (rows - center).T @ (rows - center) / len(rows)
        variances, directions = np.linalg.eigh(covariance)
        variances = np.maximum(variances, 0)
        deviations = np.sqrt(variances + RIDGE * variances.mean() + LEAST_VARIANCE)
        return cls(of, center, directions / deviations)

    def __call__(self, rows: Rows) -> Rows:
        turned: np.ndarray = np.clip((self.of(rows) - self.center) @ self.turn, -FAR, FAR)
        return turned


def _knots(column: Float[np.ndarray, " n"]) -> tuple[np.ndarray, np.ndarray]:
    """Values in ascending order and the normal scores of their ranks, not too many of them."""
    values, counts = np.unique(column, return_counts=True)
    ranks = np.cumsum(counts) - counts / 2
    heights = ndtri((ranks + 0.5) / (len(column) + 1))
    if len(values) > KNOTS:
        wanted = np.linspace(ranks[0], ranks[-1], KNOTS)
        chosen = np.unique(np.searchsorted(ranks, wanted))
        values, heights = values[chosen], heights[chosen]
    return values, heights


def _or_one(widths: Float[np.ndarray, " d"]) -> Float[np.ndarray, " d"]:
    return np.where(widths < 1e-12, 1.0, widths)


def drawn_together(n_features: int, seed: int) -> csr_array | None:
    """A sparse random projection of the columns of a wide table; None: it is not wide.

    Every column is added, with a random sign, to a few of the new ones (Kane and Nelson 2014).
    """
    if n_features <= WIDEST:
        return None
    key, count = Streams(seed).key("columns"), COPIES * n_features
    places = (uniform(key, count, 0) + 1) / 2 * WIDEST
    signs = np.where(uniform(key, count, 1) < 0, -1.0, 1.0) / np.sqrt(COPIES)
    places = places.astype(np.int64).clip(max=WIDEST - 1)
    rows = np.repeat(np.arange(n_features), COPIES)
    return csr_array((signs, (rows, places)), shape=(n_features, WIDEST))
