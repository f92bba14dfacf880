"""`Levels`: how rare each value of a column is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from slad.core.state import State
from slad.tables.arrow_types import as_text
from slad.tables.kinds.encoding import Summary

MOST_LEVELS = 10_000
"""Values that are kept, the most common ones; the others count as seen once."""


@dataclass(frozen=True)
class Levels:
    """The values that came at least twice, the most common first, and the share of the rest.

    Values that came once are pooled with those that never came. So in a column where each value is
    different a new one is as usual as the old ones, and in a column of three values a fourth is a
    great surprise (Good and Turing's estimate of what was not seen).
    """

    values: tuple[str, ...]
    shares: np.ndarray
    """Of each value, then of all values that were not seen twice, then of missing cells."""

    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        column = as_text(column)
        counted = pc.value_counts(column.drop_null())
        return cls.of_counts(
            counted.field("values"),
            counted.field("counts").to_numpy(),
            missing=int(column.null_count),
        )

    @classmethod
    def of_summary(cls, summary: Summary) -> Self:
        assert summary.counts is not None
        counted = summary.counts.table
        return cls.of_counts(
            as_text(counted["value"]).combine_chunks(),
            counted["count"].to_numpy(),
            missing=summary.missing,
            uncounted=summary.counts.uncounted,
        )

    @classmethod
    def of_counts(
        cls, values: pa.Array, counts: np.ndarray, *, missing: int, uncounted: int = 0
    ) -> Self:
        """From counts of values; `missing` and `uncounted` cells are not among the counts."""
        order = np.argsort(-counts, kind="stable")
        order = order[counts[order] >= 2][:MOST_LEVELS]
        kept, rows = counts[order], int(counts.sum()) + uncounted + missing
        rest = rows - missing - kept.sum()
        shares = np.concatenate([kept, [rest + 0.5, missing or 0.5]]) / (rows + 1)
        return cls(tuple(values.take(pa.array(order)).to_pylist()), shares)

    def codes(self, column: pa.ChunkedArray) -> np.ndarray:
        """The position of each cell's share."""
        column = as_text(column)
        known = pa.array(self.values, column.type)
        codes: np.ndarray = pc.fill_null(pc.index_in(column, known), len(known)).to_numpy()
        codes = np.where(column.is_null().to_numpy(), len(known) + 1, codes)
        return codes.astype(np.int64)

    def rarity(self, codes: np.ndarray) -> np.ndarray:
        """0 for the most common value; for others, how much rarer they are, as a logarithm."""
        rarity: np.ndarray = np.log(self.shares.max() / self.shares)[codes]
        return rarity

    def state(self) -> State:
        return State({"values": list(self.values)}, {"shares": self.shares})

    @classmethod
    def from_state(cls, state: State) -> Self:
        return cls(tuple(state.values["values"]), state.arrays["shares"])
