from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recipes import table
from slad.detectors.slad.labels import feature_weights, length_classes, scale_labels
from slad.detectors.slad.subspaces import Subspaces, sample_subspaces


def blocks(X: np.ndarray, size: int = 40):
    return (X[start : start + size] for start in range(0, len(X), size))


@pytest.mark.parametrize("d", [2, 3, 12, 49])
def test_weights_are_the_mean_absolute_correlations_of_numpy(d):
    X = table(150, d)
    expected = np.abs(np.corrcoef(X, rowvar=False)).mean(axis=1)
    np.testing.assert_allclose(feature_weights(blocks(X), d), expected, rtol=1e-9)


@pytest.mark.parametrize("offset", [0, 1e3, -1e6, 1e9])
def test_a_column_far_from_zero_keeps_its_correlations(offset):
    X = table(150, 5)
    expected = np.abs(np.corrcoef(X, rowvar=False)).mean(axis=1)
    np.testing.assert_allclose(feature_weights(blocks(X + offset), 5), expected, rtol=1e-4)


def test_a_column_that_drifts_from_block_to_block_keeps_its_correlations():
    X = table(400, 5)
    X[:, 0] += np.linspace(0, 1e4, len(X))
    expected = np.abs(np.corrcoef(X, rowvar=False)).mean(axis=1)
    np.testing.assert_allclose(feature_weights(blocks(X), 5), expected, rtol=1e-6)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e8 + 0.1])
def test_a_constant_column_counts_as_uncorrelated(value):
    X = table(150, 4)
    X[:, 2] = value
    weights = feature_weights(blocks(X), 4)
    assert weights[2] == 0
    kept = np.abs(np.corrcoef(X[:, [0, 1, 3]], rowvar=False)).sum(axis=1) / 4
    np.testing.assert_allclose(weights[[0, 1, 3]], kept, rtol=1e-9)


def test_weights_are_ones_where_nothing_varies():
    np.testing.assert_array_equal(feature_weights(blocks(np.full((9, 4), 3.7)), 4), np.ones(4))


def test_weights_are_ones_from_the_threshold_up_without_reading_a_row():
    def forbidden():
        raise AssertionError("rows were read")
        yield

    np.testing.assert_array_equal(feature_weights(forbidden(), 50), np.ones(50))
    np.testing.assert_array_equal(feature_weights(forbidden(), 7, threshold=7), np.ones(7))


@pytest.mark.parametrize("d", [3, 10])
def test_rescaled_weights_span_0_to_1_in_the_same_order(d):
    X = table(150, d)
    plain, rescaled = feature_weights(blocks(X), d), feature_weights(blocks(X), d, rescale=True)
    assert (rescaled.min(), rescaled.max()) == (0, 1)
    np.testing.assert_array_equal(np.argsort(plain), np.argsort(rescaled))


def test_a_single_feature_weighs_one():
    for rescale in (False, True):
        assert feature_weights(blocks(table(50, 1)), 1, rescale=rescale) == pytest.approx([1])


@given(st.integers(0, 10_000))
def test_two_features_weigh_the_same_rescaled_or_not(seed):
    X = table(30, 2, seed)
    for rescale in (False, True):
        weights = feature_weights(blocks(X), 2, rescale=rescale)
        assert weights[0] == pytest.approx(weights[1], rel=1e-9)
        assert weights.min() > 0


@given(st.integers(1, 6), st.integers(1, 30), st.integers(0, 99), st.booleans())
def test_weights_are_always_numbers_from_0_to_1(d, n, seed, rescale):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, size=(n, d)) * rng.choice([1e-12, 1.0, 1e12], size=d)
    weights = feature_weights(blocks(X, 7), d, rescale=rescale)
    assert weights.shape == (d,)
    assert ((weights >= 0) & (weights <= 1)).all()
    assert weights.any()


@pytest.mark.parametrize("replace_up_to", [0, 10])
def test_labels_are_gamma_times_the_weights_in_a_subspace_over_h(replace_up_to):
    subspaces = sample_subspaces(
        6, n_groups=3, group_size=4, rng=np.random.default_rng(0), replace_up_to=replace_up_to
    )
    weights = np.random.default_rng(1).uniform(size=6)
    labels = scale_labels(subspaces, weights, representation_dim=32, magnification=150.0)
    for group in range(3):
        for place in range(4):
            detail = sum(weights[feature] for feature in subspaces[group * 4 + place])
            assert labels[group, place] == pytest.approx(150.0 * detail / 32)


def test_a_class_is_the_number_of_a_length_among_those_that_occur():
    lengths = np.array([3, 90, 3, 7, 7, 1], dtype=np.int32)
    subspaces = Subspaces(np.zeros(lengths.sum(), dtype=np.int32), lengths, 100, group_size=3)
    np.testing.assert_array_equal(length_classes(subspaces), [[1, 3, 1], [2, 2, 0]])


def test_without_weights_the_classes_are_in_the_order_of_the_scales():
    subspaces = sample_subspaces(30, n_groups=5, group_size=6, rng=np.random.default_rng(0))
    scales = scale_labels(subspaces, np.ones(30), representation_dim=8, magnification=9.0)
    _, expected = np.unique(scales, return_inverse=True)
    np.testing.assert_array_equal(length_classes(subspaces).ravel(), expected.ravel())


def test_a_threshold_of_zero_takes_the_weights_away():
    np.testing.assert_array_equal(feature_weights([], 6, threshold=0, rescale=True), np.ones(6))
