"""Counts of values, exact where they fit and of the common values where they do not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from slad.engines import value_counts
from slad.engines.value_counts import ValueCounts


def test_the_common_values_survive_where_there_are_too_many_to_count(monkeypatch):
    monkeypatch.setattr(value_counts, "MOST_DIFFERENT", 100)
    rng = np.random.default_rng(0)
    counts = ValueCounts(pa.string(), keep=True)
    for _ in range(50):
        rare = [f"rare {number}" for number in rng.integers(10**9, size=30)]
        counts.add(pa.chunked_array([rare + ["often"] * 20 + ["now and then"] * 5]))
    table = dict(zip(*counts.table.to_pydict().values(), strict=True))
    assert table["often"] == 1000
    assert table["now and then"] == 250
    assert len(table) <= 100
    assert sum(table.values()) + counts.uncounted == counts.cells == 50 * 55
    assert counts.different == pytest.approx(1502, rel=0.05)


def counts_of(*blocks: list[str | None], keep: bool = True) -> ValueCounts:
    counts = ValueCounts(pa.string(), keep=keep)
    for block in blocks:
        counts.add(pa.chunked_array([pa.array(block, pa.string())]))
    return counts


def test_values_come_in_the_order_in_which_they_first_occur_and_missing_cells_do_not_count():
    counts = counts_of(["b", None, "a"], [], ["a", "c", "b", "a"])
    assert counts.table.to_pydict() == {"value": ["b", "a", "c"], "count": [2, 3, 1]}
    assert (counts.cells, counts.different, counts.uncounted) == (6, 3, 0)


def test_a_column_without_a_value_has_none():
    for counts in (counts_of(), counts_of([None, None])):
        assert (len(counts.table), counts.cells, counts.different, counts.uncounted) == (0, 0, 0, 0)


def test_counts_of_processes_add_up():
    whole = counts_of(["b", "a"])
    whole.merge(counts_of())
    whole.merge(counts_of(["c", "a"], ["a"]))
    assert whole.table.to_pydict() == {"value": ["b", "a", "c"], "count": [1, 3, 1]}
    assert whole.cells == 5


@pytest.mark.parametrize("keep", [True, False])
def test_where_only_the_number_of_values_is_wanted_counting_stops_and_it_is_extrapolated(
    keep, monkeypatch
):
    monkeypatch.setattr(value_counts, "MOST_DIFFERENT", 100)
    blocks = [[f"{number}" for number in range(first, first + 60)] for first in range(0, 600, 60)]
    counts = counts_of(*blocks, keep=keep)
    assert counts.different == 600
    assert counts.cells == 600
    assert len(counts.table) == 0 or keep


@pytest.mark.parametrize("most", [3, 100])
def test_a_state_goes_on_counting_where_it_was(most, monkeypatch):
    monkeypatch.setattr(value_counts, "MOST_DIFFERENT", most)
    blocks = list("aabc"), list("dab"), list("aeaf")
    whole = counts_of(*blocks)
    again = ValueCounts.from_state(counts_of(*blocks[:2]).state())
    again.add(pa.chunked_array([blocks[2]]))
    assert again.table.equals(whole.table)
    assert (again.cells, again.different) == (whole.cells, whole.different)
