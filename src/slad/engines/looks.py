"""Looks at every row of a table that no memory holds: what fitting has to know of it.

The first look summarises columns and takes out the rows that are kept: those held out for
calibration, and a sample. For the scaling of a table of numbers without gaps that is enough; else
another look goes over encoded rows. And one goes over scaled rows, for the weights of features,
where scaling bends some cells. Every look is over all training rows, of all processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from slad.core.state import State, joined, parted
from slad.engines.moments import Moments
from slad.engines.ranks import Processes
from slad.engines.shards import ParquetTable, RowGroup
from slad.engines.streaming import ahead
from slad.engines.summary import Ascent, ColumnSummary
from slad.model.saving import from_bytes, to_bytes
from slad.tables.arrow_types import BOOLEAN, NUMBER, TEXT, family, is_whole
from slad.tables.kinds.facts import is_key_name
from slad.tables.kinds.number import as_floats

MOST_CROSSED = 256
"""Columns whose products are summed in the first look; feature weights want those of 49."""
ORDINARY = (1e-100, 1e100)
"""Sizes of numbers whose squares are numbers."""


@dataclass(frozen=True)
class Shard:
    """The rows of a table that one process reads."""

    table: ParquetTable
    groups: Sequence[RowGroup]
    held: np.ndarray
    """Numbers of the rows that are not learned from, over all processes."""

    def train_rows(
        self, columns: Sequence[str] | None = None
    ) -> Iterator[tuple[np.ndarray, pa.Table]]:
        """(numbers, rows) of all training rows, in the files' order."""
        batches = (each for group in self.groups for each in self.table.batches(group, columns))
        for first, rows in ahead(batches):
            yield self.without_held(first, rows)

    def without_held(self, first: int, rows: pa.Table) -> tuple[np.ndarray, pa.Table]:
        numbers = np.arange(first, first + rows.num_rows)
        start, stop = np.searchsorted(self.held, [first, first + rows.num_rows])
        if start == stop:
            return numbers, rows
        numbers = np.delete(numbers, self.held[start:stop] - first)
        return numbers, rows.take(pa.array(numbers - first))


class Picked:
    """Rows of given numbers, wherever they are."""

    def __init__(self, numbers: np.ndarray, schema: pa.Schema) -> None:
        self.numbers, self.schema = numbers, schema
        self._parts: list[pa.Table] = []
        self._found: list[np.ndarray] = []

    def add(self, first: int, rows: pa.Table) -> None:
        start, stop = np.searchsorted(self.numbers, [first, first + rows.num_rows])
        if start < stop:
            self._found.append(self.numbers[start:stop])
            self._parts.append(rows.take(pa.array(self._found[-1] - first)))

    def gathered(self, processes: Processes) -> pa.Table:
        """The rows that all processes found, in the table's order."""
        own = pa.concat_tables([self.schema.empty_table(), *self._parts])
        if processes.world == 1:
            return own
        found = np.concatenate([np.empty(0, dtype=np.int64), *self._found])
        states = processes.gather(State({}, {"found": found, "rows": to_bytes(own)}))
        rows = pa.concat_tables([from_bytes(arrays["rows"]) for _, arrays in states])
        order = np.argsort(np.concatenate([arrays["found"] for _, arrays in states]))
        return rows.take(pa.array(order)).combine_chunks()


@dataclass
class FirstLook:
    """What the first look found, in this process or in all."""

    columns: dict[str, ColumnSummary]
    """Of the training rows."""
    ascents: dict[str, Ascent]
    """Of columns of whole numbers, over all rows."""
    plain: Moments | None
    """Of the columns of numbers; None where one has a gap or something that is no number."""
    numbers: list[str]

    @classmethod
    def empty(
        cls, schema: pa.Schema, left_out: Sequence[str], categories: Sequence[str]
    ) -> FirstLook:
        looked = [field for field in schema if field.name not in left_out]
        numbers = [field.name for field in looked if family(field.type) in (NUMBER, BOOLEAN)]
        return cls(
            {
                field.name: ColumnSummary(
                    field.type,
                    levels=family(field.type) == TEXT
                    or field.name in categories
                    or (is_whole(field.type) and is_key_name(field.name)),
                )
                for field in looked
            },
            {field.name: Ascent() for field in looked if is_whole(field.type)},
            Moments(len(numbers), cross=len(numbers) <= MOST_CROSSED) if numbers else None,
            numbers,
        )

    def add(self, first: int, rows: pa.Table, train: pa.Table) -> None:
        for name, ascent in self.ascents.items():
            ascent.add(first, rows.column(name))
        for name, summary in self.columns.items():
            summary.add(train.column(name))
        if self.plain is not None and train.num_rows:
            block = np.column_stack([as_floats(train.column(name)) for name in self.numbers])
            size = np.abs(block[block != 0])
            squared = np.all((size > ORDINARY[0]) & (size < ORDINARY[1]))  # nor a NaN
            if squared:
                self.plain.add(block)
            else:
                self.plain = None

    def everywhere(self, processes: Processes) -> FirstLook:
        """The looks of all processes as one, the same in each of them."""
        looks = [self._from_state(*state) for state in processes.gather(self._state())]
        whole = looks[0]
        for look in looks[1:]:
            for name, summary in whole.columns.items():
                summary.merge(look.columns[name])
            for name, ascent in whole.ascents.items():
                ascent.merge(look.ascents[name])
            if whole.plain is not None and look.plain is not None:
                whole.plain.merge(look.plain)
            else:
                whole.plain = None
        return whole

    def _state(self) -> State:
        columns = {str(at): each.state() for at, each in enumerate(self.columns.values())}
        plain = None if self.plain is None else self.plain.state()
        arrays = joined({name: state[1] for name, state in columns.items()})
        values = {
            "columns": {name: state[0] for name, state in columns.items()},
            "ascents": {name: each.state()[0] for name, each in self.ascents.items()},
            "plain": None if plain is None else plain[0],
        }
        return State(values, arrays | ({} if plain is None else joined({"plain": plain[1]})))

    def _from_state(self, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> FirstLook:
        own = parted(arrays)
        return FirstLook(
            {
                name: ColumnSummary.from_state(values["columns"][str(at)], own.get(str(at), {}))
                for at, name in enumerate(self.columns)
            },
            {name: Ascent.from_state(state, {}) for name, state in values["ascents"].items()},
            Moments.from_state(values["plain"], own["plain"]) if values["plain"] else None,
            self.numbers,
        )


def look_at_rows(
    shard: Shard,
    columns: Sequence[str],
    numbers_of: Callable[[pa.Table], np.ndarray],
    moments: Moments,
    processes: Processes,
) -> Moments:
    """Moments of what `numbers_of` makes of all training rows."""
    for _, rows in shard.train_rows(columns):
        moments.add(numbers_of(rows))
    whole, *others = [Moments.from_state(*state) for state in processes.gather(moments.state())]
    for other in others:
        whole.merge(other)
    return whole
