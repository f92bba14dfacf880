"""Subspaces of windows are channels by lags."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad.detectors.parts.window_subspaces import WAYS, sample_window_subspaces


def draw(way: str, window: int, channels: int, seed: int = 0, n_groups: int = 4):
    return sample_window_subspaces(
        way, window, channels, n_groups=n_groups, group_size=5, rng=np.random.default_rng(seed)
    )


@pytest.mark.parametrize("way", WAYS)
@given(st.integers(1, 12), st.integers(1, 8), st.integers(0, 99))
def test_a_subspace_is_some_channels_at_some_lags(way, window, channels, seed):
    subspaces = draw(way, window, channels, seed)
    assert (len(subspaces), subspaces.n_features) == (20, window * channels)
    for index in range(len(subspaces)):
        cells = subspaces[index]
        lags, which = np.unique(cells // channels), np.unique(cells % channels)
        assert len(cells) == len(set(cells)) == len(lags) * len(which)
        assert lags.min() >= 0
        assert lags.max() < window


def test_the_lags_of_a_span_follow_each_other_and_others_need_not():
    def gaps(way: str) -> int:
        subspaces = draw(way, 10, 3, n_groups=20)
        lags = [np.unique(subspaces[index] // 3) for index in range(len(subspaces))]
        return sum((np.diff(each) > 1).any() for each in lags)

    assert gaps("spans") == 0
    assert gaps("lags") > 20


@pytest.mark.parametrize("way", WAYS)
def test_numbers_of_channels_and_of_lags_are_uniform(way):
    subspaces = draw(way, 4, 4, n_groups=800)
    for count in (lambda cells: cells // 4, lambda cells: cells % 4):
        sizes = [len(np.unique(count(subspaces[index]))) for index in range(len(subspaces))]
        shares = np.bincount(sizes, minlength=5)[1:] / len(sizes)
        np.testing.assert_allclose(shares, 0.25, atol=0.03)
