"""Signals of histograms."""

from __future__ import annotations

import numpy as np
import pytest

from slad.detectors.signals.histograms import DIRECTIONS, Histograms, _drawn_directions

ROWS = np.random.default_rng(0).normal(size=(500, 4)).astype(np.float32)


def test_a_row_between_two_clusters_and_one_beyond_them_have_room_around_them():
    reference = np.concatenate([ROWS - 20, ROWS + 20])
    rows = np.array([[20.0] * 4, [0.0] * 4, [99.0] * 4], dtype=np.float32)
    for name, found in zip(Histograms.NAMES, Histograms(reference, 0)(rows).T, strict=True):
        assert found[1] > found[0] + 2, name
        assert found[2] > found[0] + 2, name


def test_a_share_is_that_of_the_bin():
    column = np.repeat(np.array([[0.0], [1.0]], dtype=np.float32), [90, 10], axis=0)
    found = Histograms(column, 0)(np.array([[0.0], [1.0], [0.5]], dtype=np.float32))[:, 0]
    assert np.exp(-found) == pytest.approx(np.array([90.5, 10.5, 0.5]) / 100.5)


def test_own_rows_leave_themselves_out_of_the_counts():
    histograms = Histograms(ROWS, 0)
    assert (histograms(ROWS, own=True) > histograms(ROWS)).all()


@pytest.mark.parametrize("columns", [1, 2, 9, 100])
def test_about_the_root_of_the_columns_takes_part_in_a_direction(columns):
    directions = _drawn_directions(columns, seed=0)
    assert directions.shape == (columns, DIRECTIONS)
    assert set((directions != 0).sum(axis=0)) == {int(np.ceil(np.sqrt(columns)))}


def test_constant_columns_and_one_row_give_numbers():
    for rows in (np.ones((5, 3), dtype=np.float32), np.ones((1, 1), dtype=np.float32)):
        assert np.isfinite(Histograms(rows, 0)(rows + 1)).all()
