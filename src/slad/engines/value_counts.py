"""Counts of the values of a column, in bounded memory."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from slad.core.state import State
from slad.model.saving import from_bytes, to_bytes

MOST_DIFFERENT = 2**18
"""The most values that are counted. Encoders remember the 10,000 most common ones."""


class ValueCounts:
    """The values of a column and how often each occurs.

    Exact for columns of up to 262,144 different values. In other columns the rarest half is
    dropped each time there are more, so the common values stay, and their counts lack what was
    dropped earlier. The number of different values is then extrapolated from the rows up to the
    first drop. With `keep=False` only that number is wanted, and counting stops there.
    """

    def __init__(self, type_: pa.DataType, *, keep: bool) -> None:
        self.type, self.keep = type_, keep
        self.cells = 0
        self._table = _table(pa.array([], type_), pa.array([], pa.int64()))
        self._waiting: list[pa.Table] = []
        self._overflow = (0, 0)
        """Cells, and different values among them, when there were too many for the first time."""

    def add(self, column: pa.ChunkedArray) -> None:
        """Count the cells that are not missing."""
        filled = column.drop_null()
        self.cells += len(filled)
        if self._overflow[0] and not self.keep:
            return
        counted = pc.value_counts(filled)
        self._waiting.append(_table(counted.field("values"), counted.field("counts")))
        if sum(len(each) for each in self._waiting) > MOST_DIFFERENT:
            self._fold()

    def merge(self, other: ValueCounts) -> None:
        self.cells += other.cells
        mine, theirs = self._overflow, other._overflow
        self._overflow = mine[0] + theirs[0], mine[1] + theirs[1]
        self._waiting.append(other.table)
        self._fold()

    @property
    def table(self) -> pa.Table:
        """Columns `value` and `count`, in order of first occurrence."""
        self._fold()
        return self._table

    @property
    def uncounted(self) -> int:
        """Cells whose values were dropped."""
        return self.cells - int(pc.sum(self.table["count"]).as_py() or 0)

    @property
    def different(self) -> int:
        cells, different = self._overflow
        if not cells:
            return len(self.table)
        return max(round(different / cells * self.cells), len(self.table))

    def _fold(self) -> None:
        if not self._waiting:
            return
        joined = pa.concat_tables([self._table, *self._waiting])
        grouped = joined.group_by("value", use_threads=False).aggregate([("count", "sum")])
        self._waiting = []
        self._table = _table(grouped["value"], grouped["count_sum"])
        if len(self._table) <= MOST_DIFFERENT:
            return
        if not self._overflow[0]:
            self._overflow = self.cells, len(self._table)
        counts = self._table["count"].to_numpy()
        common = np.sort(np.argsort(-counts, kind="stable")[: MOST_DIFFERENT // 2])
        self._table = self._table.take(pa.array(common[: len(common) if self.keep else 0]))

    def state(self) -> State:
        values = {"keep": self.keep, "cells": self.cells, "overflow": list(self._overflow)}
        return State(values, {"table": to_bytes(self.table)})

    @classmethod
    def from_state(cls, state: State) -> Self:
        table = from_bytes(state.arrays["table"])
        counts = cls(table.schema.field("value").type, keep=state.values["keep"])
        counts.cells, counts._table = state.values["cells"], table
        cells, different = state.values["overflow"]
        counts._overflow = (cells, different)
        return counts


def _table(values: Any, counts: Any) -> pa.Table:
    return pa.table({"value": values, "count": counts})
