"""Which rows are held out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad.core.errors import ConfigError, DataError
from slad.decisions import make_folds


@given(st.integers(2, 500), st.integers(0, 3))
def test_cross_holds_every_row_out_once(n_rows, seed):
    folds = make_folds(n_rows, calibration="cross", seed=seed)
    held = np.concatenate([fold.held for fold in folds])
    assert sorted(held) == list(range(n_rows))
    assert len(folds) == min(5, n_rows)


@given(st.integers(2, 500), st.sampled_from(["cross", "split", "auto"]))
def test_no_member_sees_the_rows_held_out_for_it(n_rows, kind):
    for fold in make_folds(n_rows, calibration=kind):
        assert len(fold.train)
        assert len(fold.held)
        assert sorted([*fold.train, *fold.held]) == list(range(n_rows))


@pytest.mark.parametrize(
    ("n_rows", "held"), [(2, 1), (100, 50), (300, 99), (1000, 250), (100_000, 10_000)]
)
def test_split_holds_out_a_quarter_and_enough_for_one_percent(n_rows, held):
    (fold,) = make_folds(n_rows, calibration="split")
    assert len(fold.held) == held


@pytest.mark.parametrize(
    ("n_rows", "own_rows", "count"),
    [(9_999, False, 5), (9_999, True, 5), (10_000, False, 1), (10_000, True, 2)],
)
def test_auto_takes_fewer_folds_for_many_rows(n_rows, own_rows, count):
    assert len(make_folds(n_rows, own_rows=own_rows)) == count


def test_folds_are_a_function_of_the_seed():
    first, again, other = (make_folds(50, seed=seed)[0].held for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_what_cannot_be_held_out_is_an_error():
    with pytest.raises(DataError, match="1 rows"):
        make_folds(1)
    with pytest.raises(ConfigError, match="did you mean cross"):
        make_folds(50, calibration="crss")
