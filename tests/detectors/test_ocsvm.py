from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.svm import OneClassSVM as Machine

from recipes import table, with_anomalies
from slad.detectors import OneClassSVM
from slad.detectors.parts.scaling import SCALINGS, Scaler


def mostly_zero(n: int, d: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = table(n, d, seed) * (rng.uniform(size=(n, d)) < 0.05)
    X[:, 3] = rng.uniform(500, 501, size=n)
    return X


@pytest.mark.parametrize("d", [2, 9, 40])
@pytest.mark.parametrize("gamma", ["scale", "auto", 0.3])
@pytest.mark.parametrize("nu", [0.1, 0.5])
def test_scores_are_those_of_scikit_learn(d, gamma, nu):
    train, test, _ = with_anomalies(300, d)
    scaler = Scaler.fit("standard", train)
    train_rows, test_rows = (scaler.rows(X).values.double().numpy() for X in (train, test))
    theirs = Machine(gamma=gamma, nu=nu).fit(train_rows)
    ours = OneClassSVM(gamma=gamma, nu=nu).fit(train)
    assert ours.gamma_ == pytest.approx(theirs._gamma)
    expected = -theirs.score_samples(test_rows)
    np.testing.assert_allclose(ours.anomaly_score(test), expected, rtol=1e-8, atol=1e-10)


def test_without_scaling_it_is_scikit_learn_s_on_the_table_itself():
    train, test, _ = with_anomalies(200, 5)
    train, test = train.astype(np.float32), test.astype(np.float32)
    expected = -Machine().fit(train.astype(float)).score_samples(test.astype(float))
    scores = OneClassSVM(scaling="none").fit(train).anomaly_score(test)
    np.testing.assert_allclose(scores, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("scaling", list(SCALINGS))
def test_sparse_and_dense_tables_give_the_same_scores_in_training_and_after(scaling):
    train, test = mostly_zero(300, 60), mostly_zero(80, 60, seed=1)
    dense = OneClassSVM(scaling=scaling).fit(train)
    sparse = OneClassSVM(scaling=scaling).fit(csr_array(train))
    assert sparse.gamma_ == pytest.approx(dense.gamma_, rel=1e-4)
    expected = dense.anomaly_score(test)
    tolerance = {"rtol": 1e-3, "atol": 1e-3 * np.abs(expected).max()}
    for detector in (dense, sparse):
        for rows in (test, csr_array(test)):
            np.testing.assert_allclose(detector.anomaly_score(rows), expected, **tolerance)


def test_rows_are_drawn_from_the_seed_where_there_are_more():
    X = table(400, 4)
    first, same, other = (
        OneClassSVM(max_rows=50, random_state=seed).fit(X).anomaly_score(X) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, same)
    assert not np.allclose(first, other)


@pytest.mark.parametrize("max_rows", [400, None])
def test_a_table_that_is_small_enough_is_taken_whole_whatever_the_seed(max_rows):
    X = table(400, 4)
    first, other = (
        OneClassSVM(max_rows=max_rows, random_state=seed).fit(X).anomaly_score(X) for seed in (0, 1)
    )
    np.testing.assert_array_equal(first, other)


def test_the_model_is_its_support_vectors():
    X = table(400, 4)
    few, many = (
        OneClassSVM(nu=nu).fit(X)._fitted_state().arrays["rows"].shape[0] for nu in (0.05, 0.9)
    )
    assert 20 <= few < 60
    assert 360 <= many < 400
