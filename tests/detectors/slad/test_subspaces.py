from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad.detectors.slad.subspaces import sample_subspaces, with_whole_rows


def draw(n_features: int, n_groups: int = 20, group_size: int = 10, seed: int = 0, **options):
    rng = np.random.default_rng(seed)
    return sample_subspaces(
        n_features, n_groups=n_groups, group_size=group_size, rng=rng, **options
    )


@given(st.integers(1, 60), st.integers(1, 5), st.integers(2, 6), st.integers(0, 99))
def test_there_are_groups_times_size_subsets_of_1_to_d_known_features(d, r, c, seed):
    subspaces = draw(d, r, c, seed)
    assert len(subspaces) == r * c
    assert (subspaces.n_groups, subspaces.group_size) == (r, c)
    for index, length in enumerate(subspaces.lengths):
        features = subspaces[index]
        assert 1 <= length == len(features) <= d
        assert features.min() >= 0
        assert features.max() < d
        assert len(set(features)) == length


def test_all_lengths_and_all_features_come_up():
    subspaces = draw(8, n_groups=100)
    assert set(subspaces.lengths) == set(range(1, 9))
    assert set(subspaces.features) == set(range(8))


def test_lengths_are_uniform_from_1_to_d():
    lengths = draw(4, n_groups=1000).lengths
    shares = np.bincount(lengths, minlength=5)[1:] / len(lengths)
    np.testing.assert_allclose(shares, 0.25, atol=0.03)


def test_a_pool_limits_how_many_different_lengths_there_are():
    assert len(set(draw(500, n_groups=50, length_pool=5).lengths)) == 5
    assert len(set(draw(500, n_groups=50).lengths)) > 100


def test_a_pool_of_more_lengths_than_features_changes_nothing():
    np.testing.assert_array_equal(draw(30, length_pool=50).features, draw(30).features)


@pytest.mark.parametrize("d", [10, 11])
def test_features_repeat_only_in_tables_up_to_the_limit(d):
    subspaces = draw(d, replace_up_to=10)
    repeats = any(len(set(subspaces[i])) < len(subspaces[i]) for i in range(len(subspaces)))
    assert repeats == (d <= 10)


def test_the_same_generator_state_draws_the_same_subspaces():
    np.testing.assert_array_equal(draw(30, seed=5).features, draw(30, seed=5).features)
    assert not np.array_equal(draw(30, seed=5).lengths, draw(30, seed=6).lengths)


@given(st.integers(1, 30), st.integers(1, 5), st.integers(2, 6), st.integers(0, 99))
def test_a_whole_row_ends_every_group_and_the_subspaces_stay(d, r, c, seed):
    plain = draw(d, r, c, seed)
    ended = with_whole_rows(plain)
    assert (ended.n_groups, ended.group_size, ended.n_features) == (r, c + 1, d)
    for group in range(r):
        for place in range(c):
            np.testing.assert_array_equal(ended[group * (c + 1) + place], plain[group * c + place])
        np.testing.assert_array_equal(ended[group * (c + 1) + c], np.arange(d))
