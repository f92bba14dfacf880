"""Signals of pairs of columns."""

from __future__ import annotations

import numpy as np
import pytest

from slad.detectors.signals.pairs import MOST, Pairs, _drawn_pairs


def test_values_usual_alone_and_never_together_are_rare():
    rng = np.random.default_rng(0)
    side = rng.integers(2, size=400)
    reference = np.column_stack([side, side]).astype(float)
    usual, broken = Pairs(reference, seed=0)(np.array([[0.0, 0.0], [0.0, 1.0]]))
    assert (broken > usual).all()


def test_independent_columns_have_no_lift():
    rows = np.random.default_rng(0).integers(3, size=(5000, 2)).astype(float)
    lift = Pairs(rows, seed=0)(rows)[:, Pairs.NAMES.index("pair lift largest")]
    assert lift.max() < 0.2


def test_one_column_has_no_pairs():
    assert (Pairs(np.ones((9, 1)), seed=0)(np.ones((4, 1))) == 0).all()


@pytest.mark.parametrize("columns", [2, 5, 16])
def test_all_pairs_of_few_columns_are_looked_at(columns):
    pairs = _drawn_pairs(columns, seed=0)
    assert len(set(pairs)) == len(pairs) == min(MOST, columns * (columns - 1) // 2)
    assert all(0 <= second < first < columns for first, second in pairs)


def test_of_many_columns_some_pairs_are_drawn_by_the_seed():
    assert len(_drawn_pairs(300, seed=1)) == MOST
    assert _drawn_pairs(300, seed=1) == _drawn_pairs(300, seed=1) != _drawn_pairs(300, seed=2)


def test_own_rows_leave_themselves_out_of_the_counts():
    rows = np.concatenate([np.zeros((50, 2)), [[1.0, 0.0]]])
    pairs = Pairs(rows, seed=0)
    assert pairs(rows[-1:], own=True)[0, 0] > pairs(rows[-1:])[0, 0]
