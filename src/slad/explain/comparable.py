"""`Comparable`: the normal rows that are most like a row in all columns but one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from slad.core.typing import Float, Int

CLIP = 10.0
"""Standard scores are cut off here, as in the detectors' own scaling."""
ROWS = 64
"""Rows compared at once, so that their distances stay in a CPU's cache."""


class Found(NamedTuple):
    """Positions of reference rows, for some rows."""

    nearest: Int[np.ndarray, " n"]
    places: Int[np.ndarray, "n blocks draws"]
    apart: Float[np.ndarray, "n blocks"]
    """Mean squared distance of a block to what stands at these places."""


@dataclass(frozen=True)
class Comparable:
    """The reference rows, scaled so that every column counts the same, whatever its width."""

    blocks: Sequence[Int[np.ndarray, " width"]]
    center: Float[np.ndarray, " d"]
    scale: Float[np.ndarray, " d"]
    weight: Float[np.ndarray, " d"]
    by_feature: Float[np.ndarray, "d m"]

    @classmethod
    def of(
        cls, reference: Float[np.ndarray, "m d"], blocks: Sequence[Int[np.ndarray, " width"]]
    ) -> Comparable:
        center, scale = reference.mean(axis=0), reference.std(axis=0)
        size = np.abs(reference).max(axis=0)
        scale = np.where(scale > 1e-12 * size, scale, 1.0)  # constant but for rounding
        weight = np.zeros(reference.shape[1])
        for mine in blocks:  # a group does not change the weight of its columns
            weight[mine] = np.maximum(weight[mine], len(mine) ** -0.5)
        weight[weight == 0] = 1.0  # in no block, but compared too
        scaled = _scaled(reference, center, scale, weight)
        return cls(blocks, center, scale, weight, np.ascontiguousarray(scaled.T))

    def found(
        self, rows: Float[np.ndarray, "n d"], own: Int[np.ndarray, " n"], draws: int
    ) -> Iterator[tuple[int, Found]]:
        """(first row, what was found for it and the next ones), for all rows.

        Distances are summed cell by cell: a product of matrices would round differently for
        different numbers of rows.
        """
        scaled = _scaled(rows, self.center, self.scale, self.weight)
        for start in range(0, len(rows), ROWS):
            some, mine = scaled[start : start + ROWS], own[start : start + ROWS]
            whole = self._distances(some, np.arange(rows.shape[1]))
            here = np.flatnonzero(mine >= 0)
            whole[here, mine[here]] = np.inf
            places = np.empty((len(some), len(self.blocks), draws), dtype=np.int64)
            apart = np.empty((len(some), len(self.blocks)))
            for at, block in enumerate(self.blocks):
                within = self._distances(some, block)
                places[:, at] = _smallest(whole - within, draws)
                apart[:, at] = np.take_along_axis(within, places[:, at], axis=1).mean(axis=1)
            yield start, Found(whole.argmin(axis=1), places, apart)

    def _distances(
        self, scaled: Float[np.ndarray, "n d"], features: Int[np.ndarray, " width"]
    ) -> Float[np.ndarray, "n m"]:
        """Squared distances over these features alone."""
        total = np.zeros((len(scaled), self.by_feature.shape[1]))
        for feature in features:
            total += np.square(scaled[:, feature, None] - self.by_feature[feature])
        return total


def _smallest(values: Float[np.ndarray, "n m"], count: int) -> Int[np.ndarray, "n count"]:
    if count >= values.shape[1]:
        return np.broadcast_to(np.arange(values.shape[1]), values.shape)
    return np.argpartition(values, count - 1, axis=1)[:, :count]


def _scaled(
    rows: np.ndarray, center: np.ndarray, scale: np.ndarray, weight: np.ndarray
) -> np.ndarray:
    scaled: np.ndarray = np.clip((rows - center) / scale, -CLIP, CLIP) * weight
    return scaled
