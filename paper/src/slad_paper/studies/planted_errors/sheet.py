"""`Sheet`: the used columns of a table as Python values, in which cells are changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import pyarrow as pa

from slad.tables import plan_columns
from slad_paper.studies.planted_errors.column import Column
from slad_paper.studies.planted_errors.dependence import Dependence


@dataclass(frozen=True)
class Sheet:
    """The columns of a table that a model uses, and the units of some."""

    frame: pa.Table
    columns: Mapping[str, Column]
    units: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, frame: pa.Table, units: Mapping[str, str]) -> Self:
        used = [each for each in plan_columns(frame) if each.used]
        columns = {
            each.name: Column(each.name, each.kind, each.type, frame[each.name].to_pylist())
            for each in used
        }
        return cls(frame, columns, units)

    def names(self, what: str) -> list[str]:
        """The columns that are so: `what` is a property of `Column`."""
        return [name for name, column in self.columns.items() if getattr(column, what)]

    @cached_property
    def dependence(self) -> Dependence:
        return Dependence.of(self.columns.values())

    def changed(self, cells: Mapping[str, Mapping[int, Any]]) -> pa.Table:
        """The table with other values: column -> row -> value."""
        frame = self.frame
        for name, new in cells.items():
            column = self.columns[name]
            values = [new.get(row, value) for row, value in enumerate(column.values)]
            array = pa.array(values, _type_for(column.type, new.values()))
            at = frame.column_names.index(name)
            frame = frame.set_column(at, frame.schema.field(at).with_type(array.type), array)
        return frame


def _type_for(type_: pa.DataType, values: Collection[Any]) -> pa.DataType:
    """As a file would be read: a column of whole numbers is one of fractions after a slip."""
    if pa.types.is_integer(type_) and any(value not in (None, int(value or 0)) for value in values):
        return pa.float64()
    return type_
