"""`ConformedTable`: a table that has been fitted to a model's columns, once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from slad.core.errors import DataError
from slad.tables import ColumnPlan, Loaded, conform, read, types_of


@dataclass(frozen=True)
class ConformedTable:
    """The columns that a model knows, in its order and types. Unpacks as `frame, notes`."""

    frame: pa.Table
    notes: list[str]
    """What differs from the training table."""
    plan: tuple[ColumnPlan, ...]
    """The columns of the model that it was conformed to."""

    def __iter__(self) -> Iterator[Any]:
        return iter((self.frame, self.notes))


def read_as(table: Any, plan: tuple[ColumnPlan, ...]) -> Loaded:
    """A table, its columns read as the types that they have in the plan."""
    return read(table, types=types_of(plan))


def conformed(table: Any, plan: tuple[ColumnPlan, ...]) -> ConformedTable:
    """A table conformed to a plan; one that is conformed to it already is returned as it is."""
    if isinstance(table, ConformedTable):
        if table.plan != plan:
            raise DataError("the table was conformed to another model; give the table itself")
        return table
    loaded = read_as(table, plan)
    frame, notes = conform(loaded.frame, plan)
    return ConformedTable(frame, [str(note) for note in (*loaded.notes, *notes)], plan)
