"""A later table is held to the plan of the first."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")

from slad.core.errors import DataError  # noqa: E402
from slad.tables import conform, plan_columns, read, types_of  # noqa: E402


@pytest.fixture
def frame() -> pa.Table:
    return pa.table(
        {
            "amount": [1, 2, 3, 4],
            "colour": ["a", "b", "a", "b"],
            "day": [date(2025, 1, at) for at in (1, 2, 3, 5)],
            "at": pa.array(
                [datetime(2025, 1, at) for at in (1, 2, 3, 5)], pa.timestamp("s", "UTC")
            ),
            "ok": [True, False, True, True],
            "unit": ["kg"] * 4,
            "level": [2.0] * 4,
            "gone": pa.nulls(4, pa.string()),
        }
    )


def changed(frame: pa.Table, **columns: Any) -> pa.Table:
    for name, values in columns.items():
        frame = frame.set_column(frame.column_names.index(name), name, pa.array(values))
    return frame


def test_order_and_further_columns_do_not_matter(frame: pa.Table) -> None:
    plan = plan_columns(frame)
    other = frame.select(frame.column_names[::-1]).append_column("new", frame.column("amount"))
    result, notes = conform(other, plan)
    assert result.equals(frame)
    assert [str(note) for note in notes] == ["ignored, because the model does not know them: new"]


def test_a_missing_column_is_named_in_the_error(frame: pa.Table) -> None:
    plan = plan_columns(frame)
    other = frame.drop_columns(["unit"]).rename_columns({"amount": "amounts"})
    with pytest.raises(DataError, match=r"'amount'.* Is it 'amounts'\?"):
        conform(other, plan)


@pytest.mark.parametrize(
    ("name", "values", "part"),
    [
        ("amount", ["1", "2", "x7", "4"], "'amount'.*'x7'"),
        ("colour", [1, 2, 3, 4], "'colour'.*int64"),
        ("ok", [1, 0, 1, 0], "'ok'"),
        ("day", ["2025-01-01", "soon", "2025-01-01", "2025-01-01"], "'day'.*'soon'"),
        ("at", [datetime(2025, 1, 1)] * 4, "'at'.*UTC"),
    ],
)
def test_a_changed_type_is_named_with_a_value(
    frame: pa.Table, name: str, values: list[Any], part: str
) -> None:
    with pytest.raises(DataError, match=part):
        conform(changed(frame, **{name: values}), plan_columns(frame))


def test_wider_numbers_missing_cells_and_other_zones_are_fine(frame: pa.Table) -> None:
    other = changed(
        frame,
        amount=[0.5, None, 2.0, 1.0],
        colour=pa.nulls(4),
        at=pa.array([datetime(2025, 1, 1)] * 4, pa.timestamp("us", "Asia/Tokyo")),
    )
    result, notes = conform(other, plan_columns(frame))
    assert not notes
    assert result.column("amount").to_pylist() == [0.5, None, 2.0, 1.0]
    assert str(result.schema.field("colour").type) == "string"
    assert str(result.schema.field("at").type) == "timestamp[s, tz=UTC]"


def test_what_was_constant_or_empty_and_is_no_more_is_counted(frame: pa.Table) -> None:
    other = changed(
        frame, unit=["kg", "g", None, "kg"], level=[2, 2, 3, 2], gone=["x", None, None, None]
    )
    _, notes = conform(other, plan_columns(frame))
    counts = {note.column: note.text.split("; ")[1].split()[0] for note in notes}
    assert counts == {"unit": "2", "level": "1", "gone": "1"}


def test_what_is_still_constant_is_not_noted(frame: pa.Table) -> None:
    assert conform(changed(frame, level=[2] * 4), plan_columns(frame))[1] == ()
    signed = pa.table({"x": [0.0, -0.0]})
    assert conform(signed, plan_columns(signed))[1] == ()
    single = pa.table({"x": pa.array([42934810.0] * 2, pa.float32())})
    assert conform(single, plan_columns(single))[1] == ()


def test_a_part_of_a_whole_number_is_another_value() -> None:
    plan = plan_columns(pa.table({"x": [2, 2], "y": [1, 2]}))
    _, notes = conform(pa.table({"x": [2.5, 2.0], "y": [1, 2]}), plan)
    assert "1 cells differ" in notes[0].text


def test_the_order_of_day_and_month_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("n,d\n1,12/31/2025\n2,01/02/2025\n3,03/04/2025\n")
    plan = plan_columns(read(path).frame)
    path.write_text("n,d\n1,05/06/2025\n")
    result, _ = conform(read(path, types=types_of(plan)).frame, plan)
    assert result.column("d").to_pylist() == [date(2025, 5, 6)]
    path.write_text("n,d\n1,31/12/2025\n")
    with pytest.raises(DataError, match=r"%d/%m/%Y.*%m/%d/%Y"):
        conform(read(path, types=types_of(plan)).frame, plan)
