"""What has to be known of a column to choose its kind."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Protocol

import pyarrow as pa
from pyarrow import compute as pc

from slad.tables.arrow_types import is_counted

SAMPLE = 10_000
"""Cells that are read to see what the texts of a column look like."""

_KEY_NAME = re.compile(
    r"(^|[\W_])(id|ids|uuid|guid|key|index|idx|rowid|row)$|^unnamed: \d+$", re.IGNORECASE
)
_KEY_CAMEL = re.compile(r"[a-z](Id|ID|Uuid|UUID|Guid|GUID|Key)$")


class Facts(Protocol):
    """What is known of a column, be it in memory or read in a stream."""

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

    @property
    def sample(self) -> pa.ChunkedArray:
        """Some of the cells, in the order of the rows."""
        ...

    def counts_up(self) -> tuple[int, int] | None:
        """First and last, where whole numbers count without a gap from 0 or 1, or in order."""
        ...


class ColumnFacts:
    """`Facts` of a column in memory."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        self.sample, self.type = column, column.type
        self.missing = int(column.null_count)
        self.filled = len(column) - self.missing

    @cached_property
    def different(self) -> int:
        column = self.sample
        if is_counted(self.type):
            return int(pc.count_distinct(column).as_py())
        if pa.types.is_duration(self.type):
            column = column.cast(pa.int64())
        ends = pc.min_max(column)  # no Python values: a time may be beyond what Python knows
        return 1 if ends["min"].equals(ends["max"]) else 2

    def counts_up(self) -> tuple[int, int] | None:
        low, high = pc.min_max(self.sample).as_py().values()
        in_order = low in (0, 1) or self.sample.equals(self.sample.sort())
        if in_order and high - low + 1 == self.different == self.filled:
            return low, high
        return None


def filled_sample(facts: Facts) -> pa.ChunkedArray:
    """The first cells of the sample that are not missing."""
    return facts.sample.drop_null()[:SAMPLE]


def has_words(facts: Facts) -> bool:
    """Whether most texts have words in them: free text, of which every cell differs too."""
    return bool(pc.mean(pc.match_substring_regex(filled_sample(facts), r"\S\s+\S")).as_py() > 0.5)


def is_key_name(name: str) -> bool:
    """Whether a column's name is that of a key.

    >>> [is_key_name(name) for name in ("order_id", "userId", "ID", "paid", "grid", "Unnamed: 0")]
    [True, True, True, False, False, True]
    """
    return bool(_KEY_NAME.search(name) or _KEY_CAMEL.search(name))
