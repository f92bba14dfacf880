"""Numbers, decimals and durations: the value, and how unusual it is that there is none."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from decimal import Decimal
from math import ceil, log10
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from slad.core.state import State
from slad.tables.arrow_types import NUMBER, family, is_whole
from slad.tables.kinds.encoding import ColumnEncoder, Summary
from slad.tables.kinds.facts import Facts, is_key_name
from slad.tables.kinds.fences import Fences
from slad.tables.kinds.kind import Kind, Picture
from slad.tables.kinds.pictures import histogram
from slad.tables.kinds.ranges import RangeUsual
from slad.tables.kinds.usual import TAILS
from slad.tables.kinds.words import DIGITS, show_amount, show_number

LARGEST = 1e300
"""Finite, and still finite when a span is added."""
MOST_DIGITS = 12
YEARS = (1800, 2199)
"""Whole numbers in here are written without a separator: 2019, not 2,019."""


def as_floats(column: pa.ChunkedArray) -> np.ndarray:
    """Cells as float64, NaN where missing."""
    if pa.types.is_duration(column.type):
        column = column.cast(pa.int64())
    if column.type != pa.float64():
        column = column.cast(pa.float64(), safe=False)
    values: np.ndarray = column.to_numpy()
    return values


def finite_of(values: np.ndarray) -> np.ndarray:
    """The finite ones, within what the encoder can add a span to."""
    finite: np.ndarray = np.clip(values[np.isfinite(values)], -LARGEST, LARGEST)
    return finite


def median_of(values: np.ndarray, otherwise: float) -> float:
    finite = finite_of(values)
    return float(np.median(finite)) if len(finite) else otherwise


@dataclass(frozen=True)
class NumberEncoder(ColumnEncoder):
    """The value, missing ones as the median; and, if any were missing, a signal for them.

    If a training value was far beyond the others, such values are drawn in (`Fences`).

    The signal is 0 for what is usual and the logarithm of the odds against what is not. Where no
    training row misses the value there is no signal, which would be constant: a missing one, like
    an infinite one, is then put beyond the range that was seen, by the width of that range.
    """

    median: float
    low: float
    high: float
    missing: float
    """The fraction of training rows without a value."""
    fences: Fences | None = None
    """None where no training value was beyond them."""

    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        return cls.of_values(as_floats(column))

    @classmethod
    def of_values(cls, values: np.ndarray) -> Self:
        missing = float(np.isnan(values).mean())
        finite = finite_of(values)
        if not len(finite):
            return cls(0.0, 0.0, 0.0, missing)
        low, median, high = finite.min(), np.median(finite), finite.max()
        return cls(float(median), float(low), float(high), missing).fenced(finite)

    @classmethod
    def of_summary(cls, summary: Summary, sample: pa.ChunkedArray) -> Self:
        missing = summary.missing / summary.rows
        if "finite" not in summary.ends:
            return cls(0.0, 0.0, 0.0, missing)
        low, high = summary.ends["finite"]
        seen = as_floats(sample)
        return cls(median_of(seen, low), low, high, missing).fenced(finite_of(seen))

    def fenced(self, finite: np.ndarray) -> Self:
        """With the fences around these values, if it has seen values beyond them."""
        fences = Fences.around(finite)
        return (
            self
            if fences is None or fences.hold(self.low, self.high)
            else replace(self, fences=fences)
        )

    @property
    def width(self) -> int:
        return 1 if self.missing == 0 else 2

    @property
    def beyond(self) -> tuple[float, float]:
        """Below and above all that was seen, by the width of its range."""
        ends = np.array([self.low, self.high])
        low, high = (self.fences.drawn_in(ends) if self.fences else ends).tolist()
        span = min((high - low) or abs(high) or 1.0, LARGEST)
        return low - span, high + span

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        return self.encoded(as_floats(column))

    def encoded(self, values: np.ndarray) -> np.ndarray:
        """The features of numbers, NaN where missing."""
        below, above = self.beyond
        nan = np.isnan(values)
        filled: np.ndarray = np.clip(values, -LARGEST, LARGEST)
        if self.fences:
            filled = self.fences.drawn_in(filled)
        filled[np.isposinf(values)] = above
        filled[np.isneginf(values)] = below
        filled[nan] = above if self.missing == 0 else self.median
        if self.missing == 0:
            return filled[:, None]
        share = np.array([1 - self.missing, self.missing])
        surprise = np.log(share.max() / np.maximum(share, 1e-9))
        return np.column_stack([filled, surprise[nan.astype(int)]])

    def state(self) -> State:
        return State(asdict(self), {})

    @classmethod
    def from_state(cls, state: State) -> Self:
        fences = state.values.get("fences")
        return cls(**state.values | {"fences": fences and Fences(**fences)})


@dataclass(frozen=True)
class NumberUsual(RangeUsual):
    """The range of nine tenths of the numbers.

    >>> NumberUsual("number", 0.0, low=2.0, high=4.0).excess(9.0)
    2.5
    """

    digits: int = DIGITS
    """Significant digits that it takes to tell the column's values apart."""
    duration: bool = False
    """Whether the range is one of durations, in seconds."""

    @classmethod
    def measured(cls, ordinary: pa.ChunkedArray) -> dict[str, Any]:
        duration = pa.types.is_duration(ordinary.type)
        if duration:
            ordinary = pc.divide(ordinary.cast(pa.duration("us")).cast(pa.int64()), 1e6)
        elif not pa.types.is_integer(ordinary.type):
            ordinary = ordinary.cast(pa.float64())
        return range_of(ordinary) | {"duration": duration}

    @property
    def is_years(self) -> bool:
        whole = isinstance(self.low, int) and isinstance(self.high, int)
        return whole and YEARS[0] <= self.low <= self.high <= YEARS[1]

    def show(self, value: Any) -> str:
        if self.is_years and isinstance(value, int | float) and value == value // 1:
            return str(int(value))
        return show_amount(value, self.digits)

    def show_end(self, end: Any) -> str:
        if self.duration:
            return str(timedelta(seconds=round(end)))
        if isinstance(end, float):  # a range is read more easily when rounded
            digits = max(3, self.digits - 1)
            return show_number(float(f"{end:.{digits}g}"), digits)
        return self.show(end) if self.is_years else show_number(end)

    def measure(self, value: Any) -> Any:
        if isinstance(value, timedelta):
            return value.total_seconds()
        return float(value) if isinstance(value, Decimal) else value

    def in_full(self) -> str:
        full = super().in_full()
        return full if self.is_one_value else f"{full}, typically {self.show_end(self.middle)}"


def range_of(numbers: pa.ChunkedArray) -> dict[str, Any]:
    """The usual range of numbers, and the digits that tell them apart."""
    whole = bool(pc.all(pc.equal(numbers, pc.round(numbers))).as_py())
    quantiles = pc.quantile(numbers, TAILS, interpolation="nearest" if whole else "linear")
    low, middle, high = (int(q) if whole else q for q in quantiles.to_pylist())
    largest, spread = max(abs(low), abs(high)), high - low
    need = ceil(log10(largest / spread)) + 2 if spread > 0 else DIGITS
    digits = min(max(need, DIGITS), MOST_DIGITS)
    return {"low": low, "middle": middle, "high": high, "digits": digits}


class NumberKind(Kind):
    name = "number"
    encoder_type = NumberEncoder
    usual_type = NumberUsual
    is_numeric = True

    def recognises(self, name: str, facts: Facts) -> bool:
        is_key = is_whole(facts.type) and is_key_name(name)
        return family(facts.type) == NUMBER and not is_key

    def picture(self, column: pa.ChunkedArray) -> Picture | None:
        return histogram(as_floats(column))
