"""Tail probabilities and robust distances of signals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from slad.detectors.signals.calibration import Calibration


def tails(calibration: Calibration, values: np.ndarray) -> np.ndarray:
    return calibration.extremes(values)[0]


VALUES = np.random.default_rng(0).normal(size=(999, 2))


def test_a_tail_is_the_share_of_reference_rows_that_reach_a_value():
    calibration = Calibration.of(VALUES)
    for share in (0.5, 0.1, 0.01):
        value = np.quantile(VALUES, 1 - share, axis=0)[None]
        assert np.exp(-tails(calibration, value)) == pytest.approx(share, rel=0.15)


def test_beyond_all_reference_rows_a_tail_is_shorter_than_any():
    calibration = Calibration.of(VALUES)
    highest = tails(calibration, VALUES.max(axis=0)[None])
    beyond = tails(calibration, VALUES.max(axis=0)[None] + 1e-6)
    assert np.exp(-highest) == pytest.approx(1 / 1000)
    assert (beyond > highest).all()


def test_distances_are_deviations_near_the_median_and_logarithms_far_away():
    calibration = Calibration.of(VALUES)
    near, far = calibration.distances(np.array([[0.1, 0.1], [1e6, 1e6]]))
    assert near == pytest.approx(0.1, abs=0.1)
    assert far == pytest.approx(np.log(2e6), rel=0.02)


@given(arrays(float, (7, 1), elements=st.floats(-1e6, 1e6)))
def test_more_is_never_less_extreme(values):
    calibration = Calibration.of(values)
    ordered = np.sort(np.concatenate([values, values + 1, values - 1]), axis=0)
    assert (np.diff(tails(calibration, ordered), axis=0) >= -1e-12).all()
    assert (np.diff(calibration.distances(ordered), axis=0) >= 0).all()


def test_equal_values_share_the_tail_of_all_of_them():
    calibration = Calibration.of(np.array([[0.0]] * 90 + [[1.0]] * 10))
    found = np.exp(-tails(calibration, np.array([[0.0], [1.0]])))[:, 0]
    assert found == pytest.approx([100 / 101, 10 / 101])
