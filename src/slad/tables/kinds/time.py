"""Times: where in the training range, and where in the day, week, month and year."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from slad.core.state import State
from slad.tables.arrow_types import TIME, family
from slad.tables.kinds.clock import DAY, as_seconds, part_of, position_of, turning, varies
from slad.tables.kinds.encoding import ColumnEncoder, Summary
from slad.tables.kinds.facts import Facts
from slad.tables.kinds.kind import Kind, Picture
from slad.tables.kinds.number import NumberEncoder, median_of
from slad.tables.kinds.pictures import histogram
from slad.tables.kinds.ranges import RangeUsual
from slad.tables.kinds.usual import TAILS
from slad.tables.kinds.words import join, show_cell

USUAL_DAY = 0.01
"""Fraction of the rows from which a weekday is a usual one."""
DAYS_NEED = 50
"""Rows it takes to say which weekdays are usual."""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True)
class TimeEncoder(ColumnEncoder):
    """Position in the training range, and sine and cosine of the parts that vary.

    Later times are the normal case for new rows: up to one more span after the end counts as the
    end. A time of day has a place in the day and no position.
    """

    start: float
    span: float
    cycles: tuple[str, ...]
    position: NumberEncoder

    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        seconds = as_seconds(column)
        seen = seconds[~np.isnan(seconds)]
        start, end = (seen.min(), seen.max()) if len(seen) else (0.0, 0.0)
        span = float(end - start)
        cycles = turning(column.type, span, lambda name: varies(part_of(column, name)))
        position = position_of(seconds, float(start), span or DAY)
        return cls(float(start), span or DAY, cycles, NumberEncoder.of_values(position))

    @classmethod
    def of_summary(cls, summary: Summary, sample: pa.ChunkedArray) -> Self:
        start, end = summary.ends.get("seconds", (0.0, 0.0))
        span = end - start

        def moves(name: str) -> bool:
            low, high = summary.ends.get(name, (0.0, 0.0))
            return low < high

        cycles = turning(summary.type, span, moves)
        places = position_of(as_seconds(sample), start, span or DAY)
        low, high = position_of(np.array([start, end]), start, span or DAY).tolist()
        missing = summary.missing / summary.rows
        position = NumberEncoder(median_of(places, low), low, high, missing)
        return cls(start, span or DAY, cycles, position)

    @property
    def width(self) -> int:
        return self.position.width + 2 * len(self.cycles)

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        seconds = as_seconds(column)
        parts = [self.position.encoded(position_of(seconds, self.start, self.span))]
        for name in self.cycles:
            angle = 2 * np.pi * part_of(column, name)
            # A missing time is in the middle of the circle, no nearer to one hour than another.
            parts.append(np.nan_to_num(np.column_stack([np.sin(angle), np.cos(angle)])))
        return np.column_stack(parts)

    def state(self) -> State:
        values = {"start": self.start, "span": self.span, "cycles": list(self.cycles)}
        return State(values | {"position": self.position.state().values}, {})

    @classmethod
    def from_state(cls, state: State) -> Self:
        values = state.values
        position = NumberEncoder.from_state(State(values["position"], {}))
        return cls(values["start"], values["span"], tuple(values["cycles"]), position)


@dataclass(frozen=True)
class TimeUsual(RangeUsual):
    """The first and the last time as text, and the usual hours and weekdays."""

    hours: tuple[int, int] | None = None
    """The first and the last usual hour."""
    weekdays: tuple[int, ...] | None = None
    """0 is Monday."""

    @classmethod
    def measured(cls, ordinary: pa.ChunkedArray) -> dict[str, Any]:
        stamped = pa.types.is_timestamp(ordinary.type)
        if stamped:  # Python's times have no nanoseconds
            ordinary = ordinary.cast(pa.timestamp("us", tz=ordinary.type.tz), safe=False)
        ends = pc.min_max(ordinary)
        found: dict[str, Any] = {
            "low": show_cell(ends["min"].as_py()),
            "high": show_cell(ends["max"].as_py()),
        }
        if stamped:
            found["hours"] = _usual_hours(ordinary)
        if stamped or pa.types.is_date(ordinary.type):
            found["weekdays"] = _usual_weekdays(ordinary)
        return found

    @classmethod
    def from_state(cls, state: State) -> Self:
        """JSON has made lists of the tuples."""
        made = super().from_state(state)
        first_last, days = made.hours, made.weekdays
        return replace(
            made,
            hours=(first_last[0], first_last[1]) if first_last else None,
            weekdays=tuple(days) if days else None,
        )

    def measure(self, value: Any) -> str:
        return show_cell(value)

    def distance(self, value: Any) -> float:
        return 1.0

    def show_end(self, end: Any) -> str:
        return show_cell(end)

    def remark(self, value: Any, *, own: bool) -> str | None:
        if not isinstance(value, date) or not self.holds(value):
            return None
        if self.weekdays is not None and value.weekday() not in self.weekdays:
            return f"a {WEEKDAYS[value.weekday()]} (usually {_days(self.weekdays)})"
        if isinstance(value, datetime) and self.hours is not None:
            first, last = self.hours
            if not first <= value.hour <= last:
                return f"outside the usual hours ({first:02}:00 to {last:02}:59)"
        return None


def _usual_hours(times: pa.ChunkedArray) -> tuple[int, int] | None:
    """None of dates that were read as times."""
    ends = pc.quantile(pc.hour(times), [TAILS[0], TAILS[-1]], interpolation="nearest")
    first, last = ends.to_pylist()
    return (first, last) if (first, last) != (0, 0) else None


def _usual_weekdays(times: pa.ChunkedArray) -> tuple[int, ...] | None:
    """None of too few rows to tell."""
    days = pc.value_counts(pc.day_of_week(times)).to_pylist()
    usual = [day["values"] for day in days if day["counts"] >= USUAL_DAY * len(times)]
    return tuple(sorted(usual)) if len(times) >= DAYS_NEED else None


def _days(days: tuple[int, ...]) -> str:
    """Days that follow one another as a span: Monday to Friday."""
    if len(days) > 2 and days[-1] - days[0] == len(days) - 1:
        return f"{WEEKDAYS[days[0]]} to {WEEKDAYS[days[-1]]}"
    return join([WEEKDAYS[day] for day in days], "or")


class TimeKind(Kind):
    """Dates, times, and times of day."""

    name = "time"
    encoder_type = TimeEncoder
    usual_type = TimeUsual

    def recognises(self, name: str, facts: Facts) -> bool:
        return family(facts.type) == TIME

    def picture(self, column: pa.ChunkedArray) -> Picture | None:
        drawn = histogram(as_seconds(column))
        return drawn and drawn | {"axis": "time"}
