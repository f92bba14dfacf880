"""Numbers and names as a reader sees them."""

from __future__ import annotations

import math

import pytest

from slad.report import wording


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (999.4, "999"),
        (1000, "1,000"),
        (-12345.6, "−12,346"),
        (1e12, "1e+12"),
        (-0.00001234, "−1.23e−5"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
    ],
)
def test_a_figure_has_three_digits_and_a_true_minus(value, text):
    assert wording.figure(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.005, "1.00"), (-0.5, "−0.50"), (1234.5, "1,234"), (math.inf, "∞"), (None, "–")],
)
def test_scores_line_up_unless_they_are_large(value, text):
    assert wording.score(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0005, "<_0.1_%"),
        (0.001, "0.1_%"),
        (0.0995, "10_%"),
        (0.99, "99_%"),
        (0.991, ">_99_%"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_a_share_is_never_rounded_to_nothing_or_to_everything(value, text):
    assert wording.share(value) == text.replace("_", "\u00a0")


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1.000"), (0.00094, "0.0009"), (0.00096, "0.001"), (0, "<_0.0001"), (None, "–")],
)
def test_a_p_value_is_never_rounded_to_zero(value, text):
    assert wording.pvalue(value) == text.replace("_", "\u00a0")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0 s"), (9.96, "10 s"), (59.9, "60 s"), (60, "1 min 0 s"), (3725, "62 min 5 s")],
)
def test_seconds_become_minutes(value, text):
    assert wording.seconds(value) == text


@pytest.mark.parametrize("longest", [3, 4, 9, 14])
def test_what_is_cut_is_no_longer_than_allowed(longest):
    for cut in (wording.cut, wording.cut_name):
        assert len(cut("a long sentence", longest)) <= longest
        assert "…" in cut("a long sentence", longest)
        assert cut("a" * longest, longest) == "a" * longest


def test_a_cut_leaves_no_space_before_its_mark():
    assert wording.cut("one two three", 5) == "one…"


@pytest.mark.parametrize(
    ("names", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a, b", "c"], "a, b and c")],
)
def test_a_list_of_names_reads_as_one(names, text):
    assert wording.listed(names) == text


def test_irregular_plurals_can_be_given():
    assert wording.counted(1, "entry", "entries") == "1 entry"
    assert wording.counted(0, "entry", "entries") == "0 entries"
