from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from scipy.stats import invgamma, rankdata

from recipes import table, with_anomalies
from slad.core.errors import ConfigError
from slad.detectors import KNN, DTENonParametric


def plain(**parameters) -> DTENonParametric:
    return DTENonParametric(scaling="none", device="cpu", **parameters)


def scales(train: np.ndarray, test: np.ndarray, k: int) -> np.ndarray:
    """Of the inverse gamma distributions: half the mean squared distance to the k nearest."""
    squares = np.sort(cdist(test, train, "sqeuclidean"), axis=1)
    return squares[:, :k].mean(axis=1) / 2


@pytest.mark.parametrize("d", [3, 8, 40])
@pytest.mark.parametrize("k", [1, 5])
def test_the_score_is_the_mode_of_the_inverse_gamma_distribution(d, k):
    train, test, _ = with_anomalies(200, d)
    scores = plain(n_neighbors=k).fit(train).anomaly_score(test[:20])
    for score, scale in zip(scores, scales(train, test[:20], k), strict=True):
        distribution = invgamma(d / 2 - 1, scale=scale)

        def less_likely(log_variance: float, of=distribution) -> float:
            return -of.logpdf(np.exp(log_variance))

        near = np.log(scale)
        found = minimize_scalar(less_likely, bounds=(near - 9, near + 3), method="bounded")
        assert score == pytest.approx(np.exp(found.x), rel=1e-3)


@pytest.mark.parametrize("d", [1, 2, 6])
def test_of_one_training_row_the_score_is_the_most_likely_variance(d):
    row = table(1, d)
    detector = plain(n_neighbors=1).fit(row)
    new = row + np.random.default_rng(0).normal(size=(1, d))
    square = float(np.square(new - row).sum())

    def less_likely(log_variance: float) -> float:
        return 0.5 * d * log_variance + 0.5 * square / np.exp(log_variance)

    found = minimize_scalar(less_likely, bracket=(-3, 3))
    assert detector.anomaly_score(new)[0] == pytest.approx(np.exp(found.x), rel=1e-5)


def test_the_order_is_that_of_the_expected_step_of_a_noise_schedule():
    train, test, _ = with_anomalies(300, 8)
    spread = train.std(axis=0)
    train, test = train / spread, test / spread
    variances = 1 - np.cumprod(1 - np.linspace(1e-4, 1e-2, 500))
    densities = invgamma.logpdf(variances, 8 / 2 - 1, scale=scales(train, test, 5)[:, None])
    weights = np.exp(densities - densities.max(axis=1, keepdims=True))
    steps = (weights * np.arange(500)).sum(axis=1) / weights.sum(axis=1)
    scores = plain().fit(train).anomaly_score(test)
    told_apart = np.flatnonzero(scores < 2)  # further rows are all at the end of the schedule
    assert len(told_apart) > 200
    np.testing.assert_array_equal(rankdata(steps[told_apart]), rankdata(scores[told_apart]))


def test_with_one_neighbour_the_score_is_that_of_knn_squared_a_feature():
    train, test, _ = with_anomalies(200, 6)
    distances = KNN(n_neighbors=1, device="cpu").fit(train).anomaly_score(test)
    scores = DTENonParametric(n_neighbors=1, device="cpu").fit(train).anomaly_score(test)
    np.testing.assert_allclose(scores, distances**2 / 6, rtol=1e-12)


def test_with_more_neighbours_a_far_one_weighs_more_than_in_their_mean_distance():
    train = np.array([[0.0], [4.0], [20.0], [25.0]])
    new = np.array([[-1.0], [22.4]])  # distances 1 and 5, 2.4 and 2.6
    mean = KNN(n_neighbors=2, aggregation="mean", scaling="none", device="cpu").fit(train)
    np.testing.assert_allclose(mean.anomaly_score(new), [3.0, 2.5])
    np.testing.assert_allclose(plain(n_neighbors=2).fit(train).anomaly_score(new), [13.0, 6.26])


def test_features_given_twice_change_nothing():
    train, test, _ = with_anomalies(200, 8)
    once, twice = (
        plain().fit(X).anomaly_score(new)
        for X, new in ((train, test), (np.hstack([train] * 2), np.hstack([test] * 2)))
    )
    np.testing.assert_allclose(twice, once, rtol=1e-6)


def test_sparse_and_dense_tables_give_the_same_scores():
    rng = np.random.default_rng(0)
    X = table(300, 60) * (rng.uniform(size=(300, 60)) < 0.05)
    expected = DTENonParametric(device="cpu").fit(X[:200]).anomaly_score(X[200:])
    detector = DTENonParametric(device="cpu").fit(csr_array(X[:200]))
    assert detector._index.sparse
    np.testing.assert_allclose(detector.anomaly_score(csr_array(X[200:])), expected, rtol=1e-3)


def test_a_row_with_five_copies_scores_0():
    X = table(20, 4)
    copied = np.vstack([X, np.repeat(X[:3], 5, axis=0)])
    detector = DTENonParametric(device="cpu").fit(copied)
    np.testing.assert_array_equal(np.flatnonzero(detector.anomaly_score(X) == 0), [0, 1, 2])
    np.testing.assert_array_equal(np.flatnonzero(detector.training_scores_[:20] == 0), [0, 1, 2])


@pytest.mark.parametrize(
    ("name", "value"),
    [("n_neighbors", 0), ("n_neighbors", 2.5), ("scaling", "quantile"), ("device", "toaster")],
)
def test_a_value_that_cannot_work_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=str(value)):
        DTENonParametric(**{name: value}).fit(table(30, 3))
