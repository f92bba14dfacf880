"""Scale learning on neighbour profiles: weights and scores."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import random_array
from sklearn.metrics import roc_auc_score

from recipes import table, with_anomalies
from slad import NeighborScale
from slad.core.errors import ConfigError
from slad.detectors.parts import space_statistics
from slad.detectors.parts.space_statistics import NAMES

PLACE = {name: number for number, name in enumerate(NAMES)}


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
    rows = random_array(
        (60, space_statistics.WIDEST + 50), density=0.05, rng=np.random.default_rng(0)
    )
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
        ({"swap": 1.5}, "use a number from 0 to 1"),
        ({"n_scales": 1}, "use an integer from 2 up"),
        ({"max_rows": 1}, "use an integer from 2 up"),
    ],
)
def test_a_parameter_that_cannot_be_is_named(parameters, words):
    with pytest.raises(ConfigError, match=words):
        NeighborScale(**parameters).fit(table(20, 2))
