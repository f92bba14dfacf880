"""Summaries of columns: counts, minima, maxima, values. Summaries of several processes merge."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Self

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from slad.core.state import State
from slad.engines.value_counts import ValueCounts
from slad.tables.arrow_types import (
    BOOLEAN,
    NUMBER,
    TIME,
    as_text,
    family,
    is_counted,
    is_whole,
    type_from_text,
    type_text,
)
from slad.tables.kinds.clock import CYCLES, as_seconds, part_of
from slad.tables.kinds.number import as_floats, finite_of

NOTHING = (np.inf, -np.inf)
"""Minimum and maximum of no values."""


class ColumnSummary:
    """One column, as exact as from the whole column at once; see `ValueCounts` for the limit."""

    def __init__(self, type_: pa.DataType, *, levels: bool) -> None:
        """`levels`: keep the values themselves, not only their number."""
        self.type, self.levels = type_, levels
        self.rows = self.missing = 0
        self.ends: dict[str, tuple[float, float]] = {}
        """Minimum and maximum of "all" numbers, "finite" ones, "seconds", parts of times."""
        self.whole: tuple[int, int] | None = None
        """Minimum and maximum of whole numbers, which floats may not hold."""
        counted = is_counted(type_) or levels
        text = pa.string() if counted and not is_counted(type_) else type_
        self.counts = ValueCounts(text, keep=levels) if counted else None

    def add(self, column: pa.ChunkedArray) -> None:
        self.rows += len(column)
        self.missing += int(column.null_count)
        kind = family(self.type)
        if kind in (NUMBER, BOOLEAN):
            floats = as_floats(column)
            self._stretch("all", floats[~np.isnan(floats)])
            self._stretch("finite", finite_of(floats))
        elif kind == TIME:
            self._stretch("seconds", as_seconds(column))
            for name in CYCLES:
                self._stretch(name, part_of(column, name))
        if is_whole(self.type) and len(column) > column.null_count:
            low, high = pc.min_max(column).as_py().values()
            self._stretch_whole(low, high)
        if self.counts is not None:
            self.counts.add(column if is_counted(self.type) else as_text(column))

    def merge(self, other: ColumnSummary) -> None:
        self.rows += other.rows
        self.missing += other.missing
        for name, ends in other.ends.items():
            self._stretch(name, np.array(ends))
        if other.whole is not None:
            self._stretch_whole(*other.whole)
        if self.counts is not None and other.counts is not None:
            self.counts.merge(other.counts)

    def _stretch(self, name: str, values: np.ndarray) -> None:
        values = values[~np.isnan(values)]
        if len(values):
            low, high = self.ends.get(name, NOTHING)
            self.ends[name] = min(low, float(values.min())), max(high, float(values.max()))

    def _stretch_whole(self, low: int, high: int) -> None:
        mine = self.whole or (low, high)
        self.whole = min(low, mine[0]), max(high, mine[1])

    @property
    def filled(self) -> int:
        return self.rows - self.missing

    @property
    def different(self) -> int:
        """Different values; for numbers and times 2 stands for any number above 1."""
        if self.counts is not None and is_counted(self.type):
            return self.counts.different
        low, high = self.ends.get("all") or self.ends.get("seconds") or (0.0, 0.0)
        return 1 if low == high else 2

    def state(self) -> State:
        values: dict[str, Any] = {
            "type": type_text(self.type),
            "levels": self.levels,
            "rows": self.rows,
            "missing": self.missing,
            "ends": self.ends,
            "whole": self.whole,
        }
        if self.counts is None:
            return State(values, {})
        values["counts"], arrays = self.counts.state()
        return State(values, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        values = state.values
        summary = cls(type_from_text(values["type"]), levels=values["levels"])
        summary.rows, summary.missing = values["rows"], values["missing"]
        summary.ends = {name: (low, high) for name, (low, high) in values["ends"].items()}
        summary.whole = tuple(values["whole"]) if values["whole"] else None
        if "counts" in values:
            summary.counts = ValueCounts.from_state(State(values["counts"], state.arrays))
        return summary


class Ascent:
    """Whether whole numbers never decrease, over rows that come in any order of blocks."""

    def __init__(self, runs: list[tuple[int, int, int, int]] | None = None) -> None:
        self.runs = runs or []
        """(first row, row after the last, first value, last value) of runs that do not decrease."""
        self.fell = False

    def add(self, first: int, column: pa.ChunkedArray) -> None:
        if self.fell or not len(column):
            return
        if column.null_count or not column.equals(column.sort()):
            self.fell = True
            return
        run = first, first + len(column), column[0].as_py(), column[-1].as_py()
        before = self.runs[-1] if self.runs else None
        if before is not None and before[1] == run[0] and before[3] <= run[2]:
            self.runs[-1] = (before[0], run[1], before[2], run[3])
        else:
            self.runs.append(run)

    def merge(self, other: Ascent) -> None:
        self.runs += other.runs
        self.fell |= other.fell

    def holds(self) -> bool:
        runs = sorted(self.runs)
        rises = all(before[3] <= after[2] for before, after in pairwise(runs))
        return rises and not self.fell

    def state(self) -> State:
        return State({"runs": self.runs, "fell": self.fell}, {})

    @classmethod
    def from_state(cls, state: State) -> Self:
        ascent = cls([(a, b, low, high) for a, b, low, high in state.values["runs"]])
        ascent.fell = state.values["fell"]
        return ascent
