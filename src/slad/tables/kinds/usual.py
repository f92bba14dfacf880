"""`Usual`: what is usual in a column, and how usual and odd values are put into words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from slad.core.state import State
from slad.core.typing import Int
from slad.tables.kinds.words import DIGITS, is_missing, show_cell, show_share

COVERED = 0.95
"""A column that misses more than this fraction of its cells is usually missing."""
RARE = 0.05
"""A value, or a missing cell, in a smaller fraction of the rows is not a usual one."""
TAILS = [0.05, 0.5, 0.95]
"""The quantiles that make the usual range, and the typical value."""

EVERY_KEY: dict[str, Any] = {
    **{"low": None, "middle": None, "high": None, "digits": DIGITS, "duration": False},
    **{"levels": {}, "n_levels": 0, "hours": None, "weekdays": None},
}
"""Keys that a saved model has for usual values of every kind, as slad 0.1 wrote and reads them."""


@dataclass(frozen=True)
class Usual(ABC):
    """What is usual in a column. Plain values, so that it can be saved as JSON."""

    kind: str
    missing: float
    """The fraction of rows without a value."""
    rows: int = 0
    """Rows in which missing cells and values were counted."""

    # -- measured --------------------------------------------------------------------------------

    @classmethod
    def of(
        cls, kind: str, column: pa.ChunkedArray, ordinary: Int[np.ndarray, " m"] | None = None
    ) -> Self:
        """What is usual in a column.

        Missing cells and values are counted in all rows, so that anybody who counts finds the
        same; ranges are those of the `ordinary` rows (or of all), for a few strange rows stretch a
        range far.
        """
        present = _present(column)
        if len(present) == 0:
            return cls(kind, missing=1.0, rows=len(column))
        some = present if ordinary is None else _present(column.take(ordinary))
        found = cls.counted(present) | cls.measured(some if len(some) else present)
        return cls(kind, 1 - len(present) / len(column), rows=len(column), **found)

    @classmethod
    def counted(cls, present: pa.ChunkedArray) -> dict[str, Any]:
        """Fields that come from the filled cells of all rows."""
        return {}

    @classmethod
    def measured(cls, ordinary: pa.ChunkedArray) -> dict[str, Any]:
        """Fields that come from the filled cells of ordinary rows."""
        return {}

    def state(self) -> State:
        return State(EVERY_KEY | asdict(self), {})

    @classmethod
    def from_state(cls, state: State) -> Self:
        return cls(**{each.name: state.values[each.name] for each in fields(cls)})

    # -- asked about one value -------------------------------------------------------------------

    def show(self, value: Any) -> str:
        """A cell of the column."""
        return show_cell(value)

    def holds(self, value: Any) -> bool:
        """Whether the value is a usual one, seen by itself."""
        if is_missing(value):
            return self.missing >= RARE
        return self.missing <= COVERED and self.has(value)

    def excess(self, value: Any) -> float:
        """How far a value lies outside, in widths of the usual range; 1 where that has none."""
        if self.holds(value):
            return 0.0
        return 1.0 if is_missing(value) else self.distance(value)

    @abstractmethod
    def has(self, value: Any) -> bool:
        """Whether a value that is there is a usual one."""

    def distance(self, value: Any) -> float:
        """How far an unusual value lies outside."""
        return 1.0

    # -- in words --------------------------------------------------------------------------------

    @property
    def brief(self) -> str:
        """For a sentence: "3.2 to 180"."""
        return "missing" if self.missing > COVERED else self.in_brief()

    @property
    def text(self) -> str:
        """For a list of columns: "3.2 to 180, typically 25; missing in 2 %"."""
        if self.missing == 1:
            return "always missing"
        gaps = f"missing in {show_share(self.missing)}" if self.missing else ""
        return "; ".join(part for part in (self.in_full(), gaps) if part)

    @abstractmethod
    def in_brief(self) -> str:
        """`brief`, of a column that is not mostly missing."""

    @abstractmethod
    def in_full(self) -> str:
        """`text` without what it says of missing cells."""

    def describe(self, value: Any, *, own: bool) -> str:
        """What a sentence says of one value: "9,999 (usually 3.2 to 180)".

        `own`: the value is in one of the rows that the usual values were measured in.
        """
        shown = self.show(value)
        if is_missing(value):
            return f"{shown}, {self._gap(own)}"
        if remark := self.remark(value, own=own):
            return f"{shown}, {remark}"
        if self.holds(value):
            return f"{shown}: usual by itself ({self.brief}), not with the rest of the row"
        return f"{shown} (usually {self.brief})"

    def remark(self, value: Any, *, own: bool) -> str | None:
        """What is odd about a value, where there is more to say than the usual values."""
        return None

    def _gap(self, own: bool) -> str:
        share = self.others(self.missing, own)
        if share == 0:
            return "as in no other row" if own else "as it never was before"
        if share < RARE:
            return f"as in only {self.in_rows(share, own)}"
        return f"as in {self.in_rows(share, own)}, but not with the rest of the row"

    def in_rows(self, share: float, own: bool) -> str:
        return f"{show_share(share)} of {'other rows' if own else 'the rows learned from'}"

    def others(self, share: float, own: bool) -> float:
        """A fraction of the rows, with an `own` row left out."""
        if self.rows <= own:
            return share
        return max(0, round(share * self.rows) - own) / (self.rows - own)


def _present(column: pa.ChunkedArray) -> pa.ChunkedArray:
    present = column.drop_null()
    return present.filter(pc.is_finite(present)) if pa.types.is_floating(present.type) else present
