"""Categories: how rare a value is, and in what company it comes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pyarrow as pa

from slad.tables.encoding.levels import Levels

PRIOR = 10
"""So many rows of average company are added to those of each value: few rows say little."""


@dataclass(frozen=True)
class CategoryEncoder:
    """The place of a value, and its rarity.

    Values are placed on a line by what the other columns are where they come: values that come
    with like rows lie together, so a value among rows of another shows as a broken dependency.
    One flag for each value would say the same, but drown the other columns (docs/tables.md).
    """

    levels: Levels
    places: np.ndarray
    """Of each level; all 0 where the other columns do not tell the values apart."""

    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        levels = Levels.fit(column)
        return cls(levels, np.zeros(len(levels.shares)))

    def placed(self, column: pa.ChunkedArray, others: np.ndarray) -> Self:
        """With places from standardised features of the other columns, in the same rows."""
        codes = self.levels.codes(column)
        counts = np.bincount(codes, minlength=len(self.places))
        sums = np.zeros((len(counts), others.shape[1]))
        np.add.at(sums, codes, others)
        means = sums / (counts + PRIOR)[:, None]
        means[-2] = 0  # not one value but all the rare ones: average company
        _, _, directions = np.linalg.svd(means * np.sqrt(counts)[:, None], full_matrices=False)
        places = means @ directions[0] if len(directions) else self.places
        # Either sign would do; this one does not hang on the linear algebra library.
        return replace(self, places=places * (np.sign(places[np.abs(places).argmax()]) or 1.0))

    @property
    def width(self) -> int:
        return 2 if self.places.any() else 1

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        codes = self.levels.codes(column)
        rarity = self.levels.rarity(codes)
        if self.width == 1:
            return rarity[:, None]
        return np.column_stack([self.places[codes], rarity])

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        values, arrays = self.levels.state()
        return values, arrays | {"places": self.places}

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        return cls(Levels.from_state(values, arrays), arrays["places"])
