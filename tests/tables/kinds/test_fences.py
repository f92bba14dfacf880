"""Fences: what is far out is drawn in, and nothing else moves."""

from __future__ import annotations

import numpy as np
import pytest

from slad.tables.kinds.fences import MOST, Fences

USUAL = np.arange(101.0)


def test_fences_are_three_quartile_distances_beyond_the_quartiles() -> None:
    assert Fences.around(USUAL) == Fences(25 - 150, 75 + 150, 50)


def test_values_between_the_fences_stay_and_others_keep_their_order() -> None:
    fences = Fences.around(USUAL)
    values = np.array([-1e9, -200.0, -125.0, 0.0, 99.5, 225.0, 230.0, 1000.0, 1e9])
    drawn = fences.drawn_in(values)
    assert (drawn[2:6] == values[2:6]).all()
    assert (np.diff(drawn) > 0).all()
    assert drawn[-1] == pytest.approx(225 + 50 * np.log1p((1e9 - 225) / 50))
    assert fences.hold(-125, 225)
    assert not fences.hold(0, 226)


@pytest.mark.parametrize(("share", "unit"), [(0.2, 1.0), (0.04, 1.0), (0.001, 1.0)])
def test_a_column_that_is_mostly_one_value_takes_its_unit_from_wider_quantiles(share, unit) -> None:
    values = np.zeros(4000)
    values[: int(share * 4000)] = 1.0
    assert Fences.around(values).unit == unit
    assert Fences.around(values).hold(0.0, 1.0)


def test_equal_values_and_none_have_no_fences() -> None:
    assert Fences.around(np.full(9, 3.0)) is None
    assert Fences.around(np.zeros(0)) is None


def test_the_largest_numbers_stay_finite_and_small_units_do_not_overflow() -> None:
    fences = Fences.around(np.array([1.0, 1.0 + 1e-12, 1.0 + 2e-12, 1.0 + 3e-12]))
    drawn = fences.drawn_in(np.array([-MOST, MOST]))
    assert np.isfinite(drawn).all()
    assert drawn[0] < 1 < drawn[1]
    wide = Fences.around(np.array([-MOST, 0.0, MOST]))
    assert np.isfinite(wide.drawn_in(np.array([-MOST, MOST]))).all()
