"""Times: where in the training range, and where in the day, week, month and year."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from slad.tables.encoding.number import NumberEncoder

DAY = 86_400.0
CYCLES = {"hour": DAY, "weekday": 7 * DAY, "day": 30.5 * DAY, "month": 365.25 * DAY}
"""Cyclic parts of a time, and how long one turn takes."""
TURNS = 2
"""A part is used if the training rows span so many turns: or tomorrow's hour would be strange."""


@dataclass(frozen=True)
class TimeEncoder:
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
        cycles = turning(column.type, span, lambda name: _varies(part_of(column, name)))
        position = position_of(seconds, float(start), span or DAY)
        return cls(float(start), span or DAY, cycles, NumberEncoder.fit(position))

    @property
    def width(self) -> int:
        return self.position.width + 2 * len(self.cycles)

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        seconds = as_seconds(column)
        parts = [self.position.transform(position_of(seconds, self.start, self.span))]
        for name in self.cycles:
            angle = 2 * np.pi * part_of(column, name)
            # A missing time is in the middle of the circle, no nearer to one hour than another.
            parts.append(np.nan_to_num(np.column_stack([np.sin(angle), np.cos(angle)])))
        return np.column_stack(parts)

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        values = {"start": self.start, "span": self.span, "cycles": list(self.cycles)}
        return values | {"position": self.position.state()}, {}

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        position = NumberEncoder(**values["position"])
        return cls(values["start"], values["span"], tuple(values["cycles"]), position)


def turning(type_: pa.DataType, span: float, varies: Callable[[str], bool]) -> tuple[str, ...]:
    """The cycles that times over so many seconds turn through often enough, and are not constant
    in."""
    of_day = pa.types.is_time(type_)
    return tuple(
        name
        for name, turn in CYCLES.items()
        if (of_day and name == "hour") or (not of_day and span >= TURNS * turn and varies(name))
    )


def position_of(seconds: np.ndarray, start: float, span: float) -> np.ndarray:
    """In units of the training range, from its start; up to one span after its end is its end."""
    place = (seconds - start) / span
    return np.where(place > 2, place - 1, np.minimum(place, 1))


def as_seconds(column: pa.ChunkedArray) -> np.ndarray:
    """Since 1970, or since midnight for a time of day."""
    if pa.types.is_date32(column.type):
        return _floats(column.cast(pa.int32())) * DAY
    unit = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[column.type.unit]
    whole = pa.int32() if pa.types.is_time32(column.type) else pa.int64()
    return _floats(column.cast(whole)) / unit


def _floats(column: pa.ChunkedArray) -> np.ndarray:
    """NaN where missing."""
    values: np.ndarray = column.cast(pa.float64(), safe=False).to_numpy()
    return values


def part_of(column: pa.ChunkedArray, name: str) -> np.ndarray:
    """Where in its cycle, from 0 to 1, on the clocks of the column's own time zone."""
    if pa.types.is_time(column.type):
        return as_seconds(column) / DAY
    if getattr(column.type, "tz", None):
        column = pc.local_timestamp(column)
    if name == "hour":
        if pa.types.is_date(column.type):
            return np.zeros(len(column))
        return as_seconds(column) / DAY % 1
    read, first, turn = {
        "weekday": (pc.day_of_week, 0, 7),
        "day": (pc.day, 1, 31),
        "month": (pc.month, 1, 12),
    }[name]
    return (_floats(read(column)) - first) / turn


def _varies(part: np.ndarray) -> bool:
    seen = part[~np.isnan(part)]
    return len(seen) > 0 and bool(seen.min() < seen.max())
