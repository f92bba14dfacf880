from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from recipes import standardised_table
from slad.detectors.parts import space_statistics
from slad.detectors.parts.spaces import NormalScores, Whitened

CPU = torch.device("cpu")


def taken(space: Callable[[torch.Tensor], torch.Tensor], rows: np.ndarray) -> np.ndarray:
    return space(torch.from_numpy(rows)).numpy()


def test_normal_scores_of_a_skewed_column_are_normal():
    skewed = np.exp(np.random.default_rng(0).normal(size=(2000, 1)))
    scores = taken(NormalScores.fit(skewed, CPU), skewed)[:, 0]
    for share in (0.01, 0.25, 0.5, 0.9, 0.99):
        assert np.quantile(scores, share) == pytest.approx(norm.ppf(share), abs=0.05)


def test_normal_scores_of_equal_cells_are_equal_and_keep_the_order():
    column = np.array([3.0, 1.0, 3.0, 2.0, 3.0, 1.0])[:, None]
    scores = taken(NormalScores.fit(column, CPU), column)[:, 0]
    assert len(set(scores[[0, 2, 4]])) == len(set(scores[[1, 5]])) == 1
    assert scores[1] < scores[3] < scores[0]


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=50), st.integers(2, 8))
@settings(max_examples=50, deadline=None)
def test_normal_scores_never_fall_and_go_on_beyond_the_ends(values, knots):
    column = np.array(values)[:, None]
    before = space_statistics.KNOTS
    space_statistics.KNOTS = knots
    try:
        space = NormalScores.fit(column, CPU)
    finally:
        space_statistics.KNOTS = before
    grid = np.linspace(column.min() - 5, column.max() + 5, 200)[:, None]
    scores, own = taken(space, grid)[:, 0], taken(space, column)
    assert (np.diff(scores) >= -1e-12).all()
    assert scores[0] < own.min()
    assert own.max() < scores[-1]


def test_whitened_rows_have_no_correlations_and_nearly_one_variance():
    rows = standardised_table(3000, 6)
    white = taken(Whitened.fit(rows, CPU), rows)
    covariance = np.cov(white.T)
    assert np.abs(covariance - np.diag(np.diag(covariance))).max() < 1e-6
    strong = np.linalg.eigvalsh(np.cov(rows.T)) > 0.5  # beside these the ridge is small
    assert np.sort(np.diag(covariance))[-strong.sum() :] == pytest.approx(1, abs=0.15)
