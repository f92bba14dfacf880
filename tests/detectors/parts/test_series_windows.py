"""Windows of a series, and scores of its points."""

from __future__ import annotations

import numpy as np
import pytest

from slad.detectors.parts import series_windows as windows
from slad.detectors.parts.series_windows import (
    before,
    is_many,
    point_scores,
    window_blocks,
    window_rows,
)


def test_a_window_is_its_time_points_one_after_the_other():
    series = np.arange(10.0).reshape(5, 2)
    rows = window_rows(series, 3)
    assert rows.tolist() == [list(range(2 * at, 2 * at + 6)) for at in range(3)]
    assert window_rows(series, 3, stride=2).tolist() == rows[::2].tolist()
    assert window_rows(series, 5).tolist() == [list(range(10))]


def test_blocks_are_all_windows_in_order(monkeypatch):
    monkeypatch.setattr(windows, "BLOCK", 14)
    series = np.random.default_rng(0).normal(size=(11, 2))
    blocks = list(window_blocks(series, 3))
    assert [len(block) for block in blocks] == [2, 2, 2, 2, 1]
    np.testing.assert_array_equal(np.concatenate(blocks), window_rows(series, 3))


@pytest.mark.parametrize("window", [1, 2, 4, 7])
@pytest.mark.parametrize(("aggregation", "over"), [("mean", np.mean), ("max", np.max)])
def test_a_point_s_score_is_that_of_the_windows_that_hold_it(window, aggregation, over):
    of_windows = np.random.default_rng(0).normal(size=6)
    scores = point_scores(of_windows, window, aggregation)
    assert len(scores) == 6 + window - 1
    for point, score in enumerate(scores):
        holding = [at for at in range(6) if at <= point < at + window]
        assert score == pytest.approx(over(of_windows[holding]))


def test_with_copies_of_the_first_point_before_it_a_window_ends_at_every_point():
    series = np.arange(4.0)[:, None]
    rows = window_rows(before(series, 3), 3)
    assert rows.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 2], [1, 2, 3]]


def test_a_list_of_tables_is_many_series_and_a_list_of_rows_is_one():
    one = np.zeros((4, 2))
    assert is_many([one, one])
    assert is_many((one,))
    assert not is_many(one)
    assert not is_many(one.tolist())
    assert not is_many([])
