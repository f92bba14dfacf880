"""Times as seconds, as a position in a range, and as parts of cycles such as the day."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

DAY = 86_400.0
CYCLES = {"hour": DAY, "weekday": 7 * DAY, "day": 30.5 * DAY, "month": 365.25 * DAY}
"""Cyclic parts of a time, and the seconds of one turn."""
TURNS = 2
"""Turns that the training rows must span for a part to be used: else a new hour is strange."""


def turning(type_: pa.DataType, span: float, moves: Callable[[str], bool]) -> tuple[str, ...]:
    """The cycles to encode: those that the times go through often enough and vary in."""
    of_day = pa.types.is_time(type_)
    return tuple(
        name
        for name, turn in CYCLES.items()
        if (of_day and name == "hour") or (not of_day and span >= TURNS * turn and moves(name))
    )


def position_of(seconds: np.ndarray, start: float, span: float) -> np.ndarray:
    """Positions in units of the training range; up to one span after its end counts as its end."""
    place = (seconds - start) / span
    return np.where(place > 2, place - 1, np.minimum(place, 1))


def as_seconds(column: pa.ChunkedArray) -> np.ndarray:
    """Seconds since 1970, or since midnight for a time of day; NaN where missing."""
    if pa.types.is_date32(column.type):
        return _floats(column.cast(pa.int32())) * DAY
    unit = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[column.type.unit]
    whole = pa.int32() if pa.types.is_time32(column.type) else pa.int64()
    return _floats(column.cast(whole)) / unit


def _floats(column: pa.ChunkedArray) -> np.ndarray:
    """As float64, NaN where missing."""
    values: np.ndarray = column.cast(pa.float64(), safe=False).to_numpy()
    return values


def part_of(column: pa.ChunkedArray, name: str) -> np.ndarray:
    """Position in a cycle, from 0 to 1, in the column's own time zone."""
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


def varies(part: np.ndarray) -> bool:
    seen = part[~np.isnan(part)]
    return len(seen) > 0 and bool(seen.min() < seen.max())
