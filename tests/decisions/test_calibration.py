"""P-values: what they promise of normal rows, of ties, and of thresholds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad.core.errors import DataError
from slad.decisions import Calibration

numbers = st.lists(st.integers(-5, 5) | st.floats(-1e3, 1e3), min_size=1, max_size=40)


def calibration(scores) -> Calibration:
    return Calibration(np.array(scores, dtype=float), clean=True, kind="split")


@pytest.mark.parametrize("rounded", [False, True])
def test_pvalues_of_exchangeable_rows_are_super_uniform(rounded):
    rng = np.random.default_rng(0)
    draws = rng.normal(size=(20_000, 20))
    if rounded:
        draws = draws.round()
    pvalues = np.array([calibration(row[1:]).pvalues(row[:1])[0] for row in draws])
    for level in (0.05, 0.1, 0.25, 0.5, 0.9):
        error = np.sqrt(level * (1 - level) / len(draws))
        share = np.mean(pvalues <= level)
        assert share <= level + 3 * error
        if not rounded:  # 20 levels of p-values: exact at multiples of 0.05
            assert share >= level - 3 * error


@given(numbers, numbers)
def test_a_pvalue_counts_the_rows_that_are_as_strange_or_stranger(known, new):
    yardstick = calibration(known)
    found = yardstick.pvalues(np.array(new, dtype=float))
    wanted = [(1 + sum(c >= s for c in known)) / (len(known) + 1) for s in new]
    assert found.tolist() == wanted


@given(numbers, numbers)
def test_a_stranger_row_never_has_a_larger_pvalue(known, new):
    pvalues = calibration(known).pvalues(np.sort(np.array(new, dtype=float)))
    assert (np.diff(pvalues) <= 0).all()


@given(numbers)
def test_own_pvalues_are_ranks_with_the_row_itself_counted(known):
    scores = np.array(known, dtype=float)
    wanted = [(scores >= each).mean() for each in scores]
    np.testing.assert_allclose(calibration(known).own_pvalues(scores), wanted)


@given(numbers, numbers, st.sampled_from([0.01, 0.05, 0.07, 0.29, 0.5, 0.57, 0.99]))
def test_the_threshold_is_the_smallest_score_whose_pvalue_is_within_the_level(known, new, level):
    yardstick = calibration(known)
    threshold = yardstick.threshold(level)
    scores = np.array(new + known, dtype=float)
    assert ((scores >= threshold) == (yardstick.pvalues(scores) <= level)).all()
    if np.isfinite(threshold):
        below = np.nextafter(threshold, -np.inf)
        assert yardstick.pvalues(np.array([threshold]))[0] <= level
        assert yardstick.pvalues(np.array([below]))[0] > level


def test_a_level_is_met_exactly_where_the_rows_just_suffice_for_it():
    for count, level in ((99, 0.01), (99, 0.29), (999, 0.001)):
        yardstick = calibration(np.arange(count))
        assert yardstick.pvalues(np.array([1e9]))[0] <= level
        assert np.isfinite(yardstick.threshold(level))
    assert calibration(np.arange(98)).threshold(0.01) == np.inf


@given(numbers, st.sampled_from([0.1, 0.29, 0.5]))
def test_at_most_the_given_share_of_the_calibration_rows_reaches_the_quantile(known, share):
    scores = np.array(known, dtype=float)
    yardstick = calibration(known)
    edge = yardstick.quantile(share)
    assert (scores >= edge).mean() <= share
    if np.isfinite(edge):
        assert (scores >= np.nextafter(edge, -np.inf)).mean() > share


def test_scores_are_sorted_and_the_state_round_trips():
    made = Calibration(np.array([3.0, 1.0, 2.0]), clean=False, kind="cross", folds=5)
    assert made.scores.tolist() == [1, 2, 3]
    again = Calibration.from_state(made.state())
    assert (again.clean, again.kind, again.folds) == (False, "cross", 5)
    assert again.scores.tolist() == [1, 2, 3]


@pytest.mark.parametrize("scores", [[], [1.0, np.nan], [np.inf]])
def test_scores_that_cannot_calibrate_are_refused(scores):
    with pytest.raises(DataError, match="calibration scores"):
        calibration(scores)
