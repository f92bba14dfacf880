"""Moments of blocks of rows are those of all rows at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad.engines.moments import Moments

ROWS = np.random.default_rng(0).normal([0, 5, -1e3], [1, 0.1, 20], (60, 3))


def moments_of(*blocks: np.ndarray, cross: bool = True, unit: np.ndarray | None = None) -> Moments:
    found = Moments(blocks[0].shape[1], cross=cross, unit=unit)
    for block in blocks:
        found.add(block)
    return found


def assert_those_of(rows: np.ndarray, found: Moments) -> None:
    assert found.count == len(rows)
    np.testing.assert_allclose(found.mean, rows.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(found.deviation, rows.std(axis=0), rtol=1e-12)
    np.testing.assert_array_equal(found.low, rows.min(axis=0))
    np.testing.assert_array_equal(found.high, rows.max(axis=0))


@given(cuts=st.lists(st.integers(0, 60), max_size=5), cross=st.booleans())
def test_blocks_of_any_size_give_the_moments_of_all_rows(cuts, cross):
    assert_those_of(ROWS, moments_of(*np.split(ROWS, sorted(cuts)), cross=cross))


@pytest.mark.parametrize("cross", [True, False])
def test_processes_merge_to_the_moments_of_all_rows_also_when_one_had_none(cross):
    whole = moments_of(ROWS[:13], cross=cross)
    whole.merge(Moments(3, cross=cross))
    whole.merge(moments_of(ROWS[13:], cross=cross))
    assert_those_of(ROWS, whole)
    first_without = Moments(3, cross=cross)
    first_without.merge(moments_of(ROWS, cross=cross))
    assert_those_of(ROWS, first_without)


def test_covariances_are_those_of_the_scaled_columns_and_0_of_a_constant_one():
    rows = np.column_stack([ROWS, np.full(60, 0.1)])
    scale = np.array([2.0, 0.5, 30.0, 1.0])
    found = moments_of(rows[:7], rows[7:]).covariance(scale)
    expected = np.cov(rows / scale, rowvar=False, bias=True)
    np.testing.assert_allclose(found[:3, :3], expected[:3, :3], rtol=1e-9, atol=1e-12)
    assert not found[3].any()
    assert not found[:, 3].any()


def test_a_mean_far_from_0_costs_no_digits():
    """The mean of squares minus the square of the mean would be 0 or negative here."""
    spread = np.array([[-1.0], [0.0], [1.0]]) * 1e-3
    found = moments_of(*np.split(np.tile(1e6 + spread, (20, 1)), 4), cross=False)
    np.testing.assert_allclose(found.deviation, [1e-3 * np.sqrt(2 / 3)], rtol=1e-6)


@pytest.mark.parametrize("size", [1e-200, 1e200])
@pytest.mark.parametrize("cross", [True, False])
def test_with_a_unit_squares_neither_overflow_nor_vanish(size, cross):
    rows = ROWS[:, :1] * size
    found = moments_of(rows[:9], rows[9:], cross=cross, unit=np.array([size]))
    np.testing.assert_allclose(found.deviation, ROWS[:, :1].std(axis=0) * size, rtol=1e-12)
    np.testing.assert_allclose(found.low, rows.min(axis=0), rtol=1e-15)


def test_the_deviation_of_the_largest_floats_is_finite():
    largest = np.finfo(float).max
    found = moments_of(np.array([[-largest], [largest]]), unit=np.array([1e300]))
    np.testing.assert_allclose(found.deviation, [largest])


def test_some_columns_have_the_moments_that_they_have_among_all():
    found = moments_of(ROWS).of([2, 0])
    assert_those_of(ROWS[:, [2, 0]], found)
    expected = np.cov(ROWS[:, [2, 0]], rowvar=False, bias=True)
    np.testing.assert_allclose(found.covariance(np.ones(2)), expected, rtol=1e-9, atol=1e-12)


def test_a_state_goes_on_where_it_was():
    again = Moments.from_state(moments_of(ROWS[:20], unit=np.array([1.0, 2.0, 4.0])).state())
    again.add(ROWS[20:])
    assert_those_of(ROWS, again)
