"""The reference rows most like a row, in all columns but one."""

from __future__ import annotations

import numpy as np

from slad.explain.comparable import CLIP, ROWS, Comparable

NOBODY = -1


def found(reference, blocks, rows, draws=1, own=None):
    """What is found for each row, of all pieces together."""
    own = np.full(len(rows), NOBODY) if own is None else own
    blocks = [np.array(block) for block in blocks]
    pieces = list(Comparable.of(reference, blocks).found(rows, own, draws))
    starts = [start for start, _ in pieces]
    assert starts == list(range(0, len(rows), ROWS))
    return [np.concatenate(parts) for parts in zip(*(each for _, each in pieces), strict=True)]


def test_the_distance_leaves_out_the_columns_of_the_block():
    reference = np.array([[0.0, 0.0], [0.0, 9.0], [9.0, 0.0], [9.0, 9.0]])
    row = np.array([[0.0, 8.0]])
    nearest, places, _ = found(reference, [[0], [1]], row, draws=2)
    assert nearest.tolist() == [1]
    assert sorted(places[0, 0]) == [1, 3]  # alike in column 1
    assert sorted(places[0, 1]) == [0, 1]  # alike in column 0


def test_the_nearest_are_those_of_all_distances_written_out():
    rng = np.random.default_rng(0)
    reference, rows = rng.normal(size=(40, 5)), rng.normal(size=(150, 5))
    nearest, places, within = found(reference, [[at] for at in range(5)], rows, draws=3)
    center, scale = reference.mean(axis=0), reference.std(axis=0)
    apart = ((rows[:, None] - center) / scale - (reference - center) / scale) ** 2
    np.testing.assert_array_equal(nearest, apart.sum(2).argmin(1))
    for block in range(5):
        expected = np.delete(apart, block, axis=2).sum(2).argsort(1)[:, :3]
        np.testing.assert_array_equal(np.sort(places[:, block]), np.sort(expected))
        mine = np.take_along_axis(apart[:, :, block], expected, axis=1).mean(axis=1)
        np.testing.assert_allclose(within[:, block], mine)


def test_a_row_of_the_reference_is_not_compared_with_itself():
    reference = np.random.default_rng(0).normal(size=(10, 3))
    nearest, places, _ = found(reference, [[0], [1]], reference, own=np.arange(10))
    own = np.arange(10)
    assert (nearest != own).all()
    assert (places != own[:, None, None]).all()


def test_a_column_counts_the_same_in_any_unit_and_width():
    rng = np.random.default_rng(1)
    narrow, rows = rng.normal(size=(30, 2)), rng.normal(size=(20, 2))
    wide = [np.column_stack([each[:, 0] * 1000, *[each[:, 1]] * 6]) for each in (narrow, rows)]
    blocks = [[0], [1, 2, 3, 4, 5, 6]]
    here, there = found(narrow, [[0], [1]], rows), found(wide[0], blocks, wide[1])
    np.testing.assert_array_equal(here[0], there[0])
    np.testing.assert_array_equal(here[1], there[1])


def test_a_group_does_not_change_the_weight_of_its_columns():
    reference = np.random.default_rng(0).normal(size=(9, 3))
    alone = Comparable.of(reference, [np.array([0]), np.array([1])])
    grouped = Comparable.of(reference, [np.array([0]), np.array([1]), np.array([0, 1])])
    assert alone.weight.tolist() == grouped.weight.tolist() == [1, 1, 1]  # the last is in no block


def test_a_cell_far_away_is_cut_off_and_a_constant_column_is_not_blown_up():
    reference = np.column_stack([np.arange(5.0), np.full(5, 1e9)])
    reference[::2, 1] = np.nextafter(1e9, 2e9)  # constant but for the last bit
    comparable = Comparable.of(reference, [np.array([0]), np.array([1])])
    assert comparable.scale[1] == 1
    assert np.abs(comparable.by_feature).max() <= CLIP
    nearest, *_ = found(reference, [[0], [1]], np.array([[1e300, 1e9]]))
    assert nearest.tolist() == [4]


def test_as_many_draws_as_rows_take_every_row_once():
    reference = np.random.default_rng(0).normal(size=(5, 2))
    _, places, _ = found(reference, [[0]], reference[:1], draws=5)
    assert places.tolist() == [[[0, 1, 2, 3, 4]]]
