"""How rare each value of a column is."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from small_tables import column

from slad.engines.summary import ColumnSummary
from slad.tables.kinds import levels
from slad.tables.kinds.levels import Levels


def test_values_seen_twice_are_kept_and_the_rest_shares_what_was_seen_once() -> None:
    found = Levels.fit(column(["b", "a", "a", "once", "a", "b", None, "also"]))
    assert found.values == ("a", "b")
    assert found.shares.tolist() == pytest.approx([3 / 9, 2 / 9, 2.5 / 9, 1 / 9])


def test_what_never_came_has_half_a_row() -> None:
    found = Levels.fit(column(["a"] * 9))
    assert found.shares.tolist() == pytest.approx([0.9, 0.05, 0.05])


def test_values_as_common_as_each_other_stay_in_the_order_of_their_coming() -> None:
    assert Levels.fit(column(["z", "a", "a", "z", "m", "m", "m"])).values == ("m", "z", "a")


def test_a_cell_has_the_position_of_its_share() -> None:
    found = Levels.fit(column(["a", "a", "b", "b"]))
    assert found.codes(column(["b", "new", None, "a"])).tolist() == [1, 2, 3, 0]
    assert found.codes(column([None], pa.string())).tolist() == [3]


def test_the_most_common_value_has_no_rarity_and_others_that_of_their_share() -> None:
    found = Levels.fit(column(["a"] * 8 + ["b"] * 2))
    assert found.rarity(np.array([0, 1, 2])).tolist() == pytest.approx(
        [0, np.log(8 / 2), np.log(8 / 0.5)]
    )


def test_where_every_value_is_new_a_new_one_has_no_rarity() -> None:
    found = Levels.fit(column(["a", "b", "c"]))
    assert found.rarity(found.codes(column(["new", "a"]))).tolist() == [0, 0]


def test_numbers_are_values_as_text() -> None:
    assert Levels.fit(column([1, 1, 2, 2, 2])).values == ("2", "1")
    assert Levels.fit(column([0.0, -0.0])).values == ("0",)


def test_only_the_most_common_values_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MOST_LEVELS", 1)
    found = Levels.fit(column(["a", "a", "b", "b", "b"]))
    assert found.values == ("b",)
    assert found.shares.tolist() == pytest.approx([3 / 6, 2.5 / 6, 0.5 / 6])


def test_cells_that_were_not_counted_are_among_the_rest() -> None:
    found = Levels.of_counts(pa.array(["a"]), np.array([4]), missing=0, uncounted=5)
    assert found.shares.tolist() == pytest.approx([4 / 10, 5.5 / 10, 0.5 / 10])


def test_a_stream_gives_the_levels_of_the_table() -> None:
    first, second = column(["b", "a", None]), column(["a", "b", "a", "once"])
    summary = ColumnSummary(pa.string(), levels=True)
    summary.add(first)
    summary.add(second)
    streamed = Levels.of_summary(summary)
    whole = Levels.fit(pa.chunked_array([*first.chunks, *second.chunks]))
    again = Levels.from_state(whole.state())
    for other in (streamed, again):
        assert other.values == whole.values
        assert np.array_equal(other.shares, whole.shares)
