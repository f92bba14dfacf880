"""Categories: which of the common values it is, and how rare it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa

from slad.tables.encoding.levels import Levels

MOST_COLUMNS = 12
"""Common values with a feature of their own."""
LEAST_SHARE = 0.01


@dataclass(frozen=True)
class CategoryEncoder:
    """One feature for each common value (missing is one of them), and the rarity of the value."""

    levels: Levels

    @classmethod
    def fit(cls, column: pa.ChunkedArray, seed: int) -> Self:
        return cls(Levels.fit(column))

    @property
    def common(self) -> np.ndarray:
        """Places of the common values; of two, one says it all."""
        shares = self.levels.shares.copy()
        shares[-2] = 0  # not a value but all the rare ones
        order = np.argsort(-shares, kind="stable")[:MOST_COLUMNS]
        order = order[shares[order] >= LEAST_SHARE]
        return order[1:] if len(order) == 2 else order

    @property
    def width(self) -> int:
        return len(self.common) + 1

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        codes = self.levels.codes(column)
        flags = codes[:, None] == self.common[None, :]
        return np.column_stack([flags, self.levels.rarity(codes)])

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return self.levels.state()

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        return cls(Levels.from_state(values, arrays))
