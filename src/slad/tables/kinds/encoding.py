"""`ColumnEncoder`: what turns one column into numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol, Self

import numpy as np
import pyarrow as pa

from slad.core.state import State

Others = Callable[[], Sequence[np.ndarray]]
"""Asked for features, a block for each other column."""


class Counts(Protocol):
    """How often every value of a column came."""

    @property
    def table(self) -> pa.Table:
        """`value` and `count`, in the order in which values first came."""
        ...

    @property
    def uncounted(self) -> int:
        """Cells of rare values that are not in the table."""
        ...


class Summary(Protocol):
    """What one pass over all rows found of a column that no memory holds."""

    @property
    def type(self) -> pa.DataType: ...

    @property
    def rows(self) -> int: ...

    @property
    def missing(self) -> int: ...

    @property
    def ends(self) -> dict[str, tuple[float, float]]:
        """Smallest and largest: "all" numbers, "finite" ones, "seconds", parts of times."""
        ...

    @property
    def counts(self) -> Counts | None: ...


class ColumnEncoder(ABC):
    """Turns one column into `width` features; fitted on training rows, then fixed."""

    @classmethod
    @abstractmethod
    def fit(cls, column: pa.ChunkedArray) -> Self: ...

    @classmethod
    def of_summary(cls, summary: Summary, sample: pa.ChunkedArray) -> Self:
        """Fitted on all rows of a stream, of which a summary and a sample are at hand.

        Where the summary says nothing more, the sample stands for all rows.
        """
        return cls.fit(sample)

    def beside(self, column: pa.ChunkedArray, others: Others) -> Self:
        """The encoder that also knows standardised features of each other column, in the same
        rows. Most encoders do not look at other columns, so it has to ask for them."""
        return self

    @property
    @abstractmethod
    def width(self) -> int: ...

    @abstractmethod
    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        """One row of `width` finite numbers for each cell, whatever the other cells are."""

    @abstractmethod
    def state(self) -> State: ...

    @classmethod
    @abstractmethod
    def from_state(cls, state: State) -> Self: ...
