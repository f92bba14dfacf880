"""All signals from one set of reference rows."""

from __future__ import annotations

import numpy as np

from slad.detectors.signals.look import Look
from slad.detectors.signals.profile import LEVELS, Extremes

ROWS = np.random.default_rng(0).normal(size=(300, 4)).astype(np.float32)


def test_signals_are_as_many_as_their_names():
    extremes = Look(ROWS, 0)(ROWS[:7] + 1)
    assert extremes.tails.shape == extremes.distances.shape == (7, len(LEVELS))
    assert (extremes.monotone.shape[1], extremes.free.shape[1]) == Extremes.sizes()


def test_a_wild_row_is_beyond_all_reference_rows_in_nearly_every_signal():
    extremes = Look(ROWS, 0)(np.full((1, 4), 9.0, dtype=np.float32))
    assert (extremes.tails >= extremes.tails.max()).mean() > 0.7


def test_reference_rows_are_ordinary_to_each_other():
    own = Look(ROWS, 0).own
    assert abs(np.median(own.distances)) < 0.1
    assert 0.8 < own.tails.mean() < 1.2  # the mean of -log of a uniform share is 1


def test_a_saved_look_sees_the_same():
    look = Look(ROWS, 0)
    again = Look(look.state().arrays["rows"], 0, look.state().arrays)
    for mine, its in zip(vars(look(ROWS)).values(), vars(again(ROWS)).values(), strict=True):
        np.testing.assert_array_equal(mine, its)
