"""Usual values that lie in a range."""

from __future__ import annotations

from slad.tables.kinds.ranges import RangeUsual

RANGE = RangeUsual("number", 0.0, low=10, middle=12, high=20)


def test_both_ends_are_in_the_range() -> None:
    assert [RANGE.has(value) for value in (9.99, 10, 20, 20.01)] == [False, True, True, False]


def test_the_distance_is_in_widths_on_either_side() -> None:
    assert [RANGE.distance(value) for value in (5, 25, 120)] == [0.5, 0.5, 10.0]


def test_any_other_value_is_one_width_away_from_a_single_one() -> None:
    single = RangeUsual("number", 0.0, low=3, middle=3, high=3)
    assert single.has(3)
    assert single.distance(1000) == 1.0
    assert (single.brief, single.text) == ("3", "mostly 3")


def test_a_range_without_ends_holds_nothing() -> None:
    nothing = RangeUsual("number", 0.5)
    assert not nothing.has(1)
    assert nothing.distance(1) == 1.0


def test_a_range_is_said_by_its_ends() -> None:
    assert (RANGE.brief, RANGE.text) == ("10 to 20", "10 to 20")
    assert RANGE.describe(21, own=False) == "21 (usually 10 to 20)"
