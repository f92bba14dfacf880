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
from torch import Tensor

from slad.core.typing import Float
from slad.detectors.parts.space_statistics import FAR, Principal, knots_of, or_one
from slad.detectors.parts.statistics import CLIP

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
        low, width = rows.min(axis=0), or_one(np.ptp(rows, axis=0))
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
        knots = [knots_of(column) for column in rows.T]
        slopes = [np.append(np.diff(heights) / np.diff(values), 0.0) for values, heights in knots]
        ends = np.array([[values[0], values[-1]] for values, _ in knots]).T[..., None]
        plain = cls(
            torch.from_numpy(_filled([values for values, _ in knots], np.inf)),
            torch.from_numpy(_filled([heights for _, heights in knots], 0.0)),
            torch.from_numpy(_filled(slopes, 0.0)),
            torch.from_numpy(ends),
            torch.ones(rows.shape[1], dtype=torch.float64),
        )
        deviation = or_one(plain(torch.from_numpy(rows)).numpy().std(axis=0))
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
        principal = Principal.of(rows)
        return cls(_moved(principal.center, device), _moved(principal.whitening(), device))

    def __call__(self, rows: Rows) -> Rows:
        return ((rows - self.center) @ self.turn).clamp_(-FAR, FAR)


def _filled(columns: list[np.ndarray], value: float) -> Float[np.ndarray, "d knots"]:
    """The columns as rows of an array, padded to the longest."""
    filled = np.full((len(columns), max(map(len, columns))), value)
    for row, column in zip(filled, columns, strict=True):
        row[: len(column)] = column
    return filled


def _moved(values: np.ndarray, device: torch.device) -> Tensor:
    return torch.from_numpy(values).to(device)
