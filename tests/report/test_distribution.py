"""The histogram of the scores."""

from __future__ import annotations

from itertools import pairwise

import made_up_findings as made_up
import pytest
from page_reader import Reader

from slad.model.findings import Findings
from slad.report.distribution import distribution, round_numbers


def drawn(scores: dict, threshold: float | None = 2.0) -> str | None:
    rule = made_up.payments()["rule"] | {"threshold": threshold}
    return distribution(Findings.from_json(made_up.payments() | {"scores": scores, "rule": rule}))


FOUR = {"edges": [0, 1, 2, 3, 4], "judged": [4, 2, 0, 1], "calibration": [5, 5, 0, 0]}


def parts(page: str | None) -> list[tuple[str, str]]:
    """Places and widths of the two parts of the bars, in percent."""
    inside = [a for _, a in Reader(page or "").elements if a.get("class") == "part"]
    return [(a["x"], a["width"]) for a in inside]


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (3.0, [("0.000", "75.000"), ("75.000", "25.000")]),
        (None, [("0.000", "100.000")]),
        (9.0, [("0.000", "100.000")]),
        (-1.0, [("0.000", "100.000")]),
    ],
)
def test_the_threshold_parts_the_bars_where_it_lies(threshold, expected):
    page = drawn(FOUR, threshold)
    assert parts(page) == expected
    assert (threshold is not None) == ("rows at or above the threshold" in page)


@pytest.mark.parametrize("scores", [
    {"edges": [9.1, 9.1], "judged": [1], "calibration": [0]},
    {"edges": [0, 1, 2], "judged": [0, 0], "calibration": [1, 1]},
])  # fmt: skip
def test_one_score_or_none_is_not_drawn(scores):
    assert drawn(scores) is None


def test_calibration_rows_are_an_outline_where_there_are_any():
    assert "calibration rows" in drawn(FOUR)
    assert "calibration rows" not in drawn(FOUR | {"calibration": []})


def test_scores_beyond_the_last_bar_are_said():
    assert "higher scores" not in drawn(FOUR)
    assert "higher scores" not in drawn(FOUR | {"largest": 4.0})
    assert "The last bar includes all higher scores, up to 17." in drawn(FOUR | {"largest": 17.0})


def test_screen_readers_hear_the_range_and_the_threshold():
    labels = [a["aria-label"] for _, a in Reader(drawn(FOUR)).elements if "aria-label" in a]
    assert labels == [
        "Histogram of the scores from 0 to 4, threshold 2: 12 of 1,000 rows are flagged"
    ]


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-3.2, 11), (1e-7, 2e-7), (-1e9, 1e9), (0.1, 0.7), (4.99, 5.01)]
)
def test_there_are_a_few_round_numbers_between_both_ends(low, high):
    numbers = round_numbers(low, high)
    assert 3 <= len(numbers) <= 10
    assert low <= numbers[0] <= numbers[-1] <= high
    steps = {float(f"{b - a:.6g}") for a, b in pairwise(numbers)}
    assert len(steps) == 1
    assert f"{steps.pop():e}"[0] in "125"
