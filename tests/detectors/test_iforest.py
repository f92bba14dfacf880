from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.ensemble import IsolationForest as Forest

from recipes import table
from slad.detectors import IsolationForest
from slad.detectors.parts.trees import average_path_length


def mostly_zero(n: int, d: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = table(n, d, seed) * (rng.uniform(size=(n, d)) < 0.15)
    X[:, 1] = rng.uniform(5, 7, size=n)  # a full column far from zero
    return X


@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
@pytest.mark.parametrize(("n", "drawn"), [(1000, 256), (100, 100), (700, 37), (5, 2), (3, 1)])
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_scores_are_those_of_scikit_learn_with_the_same_seed(wrap, n, drawn):
    X, new = wrap(mostly_zero(n, 8)), wrap(3 * mostly_zero(900, 8, seed=1))
    ours = IsolationForest(max_samples=drawn, random_state=7).fit(X)
    theirs = Forest(max_samples=drawn, random_state=7).fit(X)
    for rows in (X, new):
        np.testing.assert_allclose(ours.anomaly_score(rows), -theirs.score_samples(rows), rtol=1e-9)


def test_a_small_table_is_drawn_whole():
    X = table(40, 3)
    whole, more = (IsolationForest(max_samples=m, random_state=0).fit(X) for m in (40, 256))
    np.testing.assert_array_equal(whole.anomaly_score(X), more.anomaly_score(X))


def test_a_wild_column_of_tiny_numbers_counts_as_much_as_others():
    X = np.random.default_rng(0).normal(size=(500, 2))
    X[:, 1] *= 1e-9  # scikit-learn takes a range below 1e-7 for a constant
    detector = IsolationForest(random_state=0).fit(X)
    assert detector.anomaly_score([[0.0, 9e-9]])[0] > np.quantile(detector.anomaly_score(X), 0.98)


def test_large_seeds_work():
    X = table(50, 3)
    detector = IsolationForest(random_state=2**40 + 5).fit(X)
    assert detector.seed_ == 2**40 + 5
    again = IsolationForest(random_state=2**40 + 5).fit(X)
    np.testing.assert_array_equal(detector.anomaly_score(X), again.anomaly_score(X))


def test_only_the_features_that_trees_cut_are_kept():
    X = csr_array(np.random.default_rng(0).uniform(size=(300, 5000)) < 0.05)
    detector = IsolationForest(n_estimators=3, max_samples=16, random_state=0).fit(X)
    arrays = detector.state().arrays
    assert max(array.size for array in arrays.values()) <= 3 * 16
    assert len(arrays["used_features"]) <= 3 * 15


def test_the_average_path_length_is_the_papers():
    # Equation 1 with the harmonic number itself: c(256) = 2 H(255) - 2 * 255 / 256.
    harmonic = sum(1 / i for i in range(1, 256))
    expected = 2 * harmonic - 2 * 255 / 256
    np.testing.assert_allclose(average_path_length(np.array([256])), expected, rtol=1e-3)
    np.testing.assert_array_equal(average_path_length(np.array([0, 1, 2])), [0, 0, 1])


def test_scores_are_between_0_and_1_and_a_far_row_is_above_a_half():
    X = table(400, 4)
    detector = IsolationForest(random_state=0).fit(X)
    scores = detector.anomaly_score(X)
    assert 0 < scores.min() <= scores.max() < 1
    assert detector.anomaly_score(X.mean(0, keepdims=True) + 50 * X.std(0))[0] > 0.5
