"""What the spaces learn from standardised rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from slad.detectors.parts.space_statistics import (
    KNOTS,
    WIDEST,
    Principal,
    drawn_together,
    knots_of,
    or_one,
)


def test_knots_are_the_normal_scores_of_middle_ranks():
    values, heights = knots_of(np.array([2.0, 1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(values, [1, 2, 3])
    np.testing.assert_allclose(heights, norm.ppf([0.2, 0.5, 0.8]))


def test_of_many_values_some_are_knots_the_ends_among_them():
    column = np.random.default_rng(0).normal(size=20_000)
    values, heights = knots_of(column)
    assert len(values) <= KNOTS
    assert (values[0], values[-1]) == (column.min(), column.max())
    assert (np.diff(values) > 0).all()
    assert (np.diff(heights) > 0).all()


def test_turned_rows_have_no_correlation_and_directions_ascend_in_variance():
    rows = np.random.default_rng(0).normal(size=(500, 3)) @ np.diag([3.0, 1.0, 0.1])
    principal = Principal.of(rows)
    center, turn = principal.center, principal.whitening()
    turned = (rows - center) @ turn
    covariance = np.cov(turned.T)
    assert np.abs(covariance - np.diag(np.diag(covariance))).max() < 1e-9
    assert (np.diff(np.diag(covariance)) > 0).all()


def test_a_width_of_nothing_counts_as_one():
    np.testing.assert_array_equal(or_one(np.array([0.0, 1e-20, 0.5])), [1, 1, 0.5])


def test_drawing_the_columns_of_a_wide_table_together_keeps_distances():
    d = 3 * WIDEST
    rows = np.random.default_rng(0).normal(size=(12, d))
    together = rows @ drawn_together(d, seed=3)
    assert together.shape == (12, WIDEST)
    before, after = (np.linalg.norm(rows_[:6] - rows_[6:], axis=1) for rows_ in (rows, together))
    assert after / before == pytest.approx(1, abs=0.1)
    assert drawn_together(WIDEST, seed=3) is None
