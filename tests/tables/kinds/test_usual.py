"""Usual values: measured, saved, and put into words."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from slad.core.state import State  # noqa: E402
from slad.explain import sentence  # noqa: E402
from slad.tables.kinds import usual_from_state, usual_values  # noqa: E402
from slad.tables.kinds.number import NumberUsual  # noqa: E402
from slad.tables.kinds.shares import SharesUsual  # noqa: E402
from slad.tables.kinds.text import TextUsual  # noqa: E402


def column(values, kind=None):
    return pa.chunked_array([pa.array(values, kind)])


REGIONS = column(["North"] * 60 + ["South"] * 30 + ["East"] * 9 + ["West"])
AMOUNTS = column(np.linspace(0, 200, 1001))


def through_json(usual):
    """As a model file keeps it."""
    return usual_from_state(State(json.loads(json.dumps(usual.state().values, sort_keys=True)), {}))


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
    number = NumberUsual("number", 0.0, low=0.0, high=10.0)
    assert [number.excess(value) for value in (5, -5.0, 30)] == [0, 0.5, 2]
    assert number.excess(None) == 1
    assert NumberUsual("number", 0.5, low=0.0, high=10.0).excess(None) == 0
    assert NumberUsual("number", 0.0, low=3, high=3).excess(4) == 1
    assert SharesUsual("category", 0.0, levels={"a": 1.0}, n_levels=1).excess("b") == 1
    assert TextUsual("text", 0.0, low=2, high=4).excess("a" * 8) == 2


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["z"] * 60 + ["m"] * 25 + ["a"] * 15, "category"),
        (["zz"] * 60 + ["m"] * 25 + ["aaa"] * 15, "text"),
    ],
)
def test_a_saved_model_names_the_most_common_levels_first(values, kind):
    usual = usual_values(column(values), kind)
    assert list(through_json(usual).levels) == list(usual.levels)
    assert through_json(usual).text == usual.text


def test_decimals_far_outside_are_measured():
    usual = usual_values(column([Decimal(at) / 4 for at in range(101)]), "number")
    assert usual.excess(Decimal(48)) == pytest.approx((48 - usual.high) / (usual.high - usual.low))
