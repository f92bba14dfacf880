"""Reasons as sentences."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow")

from slad.explain import sentence, usual_values  # noqa: E402


def column(values, kind=None):
    return pa.chunked_array([pa.array(values, kind)])


REGIONS = column(["North"] * 60 + ["South"] * 30 + ["East"] * 9 + ["West"])
AMOUNTS = column(np.linspace(0, 200, 1001))
WORKING_DAYS = column(
    [
        datetime(2024, 1, 1, 9) + timedelta(days=7 * (at // 5) + at % 5, hours=at % 8)
        for at in range(200)
    ]
)
NOTES = column([f"note number {at}" for at in range(100, 200)])


@pytest.mark.parametrize(
    ("values", "kind", "value", "said"),
    [
        (AMOUNTS, "number", 9999, "x is 9,999 (usually 10 to 190)"),
        (AMOUNTS, "number", 25.0,
         "x is 25: usual by itself (10 to 190), not with the rest of the row"),
        (AMOUNTS, "number", None, "x is missing, as it never was before"),
        (column([1.0] * 99 + [None]), "number", None,
         "x is missing, as in only 1 % of the rows learned from"),
        (column([1.0, None]), "number", None,
         "x is missing, as in 50 % of the rows learned from, but not with the rest of the row"),
        (column([None] * 98 + ["a", "b"]), "category", "a",
         "x is a, seen in 1 % of the rows learned from (usually missing)"),
        (REGIONS, "category", "West",
         "x is West, seen in 1 % of the rows learned from (usually North, South or East)"),
        (REGIONS, "category", "Mars",
         "x is Mars, never seen before (usually North, South or East)"),
        (NOTES, "text", "?", "x is ?, 1 character long (usually 15)"),
        (WORKING_DAYS, "time", datetime(2024, 2, 6, 3, 12),
         "x is 2024-02-06 03:12, outside the usual hours (09:00 to 16:59)"),
        (WORKING_DAYS, "time", datetime(2024, 2, 4, 10),
         "x is 2024-02-04 10:00, a Sunday (usually Monday to Friday)"),
        (WORKING_DAYS, "time", datetime(2031, 2, 4, 10),
         "x is 2031-02-04 10:00 (usually 2024-01-01 09:00 to 2024-10-04 16:00)"),
    ],
)  # fmt: skip
def test_a_reason_is_a_sentence(values, kind, value, said):
    assert sentence(["x"], [value], [usual_values(values, kind)]) == said


@pytest.mark.parametrize(
    ("values", "kind", "value", "said"),
    [
        (column([1.0] * 99 + [None]), "number", None, "x is missing, as in no other row"),
        (column([1.0] * 97 + [None] * 4), "number", None,
         "x is missing, as in only 3 % of other rows"),
        (REGIONS, "category", "West",
         "x is West, seen in no other row (usually North, South or East)"),
        (column(["a"] * 98 + ["b", "b", None]), "category", "b",
         "x is b, seen in 1 % of other rows (usually a)"),
    ],
)  # fmt: skip
def test_a_row_of_the_table_is_not_counted_among_the_others(values, kind, value, said):
    assert sentence(["x"], [value], [usual_values(values, kind)], own=True) == said


def test_a_sentence_ends_with_the_nearest_normal_row_where_that_differs():
    usual = usual_values(AMOUNTS, "number")
    assert sentence(["x"], [999], [usual], [41.5]).endswith(
        "; in the nearest normal row it is 41.5"
    )
    assert "nearest" not in sentence(["x"], [999], [usual], [999.0])


def test_columns_that_are_odd_together_are_said_so():
    usual = usual_values(AMOUNTS, "number")
    assert sentence(["a", "b"], [300, 301], [usual] * 2, [20, 21]) == (
        "odd together: a is 300 (usually 10 to 190) and b is 301 (usually 10 to 190); "
        "in the nearest normal row they are 20 and 21"
    )
    many = sentence(list("abcde"), [300] * 5, [usual] * 5)
    assert many.endswith("c is 300 (usually 10 to 190) and 2 more columns")


@given(
    kind=st.sampled_from(["number", "category", "text", "boolean"]),
    values=st.lists(st.one_of(st.none(), st.integers(-5, 5)), max_size=6),
)
def test_any_small_column_has_usual_values_and_sentences(kind, values):
    typed = [None if value is None else str(value) for value in values]
    given_values = values if kind == "number" else typed
    usual = usual_values(
        column(given_values, pa.int64() if kind == "number" else pa.string()), kind
    )
    assert usual.text
    for value in (None, 7 if kind == "number" else "seven"):
        assert sentence(["x"], [value], [usual], [value]).startswith("x is ")
