"""Columns from Python values of several types."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from slad.tables.mixed import column_of


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        ([1, None, 3], pa.int64()),
        ([1, 2.5, None], pa.float64()),
        ([2**70, 1, None], pa.float64()),
        ([Decimal("1.5"), None], pa.decimal128(2, 1)),
        (["a", None], pa.string()),
        (np.array([1, 2], dtype="i2"), pa.int16()),
        ([None, float("nan")], pa.null()),
        ([], pa.null()),
    ],
)
def test_values_with_a_common_type_keep_it_without_a_note(values: Any, type_: pa.DataType) -> None:
    column, notes = column_of(values, "x")
    assert column.type == type_
    assert notes == []


def test_whole_numbers_too_large_for_a_whole_column_are_floats() -> None:
    column, _ = column_of([2**70, None, 0.5, float("nan")], "x")
    assert column.to_pylist() == [2.0**70, None, 0.5, None]


@pytest.mark.parametrize(
    ("values", "texts", "types"),
    [
        ([1, "a", None], ["1", "a", None], "int, str"),
        ([2**70, True], [str(2**70), "True"], "bool, int"),
        ([10**400, 1], [str(10**400), "1"], "int"),
        (["a", float("nan"), np.datetime64("NaT")], ["a", None, "NaT"], "datetime64, float, str"),
        ([{"a": 1}, "x"], ["{'a': 1}", "x"], "dict, str"),
        (["\ud800", "x"], ["?", "x"], "str"),
    ],
)
def test_values_without_a_common_type_are_text_and_the_note_lists_their_types(
    values: list[Any], texts: list[str | None], types: str
) -> None:
    column, notes = column_of(values, "x")
    assert column.to_pylist() == texts
    assert [str(note) for note in notes] == [f"x: read as text: it holds {types}"]


def test_what_pandas_calls_missing_is_missing_among_other_types() -> None:
    pd = pytest.importorskip("pandas")
    column, _ = column_of(["a", 1, pd.NA, pd.NaT], "x")
    assert column.to_pylist() == ["a", "1", None, None]
