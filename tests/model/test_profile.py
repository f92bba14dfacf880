"""The profile of a table: one entry per column."""

from __future__ import annotations

import json

import pyarrow as pa
from made_up_orders import orders

from slad.explain import usual_values
from slad.model.profile import profile
from slad.tables import plan_columns

TABLE = orders(40).append_column("same", pa.array(["x"] * 40))
PLAN = plan_columns(TABLE, drop=["gift"])


def by_name(**usuals) -> dict[str, dict]:
    return {entry["name"]: entry for entry in profile(TABLE, PLAN, usuals)}


def test_every_column_has_an_entry_in_the_table_s_order_as_json() -> None:
    found = profile(TABLE, PLAN, {})
    assert [entry["name"] for entry in found] == TABLE.column_names
    assert json.loads(json.dumps(found)) == found


def test_a_column_that_is_left_out_says_why_and_has_no_picture() -> None:
    for name in ("order", "gift", "same"):
        entry = by_name()[name]
        assert (entry["used"], entry["shape"], entry["usual"]) == (False, None, "")
        assert entry["note"].startswith("left out")


def test_the_picture_counts_the_cells_that_are_there() -> None:
    found = by_name()
    assert sum(found["item"]["shape"]["counts"]) == 40
    weight = TABLE.column("weight")
    assert found["weight"]["missing"] == weight.null_count / 40 > 0
    assert sum(found["weight"]["shape"]["counts"]) <= 40 - weight.null_count


def test_usual_values_are_told_in_the_words_of_explanations() -> None:
    rows = pa.array(range(40)).to_numpy()
    usual = usual_values(TABLE.column("price"), "number", rows)
    assert by_name(price=usual)["price"]["usual"] == usual.text
    assert usual.text


def test_a_table_without_rows_has_no_missing_cells() -> None:
    empty = profile(TABLE.slice(0, 0), PLAN, {})
    assert {entry["missing"] for entry in empty} == {0.0}
