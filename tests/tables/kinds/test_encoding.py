"""What an encoder of a column does unless its kind says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa
from small_tables import column

from slad.core.state import State
from slad.engines.summary import ColumnSummary
from slad.tables.kinds import ColumnEncoder


@dataclass(frozen=True)
class MissingEncoder(ColumnEncoder):
    """1 where a cell is missing, else 0."""

    rows: int

    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        return cls(len(column))

    @property
    def width(self) -> int:
        return 1

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        return column.is_null().to_numpy()[:, None].astype(float)

    def state(self) -> State:
        return State({"rows": self.rows}, {})

    @classmethod
    def from_state(cls, state: State) -> Self:
        return cls(**state.values)


def test_the_sample_stands_for_the_stream_where_the_summary_says_nothing_more() -> None:
    summary = ColumnSummary(pa.string(), levels=True)
    summary.add(column(["a"] * 10))
    assert MissingEncoder.of_summary(summary, column(["a", None])) == MissingEncoder(2)


def test_an_encoder_does_not_look_at_other_columns() -> None:
    encoder = MissingEncoder(2)
    assert encoder.beside(column(["a", None]), lambda: [np.ones((2, 3))]) is encoder
