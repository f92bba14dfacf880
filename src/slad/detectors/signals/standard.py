"""Standardised rows in single precision, of dense or sparse tables; those of wide tables are
projected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from slad.core.seeds import Streams
from slad.core.typing import Float, Table
from slad.detectors.parts.space_statistics import drawn_together
from slad.detectors.parts.statistics import CLIP, column_statistics, row_blocks, standard

WIDEST = 1000
"""Tables with more columns are projected to so many."""


@dataclass(frozen=True)
class Standardiser:
    """Columns in units of their deviation; cells are cut off at ten of them."""

    center: Float[np.ndarray, " d"]
    scale: Float[np.ndarray, " d"]
    seed: int

    @classmethod
    def fit(cls, X: Table, seed: int) -> Self:
        return cls(*column_statistics(standard, X), seed)

    def __call__(self, X: Table) -> Float[np.ndarray, "n d"]:
        together = drawn_together(X.shape[1], self.seed, WIDEST)
        width = X.shape[1] if together is None else together.shape[1]
        found = np.empty((X.shape[0], width), dtype=np.float32)
        for start, block in row_blocks(X):
            cells = ((block - self.center) / self.scale).clip(-CLIP, CLIP)
            found[start : start + len(block)] = cells if together is None else cells @ together
        return found


def drawn_rows(X: Table, most: int | None, seed: int) -> Table:
    """At most so many of the rows, drawn at random."""
    if most is None or X.shape[0] <= most:
        return X
    chosen = Streams(seed).numpy("rows").permutation(X.shape[0])[:most]
    return X[np.sort(chosen)]
