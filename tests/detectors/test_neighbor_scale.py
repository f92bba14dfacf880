"""Scale learning on neighbour profiles: spaces, views, weights and scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from recipes import table, with_anomalies
from slad import NeighborScale
from slad.core.errors import ConfigError
from slad.detectors.parts import spaces
from slad.detectors.parts.spaces import NAMES, NormalScores, Whitened, drawn_together
from slad.detectors.parts.views import KINDS, draw_views

PLACE = {name: number for number, name in enumerate(NAMES)}
CPU = torch.device("cpu")


def standardised(n: int, d: int) -> np.ndarray:
    rows = table(n, d)
    return (rows - rows.mean(axis=0)) / rows.std(axis=0)


def taken(space: Callable[[torch.Tensor], torch.Tensor], rows: np.ndarray) -> np.ndarray:
    return space(torch.from_numpy(rows)).numpy()


# -- spaces --------------------------------------------------------------------------------------


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
    before = spaces.KNOTS
    spaces.KNOTS = knots
    try:
        space = NormalScores.fit(column, CPU)
    finally:
        spaces.KNOTS = before
    grid = np.linspace(column.min() - 5, column.max() + 5, 200)[:, None]
    scores, own = taken(space, grid)[:, 0], taken(space, column)
    assert (np.diff(scores) >= -1e-12).all()
    assert scores[0] < own.min()
    assert own.max() < scores[-1]


def test_whitened_rows_have_no_correlations_and_nearly_one_variance():
    rows = standardised(3000, 6)
    white = taken(Whitened.fit(rows, CPU), rows)
    covariance = np.cov(white.T)
    assert np.abs(covariance - np.diag(np.diag(covariance))).max() < 1e-6
    strong = np.linalg.eigvalsh(np.cov(rows.T)) > 0.5  # beside these the ridge is small
    assert np.sort(np.diag(covariance))[-strong.sum() :] == pytest.approx(1, abs=0.15)


def test_drawing_the_columns_of_a_wide_table_together_keeps_distances():
    d = 3 * spaces.WIDEST
    rows = np.random.default_rng(0).normal(size=(12, d))
    together = rows @ drawn_together(d, seed=3)
    assert together.shape == (12, spaces.WIDEST)
    before, after = (np.linalg.norm(rows_[:6] - rows_[6:], axis=1) for rows_ in (rows, together))
    assert after / before == pytest.approx(1, abs=0.1)
    assert drawn_together(spaces.WIDEST, seed=3) is None


# -- views ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_of_scale_zero_is_the_row_and_others_go_farther_with_their_scale(kind):
    rows = standardised(400, 8)
    made = draw_views(rows, kind, 2000, n_scales=4, most=0.5, rng=np.random.default_rng(0))
    far = np.linalg.norm(made.cells - rows[made.origins], axis=1)
    assert (far[made.scales == 0] == 0).all()
    means = [far[made.scales == scale].mean() for scale in range(4)]
    assert means == sorted(means)
    assert set(made.scales) == {0, 1, 2, 3}


def test_noise_doubles_with_every_scale_and_swapped_cells_grow_evenly():
    rows = standardised(3000, 10)
    rng = np.random.default_rng(0)
    noisy = draw_views(rows, "noise", 6000, n_scales=4, most=0.2, rng=rng)
    change = noisy.cells - rows[noisy.origins]
    for scale, size in ((1, 0.05), (2, 0.1), (3, 0.2)):
        assert change[noisy.scales == scale].std() == pytest.approx(size, rel=0.05)
    swapped = draw_views(rows, "swap", 6000, n_scales=4, most=0.6, rng=rng)
    changed = swapped.cells != rows[swapped.origins]
    for scale, share in ((1, 0.2), (2, 0.4), (3, 0.6)):
        assert changed[swapped.scales == scale].mean() == pytest.approx(share, abs=0.02)


def test_swapped_cells_are_cells_of_their_own_column():
    rows = np.arange(60.0).reshape(20, 3)
    made = draw_views(rows, "swap", 200, n_scales=2, most=1.0, rng=np.random.default_rng(0))
    assert all(np.isin(made.cells[:, j], rows[:, j]).all() for j in range(3))


# -- learning ------------------------------------------------------------------------------------


def test_learned_weights_are_a_share_for_each_distance():
    detector = NeighborScale(random_state=0, device="cpu").fit(table(300, 5))
    assert detector.weights_.shape == (2 * len(PLACE),)
    assert (detector.weights_ > 0).all()
    assert detector.weights_.sum() == pytest.approx(1)


def test_where_columns_depend_on_each_other_whitened_distances_weigh_more():
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(800, 2))
    rows = hidden @ rng.normal(size=(2, 10)) + 0.05 * rng.normal(size=(800, 10))
    weights = (
        NeighborScale(random_state=0, device="cpu").fit(rows).weights_.reshape(2, -1).sum(axis=0)
    )
    white = weights[PLACE["whitened"]] + weights[PLACE["normal whitened"]]
    assert white > 0.6


@pytest.mark.parametrize("weighting", ["equal", "random"])
def test_controls_weigh_without_learning(weighting):
    train = table(200, 6)
    other = np.random.default_rng(1).permuted(train, axis=0)
    found = [
        NeighborScale(weighting=weighting, random_state=4, device="cpu").fit(rows).weights_
        for rows in (train, other)
    ]
    np.testing.assert_array_equal(*found)
    assert found[0].sum() == pytest.approx(1)
    assert (len(set(found[0])) == 1) == (weighting == "equal")


def test_broken_dependencies_are_found():
    train, test, labels = with_anomalies(600, 8)
    scores = NeighborScale(random_state=0, device="cpu").fit(train).anomaly_score(test)
    assert roc_auc_score(labels, scores) > 0.95


def test_a_row_farther_away_in_every_space_never_seems_cleaner():
    rows = table(300, 3)
    detector = NeighborScale(random_state=0, device="cpu").fit(rows)
    center, step = rows.mean(axis=0), 3 * rows.std(axis=0)
    scores = detector.anomaly_score([center + k * step for k in range(1, 4)])
    assert (np.diff(scores) > 0).all()


def test_no_more_rows_are_compared_with_than_asked_for():
    rows = table(400, 4)
    some = NeighborScale(max_rows=50, random_state=0, device="cpu").fit(rows)
    assert len(some.training_scores_) == 50
    every = NeighborScale(max_rows=None, random_state=0, device="cpu").fit(rows)
    assert len(every.training_scores_) == 400


def test_a_training_row_scored_by_the_others_is_not_near_to_itself():
    rows = table(200, 4)
    detector = NeighborScale(random_state=0, device="cpu").fit(rows)
    assert (detector.training_scores_ > detector.anomaly_score(rows)).all()


def test_a_wide_sparse_table_is_scored_as_its_dense_twin():
    from scipy.sparse import random_array

    rows = random_array((60, spaces.WIDEST + 50), density=0.05, rng=np.random.default_rng(0))
    rows = rows.tocsr()
    sparse = NeighborScale(random_state=0, device="cpu", n_views=50).fit(rows)
    dense = NeighborScale(random_state=0, device="cpu", n_views=50).fit(rows.toarray())
    np.testing.assert_allclose(
        sparse.anomaly_score(rows), dense.anomaly_score(rows.toarray()), rtol=1e-6
    )


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"weighting": "best"}, "choose one of learned, equal, random"),
        ({"swap": 1.5}, "give a number from 0 to 1"),
        ({"n_scales": 1}, "give an integer from 2 up"),
        ({"max_rows": 1}, "give an integer from 2 up"),
    ],
)
def test_a_parameter_that_cannot_be_is_named(parameters, words):
    with pytest.raises(ConfigError, match=words):
        NeighborScale(**parameters).fit(table(20, 2))
