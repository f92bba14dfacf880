"""The four rules: whom they flag, from which score on, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad.core.errors import ConfigError
from slad.decisions import RULES, Calibration, make_rule

VALUES = {"fpr": 0.1, "fdr": 0.3, "top": 3, "contamination": 0.1}
scores_of = st.lists(st.integers(-5, 5) | st.floats(-100, 100), min_size=1, max_size=40)


def calibration(scores, clean=True) -> Calibration:
    return Calibration(np.array(scores, dtype=float), clean=clean, kind="cross", folds=5)


@pytest.mark.parametrize("kind", RULES)
@given(known=scores_of, new=scores_of)
def test_rows_are_flagged_from_the_threshold_on(kind, known, new):
    rule, yardstick = make_rule(kind, VALUES[kind]), calibration(known)
    scores = np.array(new, dtype=float)
    pvalues = yardstick.pvalues(scores)
    flags = rule.flags(scores, pvalues, yardstick)
    threshold = rule.threshold(scores, pvalues, yardstick)
    if threshold is None:
        assert flags.all() or not flags.any()
    elif kind == "top":
        assert flags[scores > threshold].all()
        assert not flags[scores < threshold].any()
    else:
        assert (flags == (scores >= threshold)).all()


@pytest.mark.parametrize("kind", ["fpr", "contamination"])
@given(known=scores_of)
def test_of_its_own_rows_at_most_the_given_share_is_flagged(kind, known):
    rule, yardstick = make_rule(kind, 0.1), calibration(known)
    scores = np.array(known, dtype=float)
    pvalues = yardstick.own_pvalues(scores)
    flags = rule.flags(scores, pvalues, yardstick)
    assert flags.mean() <= 0.1
    threshold = rule.threshold(scores, pvalues, yardstick)
    assert threshold is None or (flags == (scores >= threshold)).all()


def test_contamination_flags_the_believed_share_of_rows_without_ties():
    scores = np.random.default_rng(0).normal(size=200)
    yardstick = calibration(scores)
    flags = make_rule("contamination", 0.05).flags(scores, yardstick.own_pvalues(scores), yardstick)
    assert flags.sum() == 10


@given(scores_of, st.integers(1, 50))
def test_top_flags_exactly_k_rows_and_of_ties_the_first(scores, k):
    values = np.array(scores, dtype=float)
    flags = make_rule("top", k).flags(values, np.ones(len(values)), calibration([0.0]))
    assert flags.sum() == min(k, len(values))
    for tie in np.unique(values):
        mine = flags[values == tie]
        assert (np.sort(mine)[::-1] == mine).all()


@pytest.mark.parametrize("kind", RULES)
def test_no_row_no_flag(kind):
    none = np.empty(0)
    rule = make_rule(kind, VALUES[kind])
    assert len(rule.flags(none, none, calibration([1.0]))) == 0
    rule.threshold(none, none, calibration([1.0]))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("fpr", 0),
        ("fpr", 1),
        ("fpr", 1.5),
        ("fpr", True),
        ("fpr", "0.1"),
        ("fpr", float("nan")),
        ("fdr", -0.1),
        ("top", 0),
        ("top", 1.5),
        ("top", True),
        ("contamination", 0.6),
    ],
)
def test_a_value_that_cannot_work_is_named(kind, value):
    with pytest.raises(ConfigError, match=f"{kind}={value!r}"):
        make_rule(kind, value)


def test_an_unknown_rule_is_answered_with_the_known_ones():
    with pytest.raises(ConfigError, match="did you mean fdr"):
        make_rule("fdrr", 0.1)


def test_a_level_below_what_the_rows_can_show_is_refused_with_the_number_needed():
    rule = make_rule("fpr", 0.01)
    rule.check(99, own_rows=False)
    with pytest.raises(ConfigError, match=r"needs 99 .* there are 98.*at least 0\.0102"):
        rule.check(98, own_rows=False)
    rule.check(100, own_rows=True)
    with pytest.raises(ConfigError, match="needs 100"):
        rule.check(99, own_rows=True)


def test_the_level_that_the_error_offers_works():
    for rows in (1, 7, 30, 98):
        for own_rows in (False, True):
            with pytest.raises(ConfigError) as refused:
                make_rule("fpr", 1e-6).check(rows, own_rows=own_rows)
            offered = float(str(refused.value).split("at least ")[1])
            if offered < 1:
                make_rule("fpr", offered).check(rows, own_rows=own_rows)


def test_false_discoveries_cannot_be_bounded_on_the_calibration_rows_themselves():
    with pytest.raises(ConfigError, match="known to be normal"):
        make_rule("fdr", 0.1).check(1000, own_rows=True)
    with pytest.raises(ConfigError, match="needs 9 calibration rows"):
        make_rule("fdr", 0.1).check(8, own_rows=False)


def test_a_share_of_less_than_a_row_is_refused():
    with pytest.raises(ConfigError, match="less than one row"):
        make_rule("contamination", 0.01).check(50, own_rows=True)


@pytest.mark.parametrize("kind", RULES)
def test_every_rule_says_what_it_promises(kind):
    said = {make_rule(kind, VALUES[kind]).sentence(calibration([1.0], clean)) for clean in (0, 1)}
    assert all(each.endswith(".") for each in said)
    assert (len(said) == 2) == (kind in ("fpr", "fdr"))  # only these promise something of errors


@pytest.mark.parametrize("kind", RULES)
def test_a_rule_is_made_again_from_its_kind_and_value(kind):
    rule = make_rule(kind, VALUES[kind])
    assert make_rule(rule.kind, rule.value) == rule


def test_false_discoveries_stay_within_the_rate_on_average():
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(300):
        yardstick = calibration(rng.normal(size=400))
        scores = np.concatenate([rng.normal(size=90), rng.normal(4, 1, size=10)])
        flags = make_rule("fdr", 0.2).flags(scores, yardstick.pvalues(scores), yardstick)
        shares.append(flags[:90].sum() / max(1, flags.sum()))
    assert np.mean(shares) <= 0.2
