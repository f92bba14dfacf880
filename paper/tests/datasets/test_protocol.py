from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, issparse

from slad.core.errors import ConfigError, DataError
from slad_paper.datasets.protocol import contaminated_split, half_normal_split, synthesise


def rows_that_name_themselves(normal: int, odd: int, width: int = 3):
    """Sorted as files are: normal rows first. Column 0 holds the row's number."""
    X = np.random.default_rng(0).normal(size=(normal + odd, width))
    X[:, 0] = np.arange(normal + odd)
    return X, np.repeat([0, 1], [normal, odd])


def test_half_of_the_normal_rows_train_and_all_others_test():
    X, y = rows_that_name_themselves(101, 20)
    split = half_normal_split(X, y, 3)
    assert len(split.train) == 50
    assert not split.train_labels.any()
    assert sorted(np.concatenate([split.train_rows, split.test_rows])) == list(range(121))
    np.testing.assert_array_equal(split.train[:, 0], split.train_rows)
    np.testing.assert_array_equal(split.test[:, 0], split.test_rows)
    np.testing.assert_array_equal(split.test_labels, y[split.test_rows])


def test_training_rows_are_a_random_half_and_test_rows_are_shuffled():
    X, y = rows_that_name_themselves(1000, 500)
    split = half_normal_split(X, y, 0)
    assert 400 < split.train_rows.mean() < 600  # the first half would have 250
    assert (np.diff(split.test_labels) != 0).sum() > 200  # normals first would have one change
    other = half_normal_split(X, y, 1)
    assert set(split.train_rows) != set(other.train_rows)


def test_the_same_seed_gives_the_same_split_and_leaves_the_global_generator_alone():
    X, y = rows_that_name_themselves(50, 5)
    before = str(np.random.get_state())  # noqa: NPY002
    first, second = half_normal_split(X, y, 7), half_normal_split(X, y, 7)
    np.testing.assert_array_equal(first.train_rows, second.train_rows)
    np.testing.assert_array_equal(first.test_rows, second.test_rows)
    assert str(np.random.get_state()) == before  # noqa: NPY002


def test_seed_42_is_the_released_code_s_split():
    X, y = rows_that_name_themselves(10, 2)
    order = np.random.RandomState(42).permutation(12)
    expected = [row for row in order if row < 10][:5]
    np.testing.assert_array_equal(half_normal_split(X, y, 42).train_rows, expected)


def test_a_cap_draws_rows_without_a_look_at_the_labels():
    X, y = rows_that_name_themselves(9000, 1000)
    shares, firsts = [], []
    for seed in range(40):
        split = half_normal_split(X, y, seed, max_rows=500)
        used = np.concatenate([split.train_rows, split.test_rows])
        assert len(used) == len(set(used)) == 500
        shares.append(split.test_labels.sum() / 500)
        firsts.append(used.mean())
    # A tenth of the rows are anomalies: the draw has no more of them than chance gives.
    assert abs(np.mean(shares) - 0.1) < 4 * np.sqrt(0.1 * 0.9 / 500 / 40)
    assert np.std(shares) > 0.005  # and not exactly a tenth each time, as a stratified draw has
    assert abs(np.mean(firsts) - 4999.5) < 200


def test_a_cap_above_the_rows_changes_nothing():
    X, y = rows_that_name_themselves(60, 6)
    plain, capped = half_normal_split(X, y, 1), half_normal_split(X, y, 1, max_rows=66)
    np.testing.assert_array_equal(plain.test_rows, capped.test_rows)


def test_sparse_tables_stay_sparse():
    X, y = rows_that_name_themselves(20, 4)
    split = half_normal_split(csr_array(X), y, 0)
    assert issparse(split.train)
    assert issparse(split.test)
    np.testing.assert_array_equal(split.test.toarray(), X[split.test_rows])


@pytest.mark.parametrize(
    ("normal", "odd", "words"),
    [(10, 0, "0 anomalies among 10 rows"), (0, 4, "0 normal rows among 4"), (1, 4, "1 normal")],
)
def test_a_split_without_anomalies_or_normals_says_so(normal, odd, words):
    X, y = rows_that_name_themselves(normal, odd)
    with pytest.raises(DataError, match=words):
        half_normal_split(X, y, 0)


def test_a_cap_that_leaves_no_anomaly_is_named():
    X, y = rows_that_name_themselves(1000, 1)
    with pytest.raises(DataError, match=r"0 anomalies among 10 rows \(drawn of 1001\).*max_rows"):
        half_normal_split(X, y, 0, max_rows=10)


@pytest.mark.parametrize(
    ("labels", "words"),
    [([0, 1, 2], "labels are"), ([0, 1], "3 rows, but 2 labels"), ([0, -1, 1], "labels are")],
)
def test_labels_that_are_none_are_refused(labels, words):
    with pytest.raises(DataError, match=words):
        half_normal_split(np.zeros((3, 2)), np.array(labels), 0)


def test_a_cap_of_nothing_is_refused():
    X, y = rows_that_name_themselves(10, 2)
    with pytest.raises(ConfigError, match="max_rows=0"):
        half_normal_split(X, y, 0, max_rows=0)


# -- contamination -------------------------------------------------------------------------------


@given(
    rate=st.floats(0, 0.5),
    normal=st.integers(2, 200),
    odd=st.integers(4, 60),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_training_rows_hold_the_share_of_anomalies_asked_for(rate, normal, odd, seed):
    X, y = rows_that_name_themselves(normal, odd)
    split = contaminated_split(X, y, seed, rate=rate)
    n = len(split.train)
    assert n == len(split.train_labels) == len(split.train_rows)
    assert len(split.test) == len(split.test_labels) == len(split.test_rows)
    assert abs(split.train_labels.sum() - rate * n) <= 1
    assert split.train_labels.sum() == n - normal // 2
    made = split.train_rows < 0
    assert split.train_labels[made].all()
    np.testing.assert_array_equal(split.train[~made], X[split.train_rows[~made]])
    np.testing.assert_array_equal(split.train_labels[~made], y[split.train_rows[~made]])


def test_half_of_the_anomalies_test_and_none_of_them_trains():
    X, y = rows_that_name_themselves(400, 41)
    for rate in (0.0, 0.02, 0.1, 0.3):
        split = contaminated_split(X, y, 5, rate=rate)
        assert split.test_labels.sum() == 21
        assert not set(split.train_rows) & set(split.test_rows)


def test_the_test_rows_are_the_same_at_every_rate():
    X, y = rows_that_name_themselves(100, 20)
    tests = [contaminated_split(X, y, 5, rate=rate).test_rows for rate in (0, 0.02, 0.1, 0.4)]
    for other in tests[1:]:
        np.testing.assert_array_equal(tests[0], other)


def test_real_anomalies_come_first_and_others_are_made_only_when_they_run_out():
    X, y = rows_that_name_themselves(200, 20)
    assert (contaminated_split(X, y, 0, rate=0.05).train_rows >= 0).all()
    split = contaminated_split(X, y, 0, rate=0.2)
    assert split.train_labels.sum() == 25
    assert (split.train_rows < 0).sum() == 15


def test_contaminated_training_rows_are_shuffled():
    X, y = rows_that_name_themselves(200, 200)
    assert (np.diff(contaminated_split(X, y, 0, rate=0.3).train_labels) != 0).sum() > 20


@pytest.mark.parametrize(("width", "swapped"), [(2, 1), (19, 1), (100, 5), (300, 15)])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_a_synthesised_anomaly_is_one_with_five_percent_of_another(width, swapped, kind):
    real = np.random.default_rng(0).normal(size=(6, width))
    made = synthesise(kind(real), 40, np.random.default_rng(1))
    made = made.toarray() if issparse(made) else made
    assert made.shape == (40, width)
    for row in made:
        taken = [(row == other).sum() for other in real]
        assert sorted(taken)[-2:] == sorted([swapped, width - swapped])


def test_two_anomalies_are_needed_to_make_a_third():
    X, y = rows_that_name_themselves(100, 2)
    with pytest.raises(DataError, match="lower the contamination rate"):
        contaminated_split(X, y, 0, rate=0.2)
    assert contaminated_split(X, y, 0, rate=0.0).train_labels.sum() == 0


@pytest.mark.parametrize("rate", [-0.1, 1.0, float("nan")])
def test_a_rate_that_is_no_share_is_refused(rate):
    X, y = rows_that_name_themselves(10, 4)
    with pytest.raises(ConfigError, match="rate="):
        contaminated_split(X, y, 0, rate=rate)
