"""What the five spaces of `spaces` learn from standardised rows, in numpy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.sparse import csr_array
from scipy.special import ndtri

from slad.core.seeds import Streams, uniform
from slad.core.typing import Float

NAMES = ("standard", "minmax", "normal", "whitened", "normal whitened")
KNOTS = 1000
"""Largest number of knots of a column; the normal scores are linear between them."""
RIDGE = 0.05
"""Fraction of the mean variance that is added to the variance of every direction."""
LEAST_VARIANCE = 1e-6
FAR = 30.0
"""Whitened cells are cut off here."""
WIDEST = 2000
"""Tables with more columns are projected to this many, which keeps distances to a few percent."""
COPIES = 4
"""Number of new columns that each column is added to."""


@dataclass(frozen=True)
class Principal:
    """The centre of rows, their variances in ascending order, and the directions of these, in
    columns."""

    center: Float[np.ndarray, " d"]
    variances: Float[np.ndarray, " d"]
    directions: Float[np.ndarray, "d d"]

    @classmethod
    def of(cls, rows: Float[np.ndarray, "n d"]) -> Self:
        center = rows.mean(axis=0)
        covariance = (rows - center).T @ (rows - center) / len(rows)
        variances, directions = np.linalg.eigh(covariance)
        return cls(center, np.maximum(variances, 0), directions)

    def whitening(self) -> Float[np.ndarray, "d d"]:
        """The directions, each over its deviation."""
        ridge = RIDGE * self.variances.mean() + LEAST_VARIANCE
        turn: np.ndarray = self.directions / np.sqrt(self.variances + ridge)
        return turn


def knots_of(column: Float[np.ndarray, " n"]) -> tuple[np.ndarray, np.ndarray]:
    """Values in ascending order and the normal scores of their ranks, not too many of them."""
    values, counts = np.unique(column, return_counts=True)
    ranks = np.cumsum(counts) - counts / 2
    heights = ndtri((ranks + 0.5) / (len(column) + 1))
    if len(values) > KNOTS:
        wanted = np.linspace(ranks[0], ranks[-1], KNOTS)
        chosen = np.unique(np.searchsorted(ranks, wanted))
        values, heights = values[chosen], heights[chosen]
    return values, heights


def or_one(widths: Float[np.ndarray, " d"]) -> Float[np.ndarray, " d"]:
    return np.where(widths < 1e-12, 1.0, widths)


def drawn_together(n_features: int, seed: int, widest: int = WIDEST) -> csr_array | None:
    """A sparse random projection of the columns of a wide table; None if the table is not wide.

    Every column is added with a random sign to a few of the new columns (Kane and Nelson 2014).
    """
    if n_features <= widest:
        return None
    key, count = Streams(seed).key("columns"), COPIES * n_features
    places = (uniform(key, count, 0) + 1) / 2 * widest
    signs = np.where(uniform(key, count, 1) < 0, -1.0, 1.0) / np.sqrt(COPIES)
    places = places.astype(np.int64).clip(max=widest - 1)
    rows = np.repeat(np.arange(n_features), COPIES)
    return csr_array((signs, (rows, places)), shape=(n_features, widest))
