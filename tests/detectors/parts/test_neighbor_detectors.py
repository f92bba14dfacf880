"""What all detectors that compare rows with training rows have in common.

A training row is its own nearest neighbour: thresholds come from the scores by the others.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from recipes import (
    MODELS,
    models_of_neighbours_in_one_scaling,
    table,
    with_anomalies,
)
from slad.core.errors import TrainingWarning
from slad.detectors import KNN, LOF
from slad.detectors.parts.scaling import SCALINGS


@pytest.mark.parametrize("detector", [KNN(device="cpu"), LOF(device="cpu")], ids=["KNN", "LOF"])
@pytest.mark.parametrize("scaling", list(SCALINGS))
def test_sparse_and_dense_tables_give_the_same_scores_in_training_and_after(detector, scaling):
    train, test = mostly_zero(400, 70), mostly_zero(100, 70, seed=1)
    detector.set_params(scaling=scaling)
    expected = detector.fit(train).anomaly_score(test)
    np.testing.assert_allclose(detector.anomaly_score(csr_array(test)), expected, rtol=1e-3)
    detector.fit(csr_array(train))
    assert detector._index.sparse
    np.testing.assert_allclose(detector.anomaly_score(csr_array(test)), expected, rtol=1e-3)
    np.testing.assert_allclose(detector.anomaly_score(test), expected, rtol=1e-3)


def test_a_sparse_table_that_is_nearly_full_is_searched_as_a_dense_one():
    X = table(50, 10)
    detector = KNN(device="cpu").fit(csr_array(X))
    assert not detector._index.sparse
    np.testing.assert_allclose(detector.anomaly_score(X), KNN(device="cpu").fit(X).anomaly_score(X))


@pytest.mark.parametrize(("n", "used"), [(6, 5), (5, 4), (3, 2), (1, 1)])
def test_more_neighbours_than_rows_are_cut_to_the_others_and_that_is_said(n, used):
    X = table(n, 3)
    if n == 6:
        detector = KNN(device="cpu").fit(X)
    else:
        with pytest.warns(TrainingWarning, match=f"n_neighbors=5, but a row has only {n - 1}"):
            detector = KNN(device="cpu").fit(X)
    assert detector.n_neighbors_ == used
    assert detector.training_scores_.shape == (n,)


@pytest.mark.gpu
@models_of_neighbours_in_one_scaling
@pytest.mark.parametrize("d", [3, 40])
@pytest.mark.parametrize("far", [0.0, 1e4])
def test_a_gpu_finds_the_same_neighbours(model, d, far):
    train, test, _ = with_anomalies(3000, d)
    scores = [
        MODELS[model](device=device, scaling="none").fit(train + far).anomaly_score(test + far)
        for device in ("cpu", "cuda")
    ]
    np.testing.assert_allclose(scores[1], scores[0], rtol=1e-9)


@models_of_neighbours_in_one_scaling
def test_a_training_row_scored_by_the_others_scores_as_if_it_had_not_been_there(model):
    X = table(60, 5)
    X[[0, 1]] = X.max(axis=0), X.min(axis=0)
    detector = MODELS[model](scaling="none").fit(X)
    for row in (5, 59):
        others = MODELS[model](scaling="none").fit(np.delete(X, row, axis=0))
        score = others.anomaly_score(X[[row]])[0]
        rough = 0.2 if model == "LOF" else 1e-12  # it shapes the densities of the others
        assert detector.training_scores_[row] == pytest.approx(score, rel=rough)


def mostly_zero(n: int, d: int, seed: int = 0) -> np.ndarray:
    """Mostly zeros, but for a column that is full, and far from zero."""
    rng = np.random.default_rng(seed)
    X = table(n, d, seed) * (rng.uniform(size=(n, d)) < 0.05)
    X[:, 3] = rng.uniform(500, 501, size=n)
    return X


@pytest.mark.parametrize("sparse", [False, True])
def test_a_copy_of_a_training_row_scores_0_with_one_neighbour(sparse):
    X = mostly_zero(200, 40)
    X = csr_array(X) if sparse else X
    assert (KNN(n_neighbors=1, device="cpu").fit(X).anomaly_score(X) == 0).all()


def test_with_one_neighbour_the_threshold_still_tells_rows_apart():
    rows = table(2400, 4)
    detector = KNN(n_neighbors=1, contamination=0.05, device="cpu").fit(rows[:400])
    assert (detector.anomaly_score(rows[:400]) == 0).all()
    assert (detector.predict(rows[400:]) == -1).mean() == pytest.approx(0.05, abs=0.03)


def test_one_training_row_is_compared_with_itself_at_distance_0():
    with pytest.warns(TrainingWarning, match="only 0 others"):
        detector = KNN(device="cpu").fit([[1.0, 2.0]])
    assert detector.training_scores_.tolist() == [0]
    assert detector.anomaly_score([[1.0, 2.0]]).tolist() == [0]


def test_chunks_of_any_size_leave_out_each_row_s_own_place():
    X = table(50, 4)
    detector = KNN(n_neighbors=2, device="cpu").fit(X)
    detector._index.chunk = 7
    np.testing.assert_array_equal(
        detector._training_scores(X.copy()),
        KNN(n_neighbors=2, device="cpu").fit(X).training_scores_,
    )
