"""Means, covariances, minima and maxima of columns, in one pass over blocks of rows."""

from __future__ import annotations

from typing import Self

import numpy as np

from slad.core.state import State
from slad.core.typing import Float


class Moments:
    """Statistics of rows that are added block by block, or merged from other processes.

    Blocks are joined by the formula of Chan, Golub and LeVeque (1979), which subtracts no large
    numbers from each other: the result equals that of all rows at once, except for rounding.
    """

    def __init__(
        self, width: int, *, cross: bool, unit: Float[np.ndarray, " d"] | None = None
    ) -> None:
        """`cross`: compute covariances, not only variances. `unit`: what columns are divided by
        whose squares would be too large or too small for a float."""
        self.cross, self.count = cross, 0
        self.unit = np.ones(width) if unit is None else unit
        self._mean = np.zeros(width)
        self._squares = np.zeros((width, width) if cross else width)
        self._low, self._high = np.full(width, np.inf), np.full(width, -np.inf)

    def add(self, block: Float[np.ndarray, "n d"]) -> None:
        if not len(block):
            return
        values = block / self.unit
        mean = values.mean(axis=0)
        centred = values - mean
        squares = centred.T @ centred if self.cross else np.square(centred).sum(axis=0)
        self._join(len(block), mean, squares, values.min(axis=0), values.max(axis=0))

    def merge(self, other: Moments) -> None:
        if other.count:
            self._join(other.count, other._mean, other._squares, other._low, other._high)

    def _join(
        self, count: int, mean: np.ndarray, squares: np.ndarray, low: np.ndarray, high: np.ndarray
    ) -> None:
        total, apart = self.count + count, mean - self._mean
        between = np.outer(apart, apart) if self.cross else np.square(apart)
        self._squares = self._squares + squares + between * (self.count * count / total)
        self._mean = self._mean + apart * (count / total)
        self._low, self._high = np.minimum(self._low, low), np.maximum(self._high, high)
        self.count = total

    @property
    def mean(self) -> Float[np.ndarray, " d"]:
        return np.asarray(self._mean * self.unit)

    @property
    def deviation(self) -> Float[np.ndarray, " d"]:
        squares = np.diag(self._squares) if self.cross else self._squares
        with np.errstate(over="ignore"):
            found = np.sqrt(squares / self.count) * self.unit
        return np.minimum(found, np.finfo(float).max)

    @property
    def low(self) -> Float[np.ndarray, " d"]:
        return np.asarray(self._low * self.unit)

    @property
    def high(self) -> Float[np.ndarray, " d"]:
        return np.asarray(self._high * self.unit)

    def covariance(self, scale: Float[np.ndarray, " d"]) -> Float[np.ndarray, "d d"]:
        """Covariances of the columns divided by `scale`; exactly 0 for a constant column."""
        ratio = np.where(self._high > self._low, self.unit / scale, 0.0)
        return np.asarray(self._squares / self.count * np.outer(ratio, ratio))

    def of(self, columns: list[int]) -> Moments:
        """The moments of some of the columns."""
        chosen = Moments(len(columns), cross=self.cross, unit=self.unit[columns])
        chosen.count, chosen._mean = self.count, self._mean[columns]
        part = np.ix_(columns, columns) if self.cross else columns
        chosen._squares = self._squares[part]
        chosen._low, chosen._high = self._low[columns], self._high[columns]
        return chosen

    def state(self) -> State:
        arrays = {
            "unit": self.unit,
            "mean": self._mean,
            "squares": self._squares,
            "low": self._low,
            "high": self._high,
        }
        return State({"cross": self.cross, "count": self.count}, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        values, arrays = state
        moments = cls(len(arrays["mean"]), cross=bool(values["cross"]), unit=arrays["unit"])
        moments.count = values["count"]
        moments._mean, moments._squares = arrays["mean"], arrays["squares"]
        moments._low, moments._high = arrays["low"], arrays["high"]
        return moments
