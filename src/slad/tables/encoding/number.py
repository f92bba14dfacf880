"""Numbers: the value, and how unusual it is that there is one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa

LARGEST = 1e300
"""Finite, and still finite when a span is added."""


def as_floats(column: pa.ChunkedArray) -> np.ndarray:
    """Cells as float64, NaN where missing."""
    if pa.types.is_duration(column.type):
        column = column.cast(pa.int64())
    if column.type != pa.float64():
        column = column.cast(pa.float64(), safe=False)
    values: np.ndarray = column.to_numpy()
    return values


def finite_of(values: np.ndarray) -> np.ndarray:
    """Those that are there and not infinite, within what the encoder can add a span to."""
    finite: np.ndarray = np.clip(values[np.isfinite(values)], -LARGEST, LARGEST)
    return finite


@dataclass(frozen=True)
class NumberEncoder:
    """The value, missing ones as the median; and, if any were missing, a signal for them.

    The signal is 0 for what is usual and the logarithm of the odds against what is not. Where no
    training row misses the value there is no signal, which would be constant: a missing one, like
    an infinite one, is then put beyond the range that was seen, by the width of that range.
    """

    median: float
    low: float
    high: float
    missing: float
    """Share of training rows without a value."""

    @classmethod
    def fit(cls, values: np.ndarray) -> Self:
        missing = float(np.isnan(values).mean())
        finite = finite_of(values)
        if not len(finite):
            return cls(0.0, 0.0, 0.0, missing)
        low, median, high = finite.min(), np.median(finite), finite.max()
        return cls(float(median), float(low), float(high), missing)

    @property
    def width(self) -> int:
        return 1 if self.missing == 0 else 2

    def transform(self, values: np.ndarray) -> np.ndarray:
        span = min((self.high - self.low) or abs(self.high) or 1.0, LARGEST)
        nan = np.isnan(values)
        filled: np.ndarray = np.clip(values, -LARGEST, LARGEST)
        filled[np.isposinf(values)] = self.high + span
        filled[np.isneginf(values)] = self.low - span
        filled[nan] = self.high + span if self.missing == 0 else self.median
        if self.missing == 0:
            return filled[:, None]
        share = np.array([1 - self.missing, self.missing])
        surprise = np.log(share.max() / np.maximum(share, 1e-9))
        return np.column_stack([filled, surprise[nan.astype(int)]])

    def state(self) -> dict[str, Any]:
        return asdict(self)
