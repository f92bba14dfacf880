"""Categories and gaps become numbers by what the training rows hold, and by nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from slad_paper.datasets import find
from slad_paper.datasets.protocol import half_normal_split
from slad_paper.datasets.suite import tasks
from slad_paper.runner.encoded_split import encode, encoded

pytest.importorskip("pyarrow")

RNG = np.random.default_rng(0)
ROWS = np.column_stack(
    [RNG.normal(size=300), RNG.integers(0, 3, 300), RNG.normal(size=300)]
).astype(np.float32)
ROWS[::10, 2] = np.nan
TRAIN, TEST = ROWS[:200], ROWS[200:]
MIXED = next(task for task in tasks() if task.categories and task.gaps)
PLAIN = next(task for task in tasks() if not task.mixed)


def test_other_test_rows_leave_the_encoding_as_it_is():
    first, _ = encode(TRAIN, TEST, (1,))
    wild = TEST.copy()
    wild[:, 0] = 1e6
    wild[:, 1] = 7
    second, seen = encode(TRAIN, wild, (1,))
    np.testing.assert_array_equal(first, second)
    assert (seen[:, 0] == 1e6).all()


def test_a_test_row_is_encoded_the_same_whatever_comes_with_it():
    _, together = encode(TRAIN, TEST, (1,))
    _, alone = encode(TRAIN, TEST[:1], (1,))
    np.testing.assert_array_equal(together[:1], alone)


def test_gaps_are_filled_and_told_and_a_category_has_its_place_and_rarity():
    train, test = encode(TRAIN, TEST, (1,))
    assert np.isfinite(train).all()
    assert np.isfinite(test).all()
    assert train.shape[1] == test.shape[1] > 3


def test_a_value_that_no_training_row_has_stands_out_even_where_all_have_the_same():
    train, test = TRAIN.copy(), TEST.copy()
    train[:, 1] = 0
    test[:, 1] = 0
    test[0, 1] = 2
    _, rows = encode(train, test, (1,))
    constant = [at for at in range(rows.shape[1]) if len(np.unique(rows[1:, at])) == 1]
    assert any(rows[0, at] != rows[1, at] for at in constant)


def test_a_table_of_numbers_is_left_alone():
    y = np.zeros(300, int)
    y[::20] = 1
    split = half_normal_split(ROWS, y, 0)
    assert encoded(split, find(PLAIN.name)) is split


def test_a_mixed_task_is_encoded_after_its_split():
    width = MIXED.features
    X = RNG.integers(0, 4, size=(200, width)).astype(np.float32)
    X[5, :] = np.nan
    y = np.zeros(200, int)
    y[::20] = 1
    split = half_normal_split(X, y, 0)
    made = encoded(split, find(MIXED.name))
    assert np.isfinite(made.train).all()
    assert len(made.train) == len(split.train)
    np.testing.assert_array_equal(made.test_labels, split.test_labels)
