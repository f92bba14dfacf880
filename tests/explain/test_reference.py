"""The normal rows that other rows are compared with."""

from __future__ import annotations

import numpy as np

from slad.explain import draw_reference


def test_a_reference_is_drawn_from_ordinary_rows():
    scores = np.arange(1000.0)
    places = draw_reference(scores, size=50, seed=1)
    assert len(np.unique(places)) == 50
    assert places.max() < 900
    assert np.array_equal(places, draw_reference(scores, size=50, seed=1))
    assert draw_reference(np.zeros(1)).tolist() == [0]


def test_rows_known_to_be_normal_are_drawn_from_all_of_them():
    scores = np.arange(100.0)
    assert draw_reference(scores, size=200, share=1.0).tolist() == list(range(100))
    assert draw_reference(scores, size=90, share=1.0).max() >= 90


def test_few_rows_are_all_taken_in_the_order_of_the_table():
    scores = np.array([5.0, 1.0, 9.0, 2.0])
    assert draw_reference(scores, share=0.75).tolist() == [0, 1, 3]


def test_equal_scores_keep_the_first_rows():
    assert draw_reference(np.zeros(10), share=0.5).tolist() == [0, 1, 2, 3, 4]


def test_another_seed_draws_other_rows():
    scores = np.arange(1000.0)
    assert not np.array_equal(draw_reference(scores, seed=0), draw_reference(scores, seed=1))
