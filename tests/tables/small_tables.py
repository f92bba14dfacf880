"""What tests of tables share: columns and files made in one line, and encoded columns."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from slad.core.errors import DataError
from slad.core.state import State
from slad.tables import Encoder, plan_columns, read
from slad.tables.kinds import usual_from_state

TABLE = pa.table(
    {
        "name": ["a b", 'q"uote', None, "line\nbreak"],
        "amount": [1.5, None, -2.0, 1e9],
        "count": [1, 2, 3, None],
        "ok": [True, False, None, True],
        "day": [date(2025, 1, 31), None, date(2024, 2, 29), date(1969, 1, 1)],
        "at": pa.array([datetime(2025, 1, 1, 10), None, None, None], pa.timestamp("us")),
    }
)


def text_file(tmp_path: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(source: object) -> str:
    with pytest.raises(DataError) as caught:
        read(source)
    return str(caught.value)


def encoded(train: list, later: list, **options: list) -> tuple[np.ndarray, np.ndarray]:
    """(training rows, later rows) of a table of one column."""
    first = pa.table({"x": pa.array(train, from_pandas=True)})
    second = pa.table({"x": pa.array(later, first.schema.field("x").type, from_pandas=True)})
    encoder = Encoder.fit(first, plan_columns(first, **options))
    return encoder.transform(first), encoder.transform(second)


def distances(train: np.ndarray, later: np.ndarray) -> np.ndarray:
    """To the nearest training row, with columns scaled as the detectors do."""
    spread = train.std(axis=0)
    spread[spread == 0] = 1
    apart = (later[:, None] - train[None]) / spread
    return np.sqrt((np.clip(apart, -10, 10) ** 2).sum(axis=2)).min(axis=1)


def column(values, kind=None):
    return pa.chunked_array([pa.array(values, kind)])


def through_json(usual):
    """As a model file keeps it."""
    return usual_from_state(State(json.loads(json.dumps(usual.state().values, sort_keys=True)), {}))
