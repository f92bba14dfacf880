"""`Encoder`: a table as one matrix of numbers, each column's features side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
import pyarrow as pa

from slad.core.errors import ArtifactError, DataError
from slad.core.state import joined, parted
from slad.tables.encoding.category import CategoryEncoder
from slad.tables.encoding.number import NumberEncoder, as_floats
from slad.tables.encoding.text import TextEncoder
from slad.tables.encoding.time import TimeEncoder
from slad.tables.plan import ColumnPlan

FORMAT = 1
SAMPLE = 20_000
"""Rows that tell which company a category's values come in."""


class ColumnEncoder(Protocol):
    """What turns one column into `width` features; fitted on training rows, then fixed."""

    @property
    def width(self) -> int: ...

    def transform(self, column: pa.ChunkedArray) -> np.ndarray: ...

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]: ...


@dataclass(frozen=True)
class Numbers:
    """Numbers and booleans, which are 0 and 1."""

    encoder: NumberEncoder

    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        return cls(NumberEncoder.fit(as_floats(column)))

    @property
    def width(self) -> int:
        return self.encoder.width

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        return self.encoder.transform(as_floats(column))

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return self.encoder.state(), {}

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        return cls(NumberEncoder(**values))


ENCODERS: dict[str, Any] = {
    "number": Numbers,
    "boolean": Numbers,
    "category": CategoryEncoder,
    "text": TextEncoder,
    "time": TimeEncoder,
}
"""Kind of a column: its encoder."""


@dataclass(frozen=True)
class EncodedColumn:
    """The features [start, stop) of the matrix that come from one column."""

    name: str
    kind: str
    start: int
    stop: int


@dataclass(frozen=True)
class Encoder:
    """A fitted encoding. What it makes of a row depends on that row alone."""

    columns: tuple[EncodedColumn, ...]
    encoders: tuple[ColumnEncoder, ...]

    @classmethod
    def fit(cls, frame: pa.Table, plan: Sequence[ColumnPlan]) -> Encoder:
        """Statistics of these rows for the columns that the plan uses."""
        used = [each for each in plan if each.used]
        if not used:
            reasons = "; ".join(f"{each.name}: {each.note}" for each in plan[:10])
            raise DataError(f"no column of the table can be used ({reasons})")
        fitted = [ENCODERS[each.kind].fit(frame.column(each.name)) for each in used]
        return cls.joining(used, fitted, frame)

    @classmethod
    def joining(
        cls, used: Sequence[ColumnPlan], fitted: Sequence[ColumnEncoder], frame: pa.Table
    ) -> Encoder:
        """Encoders of the used columns, side by side; categories get their places by the rows."""
        placed = _with_places(frame.select([each.name for each in used]), fitted)
        return cls(_side_by_side(used, placed), tuple(placed))

    @property
    def width(self) -> int:
        return self.columns[-1].stop

    def transform(self, frame: pa.Table) -> np.ndarray:
        """The rows as float64 numbers, all finite; a table that `conform` let through."""
        rows = np.empty((frame.num_rows, self.width))
        for column, encoder in zip(self.columns, self.encoders, strict=True):
            rows[:, column.start : column.stop] = encoder.transform(frame.column(column.name))
        return rows

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Plain values and arrays, from which `from_state` makes the same encoder."""
        states = [encoder.state() for encoder in self.encoders]
        columns = [
            {"name": column.name, "kind": column.kind, "values": values}
            for column, (values, _) in zip(self.columns, states, strict=True)
        ]
        arrays = joined({str(at): own for at, (_, own) in enumerate(states)})
        return {"format": FORMAT, "columns": columns}, arrays

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> Encoder:
        if values.get("format") != FORMAT:
            raise ArtifactError(
                f"the encoder has format {values.get('format')!r}, this slad reads {FORMAT}: load "
                "it with the slad that wrote it, or fit again"
            )
        parts = parted(arrays)
        try:
            fitted = [
                ENCODERS[each["kind"]].from_state(each["values"], parts.get(str(at), {}))
                for at, each in enumerate(values["columns"])
            ]
        except (KeyError, TypeError) as error:
            raise ArtifactError(f"the state of the encoder is not whole: {error!r}") from error
        return cls(_side_by_side(values["columns"], fitted), tuple(fitted))


def spread_places(n_rows: int) -> np.ndarray:
    """At most so many rows, spread over the table, which may be sorted."""
    places: np.ndarray = np.linspace(0, n_rows - 1, min(SAMPLE, n_rows)).astype(np.int64)
    return places


def _with_places(frame: pa.Table, encoders: Sequence[Any]) -> list[Any]:
    """Categories get their places from the features that the other columns have so far."""
    if frame.num_rows > SAMPLE:
        frame = frame.take(pa.array(spread_places(frame.num_rows)))
    features = [
        _standard(encoder.transform(column))
        for encoder, column in zip(encoders, frame.columns, strict=True)
    ]
    placed = list(encoders)
    for at, (encoder, column) in enumerate(zip(encoders, frame.columns, strict=True)):
        others = features[:at] + features[at + 1 :]
        if isinstance(encoder, CategoryEncoder) and others:
            placed[at] = encoder.placed(column, np.column_stack(others))
    return placed


def _standard(block: np.ndarray) -> np.ndarray:
    """Z-scores cut off at 5: a value's company is not to hang on one wild cell."""
    block = block / np.abs(block).max(axis=0).clip(np.finfo(float).tiny)  # squares stay finite
    spread = block.std(axis=0)
    scores: np.ndarray = (block - block.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return scores.clip(-5, 5)


def _side_by_side(
    columns: Sequence[Any], encoders: Sequence[ColumnEncoder]
) -> tuple[EncodedColumn, ...]:
    placed, start = [], 0
    for column, encoder in zip(columns, encoders, strict=True):
        plain = column if isinstance(column, dict) else {"name": column.name, "kind": column.kind}
        stop = start + encoder.width
        placed.append(EncodedColumn(plain["name"], plain["kind"], start, stop))
        start = stop
    return tuple(placed)
