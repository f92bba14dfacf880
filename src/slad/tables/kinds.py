"""The kind of one column: what it is good for, or why it is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import pyarrow as pa
from pyarrow import compute as pc

from slad.core.errors import ConfigError
from slad.tables.arrow_types import BOOLEAN, NUMBER, OTHER, TEXT, TIME, family, is_whole

USED = ("number", "boolean", "category", "text", "time")
LEFT_OUT = ("constant", "empty", "id", "dropped")

MAX_LEVELS = 30
"""Text with at most so many values is a category..."""
ROWS_A_LEVEL, MANY_LEVELS = 20, 1000
"""... and so is text whose values come back that often, up to so many of them."""
NEARLY_ALL = 0.95
"""From this share of different values on a column may be an id, ..."""
FEW_ROWS = 20
"""... but not in fewer rows than these: there, everything is different."""
SAMPLE = 10_000

_ID_NAME = re.compile(
    r"(^|[\W_])(id|ids|uuid|guid|key|index|idx|rowid|row)$|^unnamed: \d+$", re.IGNORECASE
)
_ID_CAMEL = re.compile(r"[a-z](Id|ID|Uuid|UUID|Guid|GUID|Key)$")


@dataclass(frozen=True)
class Verdict:
    kind: str
    note: str = ""
    constant: str | None = None


class Facts(Protocol):
    """What has to be known of a column to judge it, of one in memory or of a stream."""

    @property
    def type(self) -> pa.DataType: ...

    @property
    def filled(self) -> int:
        """Cells that are not missing."""
        ...

    @property
    def missing(self) -> int: ...

    @property
    def different(self) -> int:
        """Values that are not missing, each counted once.

        Of floating-point numbers and times it matters only whether there are two.
        """
        ...

    def first_text(self) -> str:
        """The first cell, as text."""
        ...

    def spaced(self) -> bool:
        """Whether most texts have words in them: free text, of which every cell differs too."""
        ...

    def counts_up(self) -> tuple[int, int] | None:
        """First and last, where whole numbers count without a gap from 0 or 1, or in order."""
        ...


def judge(name: str, facts: Facts, *, keep: bool, category: bool) -> Verdict:
    """The kind of a column; `keep` overrules what would leave it out."""
    if (useless := _without_use(facts)) is not None:
        if keep:
            raise ConfigError(f"column {name!r} cannot be kept: {useless.note}")
        return useless
    used = _used(name, facts)
    if category:
        used = Verdict("category", "a category, as asked")
    left_out = _constant(facts)
    if not category and facts.different >= NEARLY_ALL * facts.filled:
        left_out = left_out or _id(name, facts)
    if left_out and keep:
        return Verdict(used.kind, f"kept, as asked; else {left_out.note}")
    return left_out or used


def says_id(name: str) -> bool:
    """Whether a name is that of a key.

    >>> [says_id(name) for name in ("order_id", "userId", "ID", "paid", "grid", "Unnamed: 0")]
    [True, True, True, False, False, True]
    """
    return bool(_ID_NAME.search(name) or _ID_CAMEL.search(name))


class ColumnFacts:
    """`Facts` of a column in memory."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        self.column, self.type = column, column.type
        self.missing = int(column.null_count)
        self.filled = len(column) - self.missing

    @cached_property
    def different(self) -> int:
        column = self.column
        if is_counted(self.type):
            return int(pc.count_distinct(column).as_py())
        if pa.types.is_duration(self.type):
            column = column.cast(pa.int64())
        ends = pc.min_max(column)  # no Python values: a time may be beyond what Python knows
        return 1 if ends["min"].equals(ends["max"]) else 2

    def first_text(self) -> str:
        first: str = as_text(self.column[0:1])[0].as_py()
        return first

    def spaced(self) -> bool:
        return is_spaced(self.column)

    def counts_up(self) -> tuple[int, int] | None:
        low, high = pc.min_max(self.column).as_py().values()
        in_order = low in (0, 1) or self.column.equals(self.column.sort())
        if in_order and high - low + 1 == self.different == self.filled:
            return low, high
        return None


def is_counted(type_: pa.DataType) -> bool:
    """Whether the values of such a column are told apart: texts and whole numbers."""
    return family(type_) == TEXT or is_whole(type_)


def is_spaced(texts: pa.ChunkedArray) -> bool:
    """Whether the first texts mostly have words in them."""
    spaced = pc.match_substring_regex(texts.drop_null()[:SAMPLE], r"\S\s+\S")
    return bool(pc.mean(spaced).as_py() > 0.5)


def _without_use(facts: Facts) -> Verdict | None:
    if family(facts.type) == OTHER:
        return Verdict("dropped", f"left out: cells of type {facts.type} are not used")
    if not facts.filled:
        return Verdict("empty", "left out: no values")
    return None


def _constant(facts: Facts) -> Verdict | None:
    if facts.different > 1 or facts.missing:
        return None
    value = facts.first_text()
    shown = value if len(value) <= 40 else value[:39] + "…"
    return Verdict("constant", f"left out: always {shown!r}", constant=value)


def _id(name: str, facts: Facts) -> Verdict | None:
    """Only of columns whose values are (nearly) all different."""
    if facts.filled < FEW_ROWS and not says_id(name):
        return None
    if family(facts.type) == TEXT and not facts.spaced():
        return Verdict("id", f"left out: {facts.different:,} different values, an id")
    if not is_whole(facts.type):
        return None
    if says_id(name):
        return Verdict("id", "left out: (nearly) all different, and named like an id")
    if (ends := facts.counts_up()) is not None:
        return Verdict("id", f"left out: counts from {ends[0]} to {ends[1]}")
    return None


def _used(name: str, facts: Facts) -> Verdict:
    group, filled, different = family(facts.type), facts.filled, facts.different
    if group != TEXT:
        if is_whole(facts.type) and says_id(name):
            return Verdict("category", "numbers, but named like a key: a category")
        return Verdict({NUMBER: "number", BOOLEAN: "boolean", TIME: "time"}[group])
    if different >= NEARLY_ALL * filled and filled >= FEW_ROWS:
        return Verdict("text")
    often = different <= MANY_LEVELS and different * ROWS_A_LEVEL <= filled
    return Verdict("category" if different <= MAX_LEVELS or often else "text")


def as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Cells as text, in the one form in which values are compared."""
    if family(column.type) == TEXT:
        return column
    if pa.types.is_duration(column.type):
        column = column.cast(pa.int64())
    if pa.types.is_floating(column.type):
        column = pc.add(column, pa.scalar(0, column.type))  # -0 is 0
    return column.cast(pa.string())
