from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import LocalOutlierFactor

from recipes import table, with_anomalies
from slad.core.errors import TrainingWarning
from slad.detectors import LOF
from slad.detectors.parts.scaling import Scaler


def single(X: np.ndarray) -> np.ndarray:
    return X.astype(np.float32).astype(np.float64)


@pytest.mark.parametrize("d", [2, 6, 7, 30])
@pytest.mark.parametrize("k", [1, 5, 20])
def test_scores_are_those_of_scikit_learn(d, k):
    train, test, _ = with_anomalies(300, d)
    scaler = Scaler.fit("standard", train)
    train_rows, test_rows = (scaler.rows(X).values.double().numpy() for X in (train, test))
    theirs = LocalOutlierFactor(n_neighbors=k, novelty=True, algorithm="kd_tree").fit(train_rows)
    ours = LOF(n_neighbors=k, device="cpu").fit(train)
    np.testing.assert_allclose(
        ours.anomaly_score(test), -theirs.score_samples(test_rows), rtol=1e-8
    )
    np.testing.assert_allclose(ours.training_scores_, -theirs.negative_outlier_factor_, rtol=1e-8)


@pytest.mark.parametrize("copies", [2, 4])
def test_copies_of_rows_are_handled_as_by_scikit_learn(copies):
    X = np.repeat(single(table(60, 3)), copies, axis=0)
    new = np.concatenate([X[:5], single(table(20, 3, seed=1))])
    theirs = LocalOutlierFactor(n_neighbors=8, novelty=True).fit(X)
    ours = LOF(n_neighbors=8, scaling="none", device="cpu").fit(X)
    np.testing.assert_allclose(ours.anomaly_score(new), -theirs.score_samples(new), rtol=1e-8)


def test_more_copies_than_neighbours_are_warned_of():
    X = np.concatenate([np.zeros((30, 2)), table(30, 2)])
    with pytest.warns(TrainingWarning, match="more than n_neighbors=5 copies of one row"):
        LOF(n_neighbors=5, device="cpu").fit(X)


def test_a_row_beside_a_dense_cluster_is_stranger_than_one_in_a_loose_cluster():
    # The paper's point: the distance to neighbours alone has it the other way round.
    rng = np.random.default_rng(0)
    dense, loose = rng.normal(size=(200, 2)) * 0.01, 5 + rng.normal(size=(200, 2))
    detector = LOF(scaling="none", device="cpu").fit(np.concatenate([dense, loose]))
    beside_dense, in_loose = detector.anomaly_score([[0.2, 0.2], [5.5, 5.5]])
    assert beside_dense > 2 * in_loose
