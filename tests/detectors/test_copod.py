from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.stats import skew

import slad
from recipes import table
from slad.core.errors import ConfigError
from slad.detectors import COPOD, ECOD


def by_the_released_code(X: np.ndarray) -> np.ndarray:
    """Scores of a table ranked within itself, as the authors' code has them."""
    left = -np.log((X[:, None] >= X[None]).mean(axis=1))
    right = -np.log((X[:, None] <= X[None]).mean(axis=1))
    skewed = np.where(skew(X, axis=0) < 0, left, right)
    return np.maximum(skewed, (left + right) / 2).sum(axis=1)


@pytest.mark.parametrize("d", [1, 5, 30])
def test_training_rows_score_as_by_the_released_code(d):
    X = np.exp(table(200, d) / 10)
    X[:, ::2] *= -1
    np.testing.assert_allclose(COPOD().fit(X).anomaly_score(X), by_the_released_code(X), rtol=1e-10)


def test_equal_values_count_on_both_sides():
    X = np.random.default_rng(0).poisson([0.3, 1, 4], size=(150, 3)).astype(float)
    np.testing.assert_allclose(COPOD().fit(X).anomaly_score(X), by_the_released_code(X), rtol=1e-10)


def test_the_paper_s_algorithm_is_that_of_ecod():
    X, new = np.exp(table(200, 6) / 10), np.exp(table(100, 6, seed=1) / 5)
    copod, ecod = COPOD(definition="paper").fit(X), ECOD().fit(X)
    np.testing.assert_array_equal(copod.anomaly_score(new), ecod.anomaly_score(new))
    assert copod.offset_ == ecod.offset_
    assert not np.allclose(COPOD().fit(X).anomaly_score(new), ecod.anomaly_score(new), rtol=1e-2)


def test_new_rows_are_ranked_among_the_training_rows():
    detector = COPOD().fit(np.array([[0.0], [1.0], [2.0], [10.0]]))  # skewed to the right
    left, right = np.array([1, 1, 3 / 4, 2 / 4]), np.array([1 / 5, 1 / 4, 2 / 4, 3 / 4])
    expected = np.maximum(-np.log(right), -np.log(left * right) / 2)
    scores = detector.anomaly_score([[11.0], [10.0], [2.0], [1.0]])
    np.testing.assert_allclose(scores, expected)
    # Far to the left, both tails count half: the right one is whole, the left one empty.
    np.testing.assert_allclose(detector.anomaly_score([[-1e300]]), np.log(5) / 2)


def test_a_column_without_skew_counts_by_its_right_tail():
    detector = COPOD().fit(np.array([[-2.0], [-1.0], [0.0], [1.0], [2.0]]))
    low, high = detector.anomaly_score([[-2.0], [2.0]])
    assert (low, high) == pytest.approx((np.log(5) / 2, np.log(5)))


@given(
    seed=st.integers(0, 2**31),
    n=st.integers(1, 40),
    d=st.integers(1, 12),
    density=st.floats(0, 1),
    definition=st.sampled_from(["released", "paper"]),
)
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_a_sparse_table_scores_as_the_dense_one(seed, n, d, density, definition):
    rng = np.random.default_rng(seed)
    X, new = (
        rng.integers(-3, 4, size=(m, d)) * (rng.uniform(size=(m, d)) < density) for m in (n, 15)
    )
    expected = COPOD(definition=definition).fit(X + 0.0).anomaly_score(new)
    scores = COPOD(definition=definition).fit(csr_array(X)).anomaly_score(csr_array(new))
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("definition", ["copula", None, 1])
def test_an_unknown_definition_is_refused(definition):
    with pytest.raises(ConfigError, match="definition="):
        COPOD(definition=definition).fit(table(20, 2))


def test_a_fitted_and_a_saved_model_keep_their_definition(tmp_path):
    X = np.exp(table(60, 4) / 10)
    detector = COPOD(definition="paper").fit(X)
    expected = detector.anomaly_score(X)
    detector.save(tmp_path / "model")
    np.testing.assert_array_equal(slad.load(tmp_path / "model").anomaly_score(X), expected)
    np.testing.assert_array_equal(
        detector.set_params(definition="released").anomaly_score(X), expected
    )
