"""Passes over all rows of a table that no memory holds, to learn what fitting needs of it.

The first pass summarises the columns and picks out the rows that are kept: the held-out rows and a
sample. For the scaling of a table of numbers without gaps that is enough; other tables take a
second pass, over encoded rows. Where scaling cuts cells off, the feature weights take one more,
over scaled rows. Every pass reads all training rows, of all processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

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
"""The most columns whose covariances the first pass sums; feature weights need those of 49."""
ORDINARY = (1e-100, 1e100)
"""Sizes of numbers whose squares neither overflow nor vanish."""


@dataclass(frozen=True)
class Shard:
    """The rows of a table that one process reads."""

    table: ParquetTable
    groups: Sequence[RowGroup]
    held: np.ndarray
    """Numbers of the held-out rows, of all processes."""

    def train_rows(
        self, columns: Sequence[str] | None = None
    ) -> Iterator[tuple[np.ndarray, pa.Table]]:
        """(row numbers, rows) of all training rows, in the files' order."""
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
    """Rows of given numbers, picked out of the batches that hold them."""

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
        """The rows that all processes picked, in the table's order."""
        own = pa.concat_tables([self.schema.empty_table(), *self._parts])
        if processes.world == 1:
            return own
        found = np.concatenate([np.empty(0, dtype=np.int64), *self._found])
        states = processes.gather(State({}, {"found": found, "rows": to_bytes(own)}))
        rows = pa.concat_tables([from_bytes(arrays["rows"]) for _, arrays in states])
        order = np.argsort(np.concatenate([arrays["found"] for _, arrays in states]))
        return rows.take(pa.array(order)).combine_chunks()


@dataclass
class FirstPass:
    """What the first pass found, in this process or in all."""

    columns: dict[str, ColumnSummary]
    """Summaries of the training rows."""
    ascents: dict[str, Ascent]
    """For columns of whole numbers, over all rows."""
    plain: Moments | None
    """Moments of the columns of numbers; None if one has a gap or a value that is not ordinary."""
    numbers: list[str]

    @classmethod
    def empty(
        cls, schema: pa.Schema, left_out: Sequence[str], categories: Sequence[str]
    ) -> FirstPass:
        used = [field for field in schema if field.name not in left_out]
        numbers = [field.name for field in used if family(field.type) in (NUMBER, BOOLEAN)]
        return cls(
            {
                field.name: ColumnSummary(
                    field.type,
                    levels=family(field.type) == TEXT
                    or field.name in categories
                    or (is_whole(field.type) and is_key_name(field.name)),
                )
                for field in used
            },
            {field.name: Ascent() for field in used if is_whole(field.type)},
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

    def merged(self, processes: Processes) -> FirstPass:
        """The first passes of all processes as one, the same in each of them."""
        whole, *others = map(FirstPass.from_state, processes.gather(self.state()))
        for other in others:
            for name, summary in whole.columns.items():
                summary.merge(other.columns[name])
            for name, ascent in whole.ascents.items():
                ascent.merge(other.ascents[name])
            if whole.plain is not None and other.plain is not None:
                whole.plain.merge(other.plain)
            else:
                whole.plain = None
        return whole

    def state(self) -> State:
        summaries = [each.state() for each in self.columns.values()]
        plain = None if self.plain is None else self.plain.state()
        arrays = joined({str(at): summary.arrays for at, summary in enumerate(summaries)})
        values = {
            "columns": list(self.columns),
            "summaries": [summary.values for summary in summaries],
            "ascents": {name: each.state().values for name, each in self.ascents.items()},
            "plain": None if plain is None else plain.values,
            "numbers": self.numbers,
        }
        return State(values, arrays | ({} if plain is None else joined({"plain": plain.arrays})))

    @classmethod
    def from_state(cls, state: State) -> Self:
        values, arrays = state.values, parted(state.arrays)
        plain = values["plain"]
        return cls(
            {
                name: ColumnSummary.from_state(State(summary, arrays.get(str(at), {})))
                for at, (name, summary) in enumerate(
                    zip(values["columns"], values["summaries"], strict=True)
                )
            },
            {name: Ascent.from_state(State(own, {})) for name, own in values["ascents"].items()},
            None if plain is None else Moments.from_state(State(plain, arrays["plain"])),
            values["numbers"],
        )


def moments_of_rows(
    shard: Shard,
    columns: Sequence[str],
    numbers_of: Callable[[pa.Table], np.ndarray],
    moments: Moments,
    processes: Processes,
) -> Moments:
    """Add what `numbers_of` makes of all training rows, of all processes, to empty `moments`."""
    for _, rows in shard.train_rows(columns):
        moments.add(numbers_of(rows))
    whole, *others = map(Moments.from_state, processes.gather(moments.state()))
    for other in others:
        whole.merge(other)
    return whole
