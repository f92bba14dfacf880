"""Scores of different detectors in one unit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad.core.errors import DataError
from slad.decisions import PartStandard, Standard

RNG = np.random.default_rng(0)


@given(st.floats(-100, 100), st.floats(0.01, 100))
def test_members_that_differ_in_level_and_unit_agree_once_standardised(level, unit):
    scores = np.random.default_rng(1).normal(size=200)
    other = level + unit * scores
    one, two = Standard.fit(scores).apply(scores), Standard.fit(other).apply(other)
    np.testing.assert_allclose(one, two, atol=1e-9)


def test_a_few_huge_scores_do_not_set_the_unit():
    scores = RNG.normal(size=500)
    spoilt = np.concatenate([scores, np.full(20, 1e9)])
    assert Standard.fit(spoilt).spread == pytest.approx(Standard.fit(scores).spread, rel=0.15)


@pytest.mark.parametrize("scores", [[3.0], [3.0] * 9, [0.1 + 0.2, 0.3, 0.3], [0.0] * 99 + [5.0]])
def test_scores_all_or_nearly_alike_still_have_a_positive_spread(scores):
    standard = Standard.fit(np.array(scores))
    assert standard.spread > 0
    assert np.abs(standard.apply(np.array(scores))).max() < 1000


def test_scores_that_are_no_numbers_are_refused():
    for bad in ([], [np.nan, 1.0]):
        with pytest.raises(DataError, match="held-out scores"):
            Standard.fit(np.array(bad))


def test_states_round_trip():
    parts = RNG.normal(size=(50, 4))
    standard = PartStandard.fit(parts)
    again = PartStandard.from_state(standard.state())
    assert (again.apply(parts) == standard.apply(parts)).all()
    assert (again.centres == standard.centres).all()
    assert (again.scales == standard.scales).all()
    alone = Standard.fit(parts[:, 0])
    assert Standard.from_state(alone.state()) == alone


def test_parts_have_the_score_of_their_mean():
    parts = RNG.normal(size=(50, 4))
    wanted = Standard.fit(parts.mean(axis=1)).apply(parts.mean(axis=1))
    np.testing.assert_allclose(PartStandard.fit(parts).apply(parts), wanted)
