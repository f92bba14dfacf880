"""Tables in memory: pandas, polars, Arrow and numpy come out alike."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from slad.core.errors import DataError  # noqa: E402
from slad.tables import read  # noqa: E402


def test_a_numpy_array_has_columns_named_by_their_place() -> None:
    loaded = read(np.array([[1.0, np.nan], [3.0, 4.0]]))
    assert loaded.frame.to_pydict() == {"0": [1.0, 3.0], "1": [None, 4.0]}
    assert loaded.sha256 is None


def test_numpy_arrays_of_objects_and_of_named_fields_are_read() -> None:
    mixed = read(np.array([[1, "a"], [2.5, 3]], dtype=object))
    assert mixed.frame.to_pydict() == {"0": [1.0, 2.5], "1": ["a", "3"]}
    assert [note.column for note in mixed.notes] == ["1"]
    fields = np.array([(1, "x")], dtype=[("n", "i4"), ("s", "U3")])
    assert read(fields).frame.to_pydict() == {"n": [1], "s": ["x"]}


@pytest.mark.parametrize(
    "source", [np.zeros(3), np.zeros((2, 2, 2)), np.zeros((0, 2)), np.zeros((2, 0)), 3, None, [[1]]]
)
def test_what_is_no_table_is_refused(source: object) -> None:
    with pytest.raises(DataError):
        read(source)


def test_pandas_types_are_read_and_an_index_of_its_own_is_said() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "whole": pd.array([1, None], dtype="Int64"),
            "flag": pd.array([True, None], dtype="boolean"),
            "text": pd.array(["x", None], dtype="string"),
            "level": pd.Categorical(["a", None]),
            "mixed": [1, "a"],
            "at": pd.to_datetime(["2025-01-01", None]).tz_localize("Europe/Berlin"),
            "took": pd.to_timedelta([1, None], unit="s"),
            "month": pd.period_range("2025-01", periods=2, freq="M"),
            7: [Decimal("1.5"), None],
        },
        index=["r1", "r2"],
    )
    loaded = read(frame)
    assert str(loaded.frame.schema.field("at").type).endswith("tz=Europe/Berlin]")
    assert loaded.frame.column("whole").to_pylist() == [1, None]
    assert loaded.frame.column("flag").to_pylist() == [True, None]
    assert loaded.frame.column("level").to_pylist() == ["a", None]
    assert loaded.frame.column("mixed").to_pylist() == ["1", "a"]
    assert loaded.frame.column("7").to_pylist() == [Decimal("1.5"), None]
    assert "index" in str(loaded.notes[0])
    assert [note.column for note in loaded.notes[1:]] == ["mixed"]


def test_a_pandas_table_with_a_name_twice_keeps_both_columns() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    assert read(frame).frame.to_pydict() == {"a": [1], "a.1": [2]}


def test_polars_types_are_read() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(
        {
            "level": pl.Series(["a", None], dtype=pl.Categorical),
            "grade": pl.Series(["x", "y"], dtype=pl.Enum(["x", "y"])),
            "took": [timedelta(seconds=1), None],
            "day": [date(2025, 1, 1), None],
            "text": ["a", None],
            "parts": [[1, 2], None],
        }
    )
    read_frame = read(frame).frame
    assert read_frame.column("level").to_pylist() == ["a", None]
    assert read_frame.column("grade").to_pylist() == ["x", "y"]
    assert pa.types.is_duration(read_frame.schema.field("took").type)
    assert pa.types.is_string(read_frame.schema.field("text").type)
    assert read(frame.lazy()).frame.equals(read_frame)


def test_anything_with_an_arrow_stream_is_read() -> None:
    class Stream:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return pa.table({"a": [datetime(2025, 1, 1)]}).__arrow_c_stream__(requested_schema)

    assert read(Stream()).frame.num_rows == 1
    assert read(pa.record_batch({"a": [1]})).frame.num_rows == 1
