"""The kind of one column: what it is good for, or why it is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

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


def judge(name: str, column: pa.ChunkedArray, *, keep: bool, category: bool) -> Verdict:
    """The kind of a column; `keep` overrules what would leave it out."""
    if (useless := _without_use(column)) is not None:
        if keep:
            raise ConfigError(f"column {name!r} cannot be kept: {useless.note}")
        return useless
    different = _count_different(column)
    used = _used(name, column, different)
    if category:
        used = Verdict("category", "a category, as asked")
    left_out = _constant(column, different)
    if not category and different >= NEARLY_ALL * _filled(column):
        left_out = left_out or _id(name, column, different)
    if left_out and keep:
        return Verdict(used.kind, f"kept, as asked; else {left_out.note}")
    return left_out or used


def says_id(name: str) -> bool:
    """Whether a name is that of a key.

    >>> [says_id(name) for name in ("order_id", "userId", "ID", "paid", "grid", "Unnamed: 0")]
    [True, True, True, False, False, True]
    """
    return bool(_ID_NAME.search(name) or _ID_CAMEL.search(name))


def _filled(column: pa.ChunkedArray) -> int:
    return len(column) - int(column.null_count)


def _count_different(column: pa.ChunkedArray) -> int:
    """Values that are not missing, each counted once.

    Of floating-point numbers and times it matters only whether there are two.
    """
    if family(column.type) == TEXT or is_whole(column.type):
        return int(pc.count_distinct(column).as_py())
    if pa.types.is_duration(column.type):
        column = column.cast(pa.int64())
    ends = pc.min_max(column)  # no Python values: a time may be beyond what Python knows
    return 1 if ends["min"].equals(ends["max"]) else 2


def _without_use(column: pa.ChunkedArray) -> Verdict | None:
    if family(column.type) == OTHER:
        return Verdict("dropped", f"left out: cells of type {column.type} are not used")
    if not _filled(column):
        return Verdict("empty", "left out: no values")
    return None


def _constant(column: pa.ChunkedArray, different: int) -> Verdict | None:
    if different > 1 or column.null_count:
        return None
    value = as_text(column[0:1])[0].as_py()
    shown = value if len(value) <= 40 else value[:39] + "…"
    return Verdict("constant", f"left out: always {shown!r}", constant=value)


def _id(name: str, column: pa.ChunkedArray, different: int) -> Verdict | None:
    """Only of columns whose values are (nearly) all different."""
    if _filled(column) < FEW_ROWS and not says_id(name):
        return None
    if family(column.type) == TEXT and not _spaced(column):
        return Verdict("id", f"left out: {different:,} different values, an id")
    if not is_whole(column.type):
        return None
    if says_id(name):
        return Verdict("id", "left out: (nearly) all different, and named like an id")
    low, high = pc.min_max(column).as_py().values()
    in_order = low in (0, 1) or column.equals(column.sort())
    if in_order and high - low + 1 == different == _filled(column):
        return Verdict("id", f"left out: counts from {low} to {high}")
    return None


def _used(name: str, column: pa.ChunkedArray, different: int) -> Verdict:
    group, filled = family(column.type), _filled(column)
    if group != TEXT:
        if is_whole(column.type) and says_id(name):
            return Verdict("category", "numbers, but named like a key: a category")
        return Verdict({NUMBER: "number", BOOLEAN: "boolean", TIME: "time"}[group])
    if different >= NEARLY_ALL * filled and filled >= FEW_ROWS:
        return Verdict("text")
    often = different <= MANY_LEVELS and different * ROWS_A_LEVEL <= filled
    return Verdict("category" if different <= MAX_LEVELS or often else "text")


def _spaced(column: pa.ChunkedArray) -> bool:
    """Whether the values have words in them: free text, of which every cell is different too."""
    sample = column.drop_null()[:SAMPLE]
    spaced = pc.match_substring_regex(sample, r"\S\s+\S")
    return bool(pc.mean(spaced).as_py() > 0.5)


def as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Cells as text, in the one form in which values are compared."""
    if family(column.type) == TEXT:
        return column
    if pa.types.is_duration(column.type):
        column = column.cast(pa.int64())
    if pa.types.is_floating(column.type):
        column = pc.add(column, pa.scalar(0, column.type))  # -0 is 0
    return column.cast(pa.string())
