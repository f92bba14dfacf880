"""Reasons in order, and columns that are named together."""

from __future__ import annotations

import numpy as np
import pytest

from slad.detectors import KNN
from slad.explain import (
    Reason,
    correlated_blocks,
    occlusion,
    overshadowed,
    reasons,
    with_groups,
)


def test_reasons_come_strongest_first_and_only_where_something_contributes():
    (found,) = reasons(np.array([[0.5, -1.0, 2.0, 0.0]]))
    assert [each.blocks for each in found] == [(2,), (0,)]
    assert [each.share for each in found] == pytest.approx([0.8, 0.2])


def test_a_row_that_nothing_explains_has_no_reasons():
    assert reasons(np.array([[-1.0, 0.0]])) == [[]]


def test_a_trifle_is_left_out():
    (found,) = reasons(np.array([[1.0, 0.01]]))
    assert found == [Reason((0,), 1.0, pytest.approx(1 / 1.01))]


def test_many_small_reasons_are_all_given():
    assert len(reasons(np.full((1, 40), 0.01))[0]) == 40


def test_no_more_reasons_than_asked_for():
    assert len(reasons(np.ones((1, 5)), top=3)[0]) == 3


def test_a_group_that_says_clearly_more_stands_for_its_columns():
    (found,) = reasons(np.array([[0.1, 0.2, 0.5, 3.0]]), [(0, 1)])
    assert [each.blocks for each in found] == [(0, 1), (2,)]


def test_columns_that_say_as_much_alone_are_named_alone():
    (found,) = reasons(np.array([[1.0, 2.0, 0.5, 3.0]]), [(0, 1)])
    assert [each.blocks for each in found] == [(1,), (0,), (2,)]


def test_sensors_that_went_wrong_together_are_one_reason():
    rng = np.random.default_rng(0)
    normal = rng.normal(size=(500, 1)) + 0.1 * rng.normal(size=(500, 3))
    normal[:, 2] = rng.normal(size=500)
    blocks = [(0, 1), (1, 2), (2, 3)]
    groups = correlated_blocks(normal, blocks)
    detector = KNN(n_neighbors=5).fit(normal)
    tried = with_groups(blocks, groups)
    found = occlusion(detector.anomaly_score, np.array([[7.0, 7.0, 0.0]]), normal, tried)
    (row,) = reasons(found.contributions, groups)
    assert [each.blocks for each in row] == [(0, 1)]


def test_a_group_is_tried_as_one_block():
    tried = with_groups([(0, 2), (2, 3), [5, 6]], [(0, 2)])
    assert [each.tolist() for each in tried] == [[0, 1], [2], [5, 6], [0, 1, 5, 6]]


def test_columns_that_are_odd_only_together_come_before_a_trifle():
    joint = Reason((0, 1, 2), 9.0, 1.0)
    assert overshadowed([], joint) == [joint]
    assert overshadowed([Reason((3,), 0.2, 1.0)], joint) == [joint]
    (first, second) = overshadowed([Reason((3,), 1.0, 0.5), Reason((0,), 1.0, 0.5)], joint)
    assert (first.blocks, second.blocks) == ((0, 1, 2), (3,))
    assert first.share + second.share == pytest.approx(1)


def test_columns_that_explain_a_row_alone_are_not_overshadowed():
    found = [Reason((0,), 3.0, 1.0)]
    assert overshadowed(found, Reason((0, 1), 4.0, 1.0)) == found
    assert overshadowed([], Reason((0, 1), -1.0, 1.0)) == []
