"""Every table in one form."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from small_tables import column

from slad.core.errors import DataError
from slad.tables.normal import normal, plain, unique_names


@pytest.mark.parametrize(
    ("given", "type_", "cells"),
    [
        (column(["a", None], pa.large_string()), pa.string(), ["a", None]),
        (column(["a", None], pa.string_view()), pa.string(), ["a", None]),
        (column(["a", None, "a"]).dictionary_encode(), pa.string(), ["a", None, "a"]),
        (column([1.0, np.nan]).dictionary_encode(), pa.float64(), [1.0, None]),
        (column([1.5, np.nan, None], pa.float16()), pa.float32(), [1.5, None, None]),
        (column([86_400_000], pa.date64()), pa.timestamp("ms"), [datetime(1970, 1, 2)]),
        (pa.chunked_array([pc.run_end_encode(pa.array([7, 7, None]))]), pa.int64(), [7, 7, None]),
        (pa.chunked_array([pa.array([b"0" * 16], pa.uuid())]), pa.binary(16), [b"0" * 16]),
        (column([1, None], pa.int8()), pa.int8(), [1, None]),
    ],
)
def test_special_forms_of_a_column_become_plain_ones(
    given: pa.ChunkedArray, type_: pa.DataType, cells: list[Any]
) -> None:
    frame, notes = normal(pa.table({"x": given}), "here")
    assert frame.column("x").type == type_
    assert frame.column("x").to_pylist() == cells
    assert notes == []


def test_a_column_in_plain_form_is_not_copied() -> None:
    given = column([1.5, None])
    frame, _ = normal(pa.table({"x": given}), "here")
    assert frame.column("x").chunk(0).buffers()[1].address == given.chunk(0).buffers()[1].address


def test_an_empty_table_is_refused_and_an_empty_part_of_one_is_not() -> None:
    without_rows = pa.table({"a": pa.array([], pa.int64())})
    with pytest.raises(DataError, match="here has no columns"):
        normal(pa.table({}), "here")
    with pytest.raises(DataError, match="here has column names but no rows"):
        normal(without_rows, "here")
    assert plain(without_rows, "here")[0].equals(without_rows)


def test_a_zone_that_nobody_knows_is_refused_with_the_column() -> None:
    frame = pa.table({"at": pa.array([0], pa.timestamp("s", "Nowhere/Land"))})
    with pytest.raises(DataError, match=r"here, column 'at' \(timestamp.*Nowhere/Land"):
        plain(frame, "here")


def test_notes_on_a_field_stay_where_its_type_stays() -> None:
    schema = pa.schema(
        [
            pa.field("kept", pa.int64(), metadata={"unit": "kg"}),
            pa.field("lost", pa.large_string(), metadata={"unit": "kg"}),
        ]
    )
    frame, _ = plain(pa.table([[1], ["a"]], schema=schema), "here")
    assert [frame.schema.field(name).metadata for name in ("kept", "lost")] == [
        {b"unit": b"kg"},
        None,
    ]


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["a", "a", "a.1", "a"], ["a", "a.2", "a.1", "a.3"]),
        (["", " ", "column 2"], ["column 1", "column 2", "column 2.1"]),
        (["A", "a"], ["A", "a"]),
        ([], []),
    ],
)
def test_a_new_name_is_never_one_that_another_column_has(
    given: list[str], names: list[str]
) -> None:
    unique, notes = unique_names(given)
    assert unique == names
    assert {note.column for note in notes} <= set(names) - set(given)
