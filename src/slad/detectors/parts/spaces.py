"""Five spaces in which rows are compared: five measures of the distance of two rows.

All start from standardised cells. "standard" and "minmax" take columns in units of their deviation
or of their range; "normal" takes the normal scores of their ranks, which no skewed column or far
cell can dominate; "whitened" and "normal whitened" turn the standardised cells or the normal scores
to uncorrelated directions of one variance, so that a broken dependency between columns counts even
if each column by itself is usual.

The spaces are learned with numpy, so they are the same on every device. Rows are mapped with torch,
on the device where they are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from scipy.sparse import csr_array
from scipy.special import ndtri
from torch import Tensor

from slad.core.seeds import Streams, uniform
from slad.core.typing import Float
from slad.detectors.parts.scaling import CLIP

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

Learned = Float[np.ndarray, "n d"]
Rows = Float[Tensor, "n d"]
"""In double precision."""


@dataclass(frozen=True)
class Spaces:
    """All five spaces, learned from standardised rows."""

    minmax: MinMax
    normal: NormalScores
    whitened: Whitened
    normal_whitened: Whitened

    @classmethod
    def fit(cls, rows: Learned, device: torch.device) -> Spaces:
        normal = NormalScores.fit(rows, device)
        scores = normal(_moved(rows, device)).cpu().numpy()
        return cls(
            MinMax.fit(rows, device),
            normal,
            Whitened.fit(rows, device),
            Whitened.fit(scores, device),
        )

    def __call__(self, rows: Rows) -> Iterator[Rows]:
        """Standardised rows in each space, in the order of NAMES."""
        yield rows
        yield self.minmax(rows)
        yield (scores := self.normal(rows))
        yield self.whitened(rows)
        yield self.normal_whitened(scores)


@dataclass(frozen=True)
class MinMax:
    """Columns in units of their range."""

    low: Float[Tensor, " d"]
    width: Float[Tensor, " d"]

    @classmethod
    def fit(cls, rows: Learned, device: torch.device) -> MinMax:
        low, width = rows.min(axis=0), _or_one(np.ptp(rows, axis=0))
        return cls(_moved(low, device), _moved(width, device))

    def __call__(self, rows: Rows) -> Rows:
        return ((rows - self.low) / self.width).clamp_(-CLIP, CLIP)


@dataclass(frozen=True)
class NormalScores:
    """Columns as the normal scores of their ranks, in units of these scores' deviation.

    Piecewise linear through (value, score of its rank); equal values have their middle rank. Beyond
    the ends, where there are no ranks, one deviation of the column counts as one.
    """

    values: Float[Tensor, "d knots"]
    """Ascending; columns with fewer knots are padded with infinity."""
    heights: Float[Tensor, "d knots"]
    slopes: Float[Tensor, "d knots"]
    ends: Float[Tensor, "2 d 1"]
    deviation: Float[Tensor, " d"]

    @classmethod
    def fit(cls, rows: Learned, device: torch.device) -> NormalScores:
        knots = [_knots(column) for column in rows.T]
        slopes = [np.append(np.diff(heights) / np.diff(values), 0.0) for values, heights in knots]
        ends = np.array([[values[0], values[-1]] for values, _ in knots]).T[..., None]
        plain = cls(
            torch.from_numpy(_filled([values for values, _ in knots], np.inf)),
            torch.from_numpy(_filled([heights for _, heights in knots], 0.0)),
            torch.from_numpy(_filled(slopes, 0.0)),
            torch.from_numpy(ends),
            torch.ones(rows.shape[1], dtype=torch.float64),
        )
        deviation = _or_one(plain(torch.from_numpy(rows)).numpy().std(axis=0))
        whole = replace(plain, deviation=torch.from_numpy(deviation))
        return cls(**{name: part.to(device) for name, part in vars(whole).items()})

    def __call__(self, rows: Rows) -> Rows:
        cells = rows.T.contiguous()
        inside = cells.clamp(*self.ends)
        places = torch.searchsorted(self.values, inside, right=True).sub_(1)
        scores = self.slopes.gather(1, places) * (inside - self.values.gather(1, places))
        scores += self.heights.gather(1, places)
        scores += cells - inside
        return scores.T.div(self.deviation).clamp_(-CLIP, CLIP)


@dataclass(frozen=True)
class Whitened:
    """Rows along their principal directions, each in units of its deviation."""

    center: Float[Tensor, " d"]
    turn: Float[Tensor, "d d"]

    @classmethod
    def fit(cls, rows: Learned, device: torch.device) -> Whitened:
        center = rows.mean(axis=0)
        covariance = (rows - center).T @ (rows - center) / len(rows)
        variances, directions = np.linalg.eigh(covariance)
        variances = np.maximum(variances, 0)
        deviations = np.sqrt(variances + RIDGE * variances.mean() + LEAST_VARIANCE)
        return cls(_moved(center, device), _moved(directions / deviations, device))

    def __call__(self, rows: Rows) -> Rows:
        return ((rows - self.center) @ self.turn).clamp_(-FAR, FAR)


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


def _filled(columns: list[np.ndarray], value: float) -> Float[np.ndarray, "d knots"]:
    """The columns as rows of an array, padded to the longest."""
    filled = np.full((len(columns), max(map(len, columns))), value)
    for row, column in zip(filled, columns, strict=True):
        row[: len(column)] = column
    return filled


def _moved(values: np.ndarray, device: torch.device) -> Tensor:
    return torch.from_numpy(values).to(device)


def _or_one(widths: Float[np.ndarray, " d"]) -> Float[np.ndarray, " d"]:
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
