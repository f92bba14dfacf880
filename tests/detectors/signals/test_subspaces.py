"""Random subsets of columns."""

from __future__ import annotations

import numpy as np
import pytest

from slad.detectors.signals.nearest import GroupMinima
from slad.detectors.signals.subspaces import LEAST, Size, Subspaces, over_subsets, usual

ROWS = np.random.default_rng(0).normal(size=(300, 9)).astype(np.float32)


@pytest.mark.parametrize(("name", "columns"), [("half", 5), ("root", 3)])
def test_a_subset_compares_some_columns_with_the_nearest_reference_rows(name, columns):
    subspaces = Subspaces(ROWS, Size(name, 3, 300), seed=0)
    new = np.random.default_rng(1).normal(size=(20, 9)).astype(np.float32)
    found = subspaces.distances(new)
    assert found.shape == (20, 3, 2)
    for at, subset in enumerate(subspaces._subsets):
        chosen = subset.columns
        assert len(set(chosen.tolist())) == columns
        apart = np.linalg.norm(new[:, None, chosen] - ROWS[None][..., chosen], axis=2)
        np.testing.assert_allclose(
            found[:, at, 0], np.log(apart.min(axis=1) + LEAST), rtol=1e-4, atol=1e-4
        )
    assert (found[:, :, 1] >= found[:, :, 0]).all()


def test_a_reference_row_is_not_its_own_neighbour_whether_it_was_drawn_or_not():
    subspaces = Subspaces(ROWS, Size("half", 4, 100), seed=0)
    found = subspaces.distances(ROWS, np.arange(len(ROWS)))
    assert np.isfinite(found).all()
    assert (found > np.log(1e-2)).all()
    assert (subspaces.distances(ROWS)[:, :, 0] < np.log(1e-2)).any(axis=1).any()


def test_no_more_reference_rows_are_drawn_than_asked_for_and_all_subsets_differ():
    subspaces = Subspaces(ROWS, Size("half", 4, 100), seed=0)
    drawn = [np.flatnonzero(subset.places >= 0) for subset in subspaces._subsets]
    assert {len(each) for each in drawn} == {100}
    assert len({tuple(each) for each in drawn}) == 4


def test_the_same_seed_draws_the_same_subsets():
    found = [Subspaces(ROWS, Size("root", 4, 50), seed).distances(ROWS[:9]) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_a_row_that_is_far_in_one_subset_is_far_by_the_largest_and_less_so_by_the_mean():
    own = np.random.default_rng(2).normal(size=(500, 4, 2)).astype(np.float32)
    far = np.zeros((1, 4, 2), dtype=np.float32)
    far[0, 2] = 20
    near_mean, near_largest, far_mean, far_largest = over_subsets(far, *usual(own))[0]
    assert near_largest > 2 > near_mean > 0
    assert far_largest > 2 > far_mean > 0


def test_one_row_and_one_column_are_enough():
    rows = np.zeros((1, 1), dtype=np.float32)
    found = Subspaces(rows, Size("half", 2, 10), 0).distances(np.ones((2, 1), dtype=np.float32))
    assert np.isfinite(over_subsets(found, *usual(found))).all()


def test_the_second_rank_is_the_tenth_minimum():
    subspaces = Subspaces(ROWS, Size("half", 1, 300), seed=0)
    subset = subspaces._subsets[0]
    minima = GroupMinima(ROWS[:, subset.columns]).distances(ROWS[:5, subset.columns])
    np.testing.assert_allclose(
        subspaces.distances(ROWS[:5])[:, 0, 1], np.log(minima[:, 9] + LEAST), rtol=1e-5
    )
