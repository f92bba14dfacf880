"""Usual values that lie in a range: of numbers, times, and lengths of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from slad.tables.kinds.usual import Usual
from slad.tables.kinds.words import show_number


@dataclass(frozen=True)
class RangeUsual(Usual):
    """A range from `low` to `high`; None where the column has no values."""

    low: Any = None
    middle: Any = None
    high: Any = None

    def measure(self, value: Any) -> Any:
        """What of a value is compared with the range."""
        return value

    def has(self, value: Any) -> bool:
        return self.low is not None and bool(self.low <= self.measure(value) <= self.high)

    def distance(self, value: Any) -> float:
        if self.low is None:
            return 1.0
        measured, width = self.measure(value), self.high - self.low
        return float(max(self.low - measured, measured - self.high) / width) if width else 1.0

    def show_end(self, end: Any) -> str:
        """`low`, `middle` or `high` as text."""
        return show_number(end)

    @property
    def span(self) -> str:
        low, high = self.show_end(self.low), self.show_end(self.high)
        return low if low == high else f"{low} to {high}"

    @property
    def is_one_value(self) -> bool:
        return self.show_end(self.low) == self.show_end(self.high)

    def in_brief(self) -> str:
        return self.span

    def in_full(self) -> str:
        return f"mostly {self.span}" if self.is_one_value else self.span
