"""`Column`: a column as Python values, with what planting needs to know of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import pyarrow as pa

from slad.tables.kinds.number import YEARS

MEASURED = 10
"""Different numbers from which on a column is a measurement: fewer may be codes."""
NEARLY_ALL = 0.99


@dataclass(frozen=True)
class Column:
    """A column that the model uses."""

    name: str
    kind: str
    type: pa.DataType
    values: list[Any]

    @cached_property
    def present(self) -> list[Any]:
        return [value for value in self.values if value is not None]

    @cached_property
    def different(self) -> Collection[Any]:
        return set(self.present)

    @cached_property
    def ends(self) -> tuple[Any, Any]:
        return min(self.present), max(self.present)

    def is_new(self, value: Any) -> bool:
        """Whether a number or time is beyond all that the column holds."""
        return bool(value < self.ends[0] or value > self.ends[1])

    @cached_property
    def is_years(self) -> bool:
        if self.kind != "number" or not pa.types.is_integer(self.type):
            return False
        years = [value for value in self.present if YEARS[0] <= value <= YEARS[1]]
        return len(years) >= NEARLY_ALL * len(self.present)

    @cached_property
    def is_measured(self) -> bool:
        numeric = pa.types.is_integer(self.type) or pa.types.is_floating(self.type)
        of_numbers = self.kind == "number" and numeric and not self.is_years
        return of_numbers and len(self.different) >= MEASURED

    @cached_property
    def is_dated(self) -> bool:
        return self.kind == "time" and isinstance(self.present[0], date)

    @cached_property
    def is_named(self) -> bool:
        """Whether it has categories that are words."""
        return self.kind == "category" and pa.types.is_string(self.type)
