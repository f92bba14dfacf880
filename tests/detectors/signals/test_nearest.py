"""The nearest row of every group of reference rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from slad.detectors.signals.nearest import GROUPS, GroupMinima


def rows(n: int, d: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)


def by_hand(reference: np.ndarray, queries: np.ndarray) -> np.ndarray:
    distances = cdist(queries, reference)
    groups = np.arange(len(reference)) % min(GROUPS, len(reference))
    return np.sort(
        np.stack([distances[:, groups == g].min(axis=1) for g in np.unique(groups)], axis=1)
    )


@pytest.mark.parametrize("n", [1, 3, 63, 64, 65, 700])
@pytest.mark.parametrize("d", [1, 7, 120])
def test_distances_are_the_sorted_minima_of_the_groups(n, d):
    reference, queries = rows(n, d), rows(300, d, seed=1)
    found = GroupMinima(reference).distances(queries)
    np.testing.assert_allclose(found, by_hand(reference, queries), rtol=2e-3, atol=2e-3)


def test_the_first_is_the_nearest_row_and_its_place_is_known():
    reference, queries = rows(500, 5), rows(100, 5, seed=1)
    distances, places = GroupMinima(reference).with_places(queries, 10)
    exact = cdist(queries, reference)
    np.testing.assert_array_equal(places[:, 0], exact.argmin(axis=1))
    np.testing.assert_allclose(distances[:, 0], exact.min(axis=1), rtol=1e-3)
    assert places.shape == (100, 10)


def test_a_reference_row_is_not_its_own_neighbour():
    reference = rows(200, 3)
    own = np.arange(200)
    distances, places = GroupMinima(reference).with_places(reference, 5, own)
    assert (distances[:, 0] > 1e-3).all()
    assert not (places == own[:, None]).any()


@pytest.mark.parametrize("n", [1, 2, 5])
def test_groups_of_one_row_stay_finite_without_it(n):
    reference = rows(n, 3)
    assert np.isfinite(GroupMinima(reference).distances(reference, np.arange(n))).all()


def test_a_distance_does_not_depend_on_the_other_rows():
    index, queries = GroupMinima(rows(300, 6)), rows(600, 6, seed=2)
    together = index.distances(queries)
    alone = np.concatenate([index.distances(queries[at : at + 7]) for at in range(0, 600, 7)])
    np.testing.assert_array_equal(together, alone)
