"""Summaries of columns from blocks of rows, in any order, of any process."""

from __future__ import annotations

import datetime as dt
import json
from itertools import permutations

import pyarrow as pa
import pytest

from slad.core.state import State
from slad.engines.summary import Ascent, ColumnSummary

COLUMNS = {
    "number": pa.array([2.5, None, float("nan"), float("inf"), -7.0, 3.0, 3.0, None]),
    "whole": pa.array([2**60 + 1, None, -(2**60) - 1, 5, 5, 5, 0, 1]),
    "boolean": pa.array([True, None, True, False, True, True, None, True]),
    "text": pa.array(["b", "a", None, "b", "", "c", "b", "a"]),
    "day": pa.array([dt.date(2024, 1, day) for day in range(1, 9)]),
    "empty": pa.nulls(8, pa.float64()),
}
named = pytest.mark.parametrize("name", COLUMNS)


def summary_of(*blocks: pa.Array, levels: bool = True) -> ColumnSummary:
    summary = ColumnSummary(blocks[0].type, levels=levels)
    for block in blocks:
        summary.add(pa.chunked_array([block]))
    return summary


def facts(summary: ColumnSummary) -> dict:
    counts = None if summary.counts is None else summary.counts.table.to_pydict()
    values = {"different": summary.different, "filled": summary.filled, "counts": counts}
    return values | {name: getattr(summary, name) for name in ("rows", "missing", "ends", "whole")}


def over_the_wire(state: State) -> State:
    return State(json.loads(json.dumps(state.values)), state.arrays)


@named
def test_blocks_and_processes_give_the_summary_of_the_whole_column(name):
    cells = COLUMNS[name]
    expected = facts(summary_of(cells))
    assert facts(summary_of(cells[:3], cells[3:3], cells[3:])) == expected
    merged = summary_of(cells[:3])
    merged.merge(summary_of(cells[3:]))
    assert facts(merged) == expected
    begun = ColumnSummary(cells.type, levels=True)
    begun.merge(merged)
    assert facts(begun) == expected


@named
def test_a_state_of_json_and_arrays_gives_the_same_summary(name):
    summary = summary_of(COLUMNS[name])
    again = ColumnSummary.from_state(over_the_wire(summary.state()))
    assert facts(again) == facts(summary)
    assert again.type == summary.type


def test_ends_are_those_of_all_numbers_and_of_the_finite_ones():
    summary = summary_of(COLUMNS["number"])
    assert summary.ends == {"all": (-7.0, float("inf")), "finite": (-7.0, 3.0)}
    assert (summary.rows, summary.missing, summary.filled) == (8, 2, 6)


def test_whole_numbers_beyond_the_floats_keep_their_last_digit():
    assert summary_of(COLUMNS["whole"]).whole == (-(2**60) - 1, 2**60 + 1)


def test_times_have_the_ends_of_their_seconds_and_of_the_parts_of_their_cycles():
    ends = summary_of(COLUMNS["day"]).ends
    assert ends["seconds"] == (1704067200.0, 1704672000.0)
    assert ends["weekday"] == (0.0, 6 / 7)  # 1 January 2024 was a Monday
    assert ends["hour"] == (0.0, 0.0)


@pytest.mark.parametrize(
    ("cells", "different"),
    [
        (pa.array(["a", "b", "a", "c", None]), 3),
        (pa.array([1.0, 2.0, 3.0]), 2),  # stands for any number above 1
        (pa.array([4.0, 4.0, None]), 1),
        (pa.nulls(3, pa.float64()), 1),
        (pa.array([dt.date(2024, 1, 1), dt.date(2024, 1, 2)]), 2),
    ],
)
def test_different_values_are_counted_where_that_matters(cells, different):
    assert summary_of(cells, levels=False).different == different


def test_the_values_of_numbers_with_a_fraction_are_kept_only_when_they_are_levels():
    cells = pa.array([1.5, -0.0, 1.5, 0.0, None])
    assert summary_of(cells, levels=False).counts is None
    table = summary_of(cells).counts.table
    assert table.to_pydict() == {"value": ["1.5", "0"], "count": [2, 2]}


def ascent_of(*blocks: tuple[int, list[int | None]]) -> Ascent:
    ascent = Ascent()
    for first, cells in blocks:
        ascent.add(first, pa.chunked_array([pa.array(cells, pa.int64())]))
    return ascent


@pytest.mark.parametrize(
    ("cells", "holds"),
    [([1, 2, 2, 5, 9, 9], True), ([1, 2, 3, 2, 9, 9], False), ([1, 2, None, 3, 4, 5], False)],
)
def test_an_ascent_is_seen_from_blocks_in_any_order(cells, holds):
    for order in permutations([0, 2, 4]):
        assert ascent_of(*((first, cells[first : first + 2]) for first in order)).holds() == holds


def test_a_fall_between_blocks_is_seen_though_each_block_rises():
    assert not ascent_of((0, [5, 6]), (2, [1, 2])).holds()
    apart = ascent_of((2, [1, 2]))
    apart.merge(ascent_of((0, [5, 6])))
    assert not apart.holds()


def test_blocks_that_follow_each_other_are_one_run_so_that_memory_does_not_grow():
    ascent = ascent_of(*((first, [first, first]) for first in range(0, 40, 2)), (40, []))
    assert ascent.runs == [(0, 40, 0, 38)]


def test_an_ascent_comes_back_from_json():
    for ascent in (ascent_of((0, [1, 2]), (7, [3])), ascent_of((0, [2, 1]))):
        again = Ascent.from_state(over_the_wire(ascent.state()))
        assert (again.runs, again.fell, again.holds()) == (
            ascent.runs,
            ascent.fell,
            ascent.holds(),
        )
