"""A value is placed among those of its column."""

from __future__ import annotations

import made_up_findings as made_up
import pytest

from slad.model.findings import ColumnProfile
from slad.model.json_form import from_json
from slad.report.shapes import place


def profile(name: str, kind: str = "number", **more: object) -> ColumnProfile:
    return from_json(ColumnProfile, made_up.column(name, kind, **more), name)


NUMBERS = profile("x", shape={"edges": [0, 1, 2, 3, 4], "counts": [1, 0, 8, 1]})
LEVELS = profile("x", shape={"levels": ["True", "two  words", "3.0"], "counts": [6, 3, 1]})
TIMES = profile("x", "time", shape={"edges": [0, 86400], "counts": [1]})


@pytest.mark.parametrize(
    ("column", "value", "at", "words"),
    [
        (NUMBERS, "2.5", 0.595, "higher than 50\xa0% of the values"),
        (NUMBERS, "0.5", 0.215, "lower than 95\xa0% of the values"),
        (NUMBERS, "1.5", 0.405, "in a gap where no value was seen"),
        (NUMBERS, "1e9", 1.0, "higher than nearly all values seen"),
        (NUMBERS, "-4", 0.06, "lower than nearly all values seen"),
        (NUMBERS, "missing", None, "0\xa0% of the rows have no value here"),
        (TIMES, "1970-01-03 00:00:00", 0.94, "later than nearly all values seen"),
        (TIMES, "1970-01-01 02:00:00+02:00", 0.12, "earlier than nearly all values"),
        (LEVELS, "true", 0.264, "60\xa0% of the values are the same"),
        (LEVELS, "two wor…", 0.66, "30\xa0% of the values are the same"),
        (LEVELS, "3", 0.836, "10\xa0% of the values are the same"),
        (LEVELS, "other", 0.94, "not among the common values"),
    ],
)
def test_a_value_is_placed_among_those_of_its_column(column, value, at, words):
    found = place(column, value)
    assert found.words == words
    assert found.at == (at if at is None else pytest.approx(at))


@pytest.mark.parametrize("value", ["infinite", "", "12 apples"])
def test_a_value_that_is_no_number_is_not_placed(value):
    assert place(NUMBERS, value) is None
