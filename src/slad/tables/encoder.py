"""`Encoder`: a table as one matrix of numbers, each column's features side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Self

import numpy as np
import pyarrow as pa

from slad.core.errors import ArtifactError, DataError
from slad.core.state import State, joined, parted
from slad.tables.kinds import KINDS, ColumnEncoder
from slad.tables.kinds.encoding import Others
from slad.tables.plan import ColumnPlan

FORMAT = 1
SAMPLE = 20_000
"""Rows in which encoders see the features of the other columns."""


@dataclass(frozen=True)
class EncodedColumn:
    """The features [start, stop) of the matrix that come from one column."""

    name: str
    kind: str
    start: int
    stop: int


@dataclass(frozen=True)
class Encoder:
    """A fitted encoding; the features of a row depend on that row alone."""

    columns: tuple[EncodedColumn, ...]
    encoders: tuple[ColumnEncoder, ...]

    @classmethod
    def fit(cls, frame: pa.Table, plan: Sequence[ColumnPlan]) -> Self:
        """Fit an encoder for each column that the plan uses."""
        used = [each for each in plan if each.used]
        if not used:
            reasons = "; ".join(f"{each.name}: {each.note}" for each in plan[:10])
            raise DataError(f"no column of the table can be used ({reasons})")
        fitted = [KINDS[each.kind].encoder_type.fit(frame.column(each.name)) for each in used]
        return cls.joining(used, fitted, frame)

    @classmethod
    def joining(
        cls, used: Sequence[ColumnPlan], fitted: Sequence[ColumnEncoder], frame: pa.Table
    ) -> Self:
        """Fitted encoders of the used columns, which then see each other's features in `frame`."""
        encoders = _beside(frame.select([each.name for each in used]), fitted)
        return cls._side_by_side([(each.name, each.kind) for each in used], encoders)

    @classmethod
    def _side_by_side(
        cls, columns: Sequence[tuple[str, str]], encoders: Sequence[ColumnEncoder]
    ) -> Self:
        """`columns`: the name and the kind of each."""
        stops = accumulate(encoder.width for encoder in encoders)
        placed = [
            EncodedColumn(name, kind, stop - encoder.width, stop)
            for (name, kind), encoder, stop in zip(columns, encoders, stops, strict=True)
        ]
        return cls(tuple(placed), tuple(encoders))

    @property
    def width(self) -> int:
        return self.columns[-1].stop

    def transform(self, frame: pa.Table) -> np.ndarray:
        """The rows as finite float64 numbers; the table must have the form that `conform` gives."""
        rows = np.empty((frame.num_rows, self.width))
        for column, encoder in zip(self.columns, self.encoders, strict=True):
            rows[:, column.start : column.stop] = encoder.transform(frame.column(column.name))
        return rows

    def state(self) -> State:
        states = [encoder.state() for encoder in self.encoders]
        columns = [
            {"name": column.name, "kind": column.kind, "values": state.values}
            for column, state in zip(self.columns, states, strict=True)
        ]
        arrays = joined({str(at): state.arrays for at, state in enumerate(states)})
        return State({"format": FORMAT, "columns": columns}, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        if state.values.get("format") != FORMAT:
            raise ArtifactError(
                f"the encoder has format {state.values.get('format')!r}, this slad reads {FORMAT}: "
                "load it with the slad that wrote it, or fit again"
            )
        parts = parted(state.arrays)
        try:
            columns = state.values["columns"]
            encoders = [
                KINDS[each["kind"]].encoder_type.from_state(
                    State(each["values"], parts.get(str(at), {}))
                )
                for at, each in enumerate(columns)
            ]
            names = [(each["name"], each["kind"]) for each in columns]
        except (KeyError, TypeError) as error:
            raise ArtifactError(f"the state of the encoder is incomplete: {error!r}") from error
        return cls._side_by_side(names, encoders)


def spread_places(n_rows: int) -> np.ndarray:
    """At most `SAMPLE` rows, spread over the table, which may be sorted."""
    places: np.ndarray = np.linspace(0, n_rows - 1, min(SAMPLE, n_rows)).astype(np.int64)
    return places


def _beside(frame: pa.Table, encoders: Sequence[ColumnEncoder]) -> list[ColumnEncoder]:
    """Encoders that know the features that the other columns have so far, in a sample of rows."""
    if frame.num_rows > SAMPLE:
        frame = frame.take(pa.array(spread_places(frame.num_rows)))
    features = [
        _standard(encoder.transform(column))
        for encoder, column in zip(encoders, frame.columns, strict=True)
    ]

    def others(at: int) -> Others:
        return lambda: features[:at] + features[at + 1 :]

    return [
        encoder.beside(column, others(at))
        for at, (encoder, column) in enumerate(zip(encoders, frame.columns, strict=True))
    ]


def _standard(block: np.ndarray) -> np.ndarray:
    """Z-scores cut off at 5, so that one wild cell does not decide."""
    block = block / np.abs(block).max(axis=0).clip(np.finfo(float).tiny)  # squares stay finite
    spread = block.std(axis=0)
    scores: np.ndarray = (block - block.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return scores.clip(-5, 5)
