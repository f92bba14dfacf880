from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.stats import skew

from recipes import table
from slad.detectors import ECOD
from slad.detectors.parts import tail_detector


def by_the_paper(X: np.ndarray) -> np.ndarray:
    """Scores of a table ranked within itself, as the paper writes them."""
    left = -np.log((X[:, None] >= X[None]).mean(axis=1))
    right = -np.log((X[:, None] <= X[None]).mean(axis=1))
    automatic = np.where(skew(X, axis=0) < 0, left, right)
    return np.max([left.sum(1), right.sum(1), automatic.sum(1)], axis=0)


@pytest.mark.parametrize("d", [1, 5, 30])
def test_training_rows_score_as_in_the_paper(d):
    X = np.exp(table(200, d) / 10)
    np.testing.assert_allclose(ECOD().fit(X).anomaly_score(X), by_the_paper(X), rtol=1e-10)


def test_equal_values_count_on_both_sides():
    X = np.random.default_rng(0).poisson([0.3, 1, 4], size=(150, 3)).astype(float)
    np.testing.assert_allclose(ECOD().fit(X).anomaly_score(X), by_the_paper(X), rtol=1e-10)


def test_each_of_the_three_sums_can_be_the_largest():
    X = np.stack([np.arange(9.0) ** 2, np.arange(9.0) ** 2, -(np.arange(9.0) ** 2)], axis=1)
    detector = ECOD().fit(X)  # skewed to the right, to the right, to the left
    tail = np.log(9)
    lows, highs = X.min(axis=0), X.max(axis=0)
    middle = np.median(X, axis=0)
    assert detector.anomaly_score([lows])[0] == pytest.approx(3 * tail)
    assert detector.anomaly_score([highs])[0] == pytest.approx(3 * tail)
    mixed = [highs[0], highs[1], lows[2]]
    assert detector.anomaly_score([mixed])[0] == pytest.approx(3 * tail)
    assert detector.anomaly_score([middle])[0] < 3 * tail


def test_a_value_beyond_all_training_values_has_a_finite_score_above_theirs():
    X = table(100, 1)
    detector = ECOD().fit(X)
    beyond = detector.anomaly_score([[1e300], [-1e300]])
    np.testing.assert_allclose(beyond.max(), np.log(101))
    assert beyond.max() > detector.anomaly_score(X).max()


def test_a_value_between_two_training_values_scores_between_them():
    detector = ECOD().fit(np.array([[0.0], [1.0], [2.0], [10.0]]))
    scores = detector.anomaly_score([[1.0], [1.5], [2.0], [5.0], [10.0], [11.0]])
    # Skewed to the right; left sums are smaller from the middle on.
    np.testing.assert_allclose(scores, -np.log([2 / 4, 2 / 4, 2 / 4, 1 / 4, 1 / 4, 1 / 5]))


@given(
    seed=st.integers(0, 2**31),
    n=st.integers(1, 40),
    d=st.integers(1, 12),
    density=st.floats(0, 1),
)
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_a_sparse_table_scores_as_the_dense_one(seed, n, d, density):
    rng = np.random.default_rng(seed)
    X, new = (
        rng.integers(-3, 4, size=(m, d)) * (rng.uniform(size=(m, d)) < density) for m in (n, 15)
    )
    dense, sparse = ECOD(contamination=0.1), ECOD(contamination=0.1)
    dense.fit(X + 0.0), sparse.fit(csr_array(X))
    expected = dense.anomaly_score(new)
    for detector in (dense, sparse):
        for rows in (new, csr_array(new)):
            np.testing.assert_allclose(detector.anomaly_score(rows), expected, rtol=1e-9, atol=1e-9)


def test_any_monotone_scale_gives_the_same_scores():
    X = table(200, 4)
    longer = ECOD().fit(X).anomaly_score(X)
    np.testing.assert_array_equal(ECOD().fit(1e200 * X).anomaly_score(1e200 * X), longer)


@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_blocks_of_any_size_give_the_same(wrap, monkeypatch):
    X = wrap(np.random.default_rng(0).integers(0, 5, size=(60, 7)) * 1.0)
    whole = ECOD().fit(X).anomaly_score(X)
    monkeypatch.setattr(tail_detector, "CELLS", 50)
    np.testing.assert_allclose(ECOD().fit(X).anomaly_score(X), whole, rtol=1e-12)


def test_a_model_of_few_different_values_is_small():
    X = np.random.default_rng(0).integers(0, 2, size=(1000, 50))
    arrays = ECOD().fit(X).state().arrays
    assert sum(array.size for array in arrays.values()) < 50 * 10
