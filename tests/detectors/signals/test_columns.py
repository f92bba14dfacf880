"""Signals of single cells."""

from __future__ import annotations

import numpy as np
import pytest

from slad.detectors.signals.columns import Columns


def found(reference, rows) -> dict[str, np.ndarray]:
    signals = Columns(np.asarray(reference, float))(np.asarray(rows, float))
    return dict(zip(Columns.NAMES, signals.T, strict=True))


NORMAL = np.random.default_rng(0).normal(size=(400, 3))


def test_a_cell_farther_out_has_a_longer_tail_and_more_excess():
    rows = np.zeros((3, 3))
    rows[:, 0] = [0.0, 3.5, 50.0]
    signals = found(NORMAL, rows)
    assert signals["tails largest"][0] < signals["tails largest"][1]
    assert (np.diff(signals["excess largest"]) > 0).all()
    assert (np.diff(signals["far largest"]) > 0).all()
    assert signals["columns beyond"].tolist() == [0, 1, 1]


def test_a_cell_between_two_modes_is_alone():
    reference = np.concatenate([NORMAL[:, :1] - 20, NORMAL[:, :1] + 20])
    gap = found(reference, [[20.0], [0.0]])["gap largest"]
    assert gap[1] > gap[0] + 2


def test_rare_and_unseen_values_count_in_columns_of_few_values():
    reference = np.array([[0.0]] * 390 + [[1.0]] * 10)
    signals = found(reference, [[0.0], [1.0], [0.5]])
    assert (np.diff(signals["rarity largest"]) > 0).all()
    assert signals["unseen values"].tolist() == [0, 0, 1]


def test_many_different_values_are_not_rare():
    assert (found(NORMAL, NORMAL)["rarity sum"] == 0).all()


def test_own_rows_leave_themselves_out_of_their_tail():
    columns = Columns(NORMAL)
    highest = int(NORMAL[:, 0].argmax())
    tails = columns(NORMAL, own=True)[:, Columns.NAMES.index("tails largest")]
    assert tails[highest] == pytest.approx(np.log(400 / 2))


@pytest.mark.parametrize("values", [[[1.0]], [[1.0], [1.0], [1.0]], [[0.0], [1e15]]])
def test_constant_and_extreme_columns_give_numbers(values):
    rows = [[0.0], [1.0], [-1e15]]
    assert np.isfinite(Columns(np.array(values))(np.array(rows))).all()
