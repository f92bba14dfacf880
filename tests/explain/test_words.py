"""Cells, usual values and reasons as people read them."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad.explain import (
    Usual,
    sentence,
    show_value,
    usual_from_state,
    usual_state,
    usual_values,
)

pa = pytest.importorskip("pyarrow")


def column(values, kind=None):
    return pa.chunked_array([pa.array(values, kind)])


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (9999, "number", "9,999"),
        (0.00012, "number", "0.00012"),
        (1.2e9, "number", "1.2e+09"),
        (-1234.56, "number", "-1,235"),
        (41.50, "number", "41.5"),
        (0.0, "number", "0"),
        (3.0, "number", "3"),
        (1e-9, "number", "1e-09"),
        (99999.99, "number", "100,000"),
        (float("nan"), "number", "missing"),
        (float("-inf"), "number", "minus infinite"),
        (Decimal("12.50"), "number", "12.5"),
        (np.float32(2.5), "number", "2.5"),
        (np.int64(1234), "number", "1,234"),
        (timedelta(hours=5), "number", "5:00:00"),
        (None, "text", "missing"),
        (True, "boolean", "true"),
        (10115, "category", "10115"),
        (3.0, "category", "3"),
        ("", "text", "empty"),
        ("two\nlines", "text", "two lines"),
        ("x" * 60, "text", "x" * 39 + "…"),
        (date(2024, 2, 29), "time", "2024-02-29"),
        (datetime(2024, 2, 29, 3, 5), "time", "2024-02-29 03:05"),
        (datetime(2024, 2, 29, tzinfo=UTC), "time", "2024-02-29 00:00 UTC"),
    ],
)
def test_a_cell_is_shown_short_and_plain(value, kind, text):
    assert show_value(value, kind) == text


@given(st.floats(-1e300, 1e300))
def test_any_number_is_shown_to_half_a_percent(value):
    shown = float(show_value(value, "number").replace(",", ""))
    assert shown == pytest.approx(value, rel=5e-3, abs=1e-300)


REGIONS = column(["North"] * 60 + ["South"] * 30 + ["East"] * 9 + ["West"])
AMOUNTS = column(np.linspace(0, 200, 1001))


@pytest.mark.parametrize(
    ("values", "kind", "text", "brief"),
    [
        (AMOUNTS, "number", "10 to 190, typically 100", "10 to 190"),
        (column(list(range(100))), "number", "5 to 94, typically 50", "5 to 94"),
        (column([5.0] * 98 + [None] * 2), "number", "mostly 5; missing in 2 %", "5"),
        (column(100 + np.linspace(0, 1, 101) / 100), "number",
         "100.001 to 100.01, typically 100.005", "100.001 to 100.01"),
        (column([None] * 3, pa.float64()), "number", "always missing", "missing"),
        (REGIONS, "category", "North (60 %), South (30 %) or East (9 %)",
         "North, South or East"),
        (column([f"c{at}" for at in range(200)]), "category",
         "c0 (0.5 %), c1 (0.5 %), c2 (0.5 %), c3 (0.5 %) or one of 196 others",
         "one of 200 values"),
        (REGIONS.dictionary_encode(), "category", "North (60 %), South (30 %) or East (9 %)",
         "North, South or East"),
        (column([True] * 3 + [False]), "boolean", "true (75 %) or false (25 %)", "true or false"),
        (column(["a note"] * 40 + [f"note no. {at}" for at in range(10, 70)]), "text",
         "6 to 11 characters, often a note (40 %)", "6 to 11 characters"),
        (column([date(2024, 1, 1), date(2024, 6, 30)]), "time",
         "2024-01-01 to 2024-06-30", "2024-01-01 to 2024-06-30"),
        (column([timedelta(seconds=at) for at in range(101)]), "number",
         "0:00:05 to 0:01:35, typically 0:00:50", "0:00:05 to 0:01:35"),
        (column([Decimal(at) / 4 for at in range(101)]), "number",
         "1.25 to 23.8, typically 12.5", "1.25 to 23.8"),
    ],
)  # fmt: skip
def test_what_is_usual_is_said_in_few_words(values, kind, text, brief):
    usual = usual_values(values, kind)
    assert (usual.text, usual.brief) == (text, brief)
    assert usual_from_state(json.loads(json.dumps(usual_state(usual)))) == usual


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


def test_shares_are_of_all_rows_and_ranges_of_the_ordinary_ones():
    amounts = column([*range(100), 10_000, 10_001, None, None])
    usual = usual_values(amounts, "number", ordinary=np.arange(100))
    assert (usual.low, usual.high) == (5, 94)
    assert usual.missing == pytest.approx(2 / 104)
    regions = column(["North"] * 95 + ["South"] * 5)
    assert usual_values(regions, "category", ordinary=np.arange(95)).levels["South"] == 0.05
    only_gaps = usual_values(amounts, "number", ordinary=np.array([102, 103]))
    assert (only_gaps.low, only_gaps.high) == (5, 96)


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


def test_times_with_nanoseconds_and_zones_are_read():
    stamps = pa.array(np.arange(100).astype("datetime64[ns]"))
    assert usual_values(pa.chunked_array([stamps]), "time").text == "mostly 1970-01-01 00:00"
    zoned = column([datetime(2024, 1, 1, tzinfo=UTC)], pa.timestamp("us", tz="Europe/Berlin"))
    assert usual_values(zoned, "time").text == "mostly 2024-01-01 01:00+01:00"


def test_years_have_no_separator_and_other_whole_numbers_do():
    years = usual_values(column(list(range(1950, 2020))), "number")
    assert years.show(2019) == "2019"
    assert years.text.startswith("195")
    assert sentence(["built"], [1850], [years]).startswith("built is 1850 (usually 195")
    counts = usual_values(column(list(range(950, 3020))), "number")
    assert counts.show(2019) == "2,019"


def test_how_far_a_value_lies_outside_is_told_in_widths_of_the_usual_range():
    number = Usual("number", 0.0, low=0.0, high=10.0)
    assert [number.excess(value) for value in (5, -5.0, 30)] == [0, 0.5, 2]
    assert number.excess(None) == 1
    assert Usual("number", 0.5, low=0.0, high=10.0).excess(None) == 0
    assert Usual("number", 0.0, low=3, high=3).excess(4) == 1
    assert Usual("category", 0.0, levels={"a": 1.0}, n_levels=1).excess("b") == 1
    assert Usual("text", 0.0, low=2, high=4).excess("a" * 8) == 2
