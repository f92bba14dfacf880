"""Usual values: measured, saved, and put into words."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from small_tables import column, through_json

from slad.tables.kinds import usual_values
from slad.tables.kinds.number import NumberUsual
from slad.tables.kinds.shares import SharesUsual
from slad.tables.kinds.text import TextUsual

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
    loaded = through_json(usual)
    assert loaded == usual


def test_shares_are_of_all_rows_and_ranges_of_the_ordinary_ones():
    amounts = column([*range(100), 10_000, 10_001, None, None])
    usual = usual_values(amounts, "number", ordinary=np.arange(100))
    assert (usual.low, usual.high) == (5, 94)
    assert usual.missing == pytest.approx(2 / 104)
    regions = column(["North"] * 95 + ["South"] * 5)
    assert usual_values(regions, "category", ordinary=np.arange(95)).levels["South"] == 0.05
    only_gaps = usual_values(amounts, "number", ordinary=np.array([102, 103]))
    assert (only_gaps.low, only_gaps.high) == (5, 96)


def test_how_far_a_value_lies_outside_is_told_in_widths_of_the_usual_range():
    number = NumberUsual("number", 0.0, low=0.0, high=10.0)
    assert [number.excess(value) for value in (5, -5.0, 30)] == [0, 0.5, 2]
    assert number.excess(None) == 1
    assert NumberUsual("number", 0.5, low=0.0, high=10.0).excess(None) == 0
    assert NumberUsual("number", 0.0, low=3, high=3).excess(4) == 1
    assert SharesUsual("category", 0.0, levels={"a": 1.0}, n_levels=1).excess("b") == 1
    assert TextUsual("text", 0.0, low=2, high=4).excess("a" * 8) == 2
