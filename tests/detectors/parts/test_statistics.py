"""Statistics of columns, and blocks of rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from recipes import table
from slad.detectors.parts import statistics
from slad.detectors.parts.statistics import (
    column_statistics,
    minmax,
    robust,
    row_blocks,
    standard,
)

MEASURES = (minmax, robust, standard)


def sparse(rows: int, columns: int) -> csr_array:
    return csr_array(random_array((rows, columns), density=0.2, rng=np.random.default_rng(0)))


@pytest.mark.parametrize("measure", MEASURES)
def test_statistics_come_from_all_blocks_of_columns(monkeypatch, measure):
    X = table(50, 40)
    whole = column_statistics(measure, X)
    monkeypatch.setattr(statistics, "COLUMN_BLOCK", 150)
    for mine, its in zip(whole, column_statistics(measure, X), strict=True):
        np.testing.assert_allclose(mine, its, rtol=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_statistics_of_a_sparse_table_are_those_of_the_dense_one(measure):
    X = sparse(60, 9)
    for mine, its in zip(
        column_statistics(measure, X), column_statistics(measure, X.toarray()), strict=True
    ):
        np.testing.assert_allclose(mine, its, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_squares_of_huge_and_tiny_cells_do_not_overflow(size):
    X = table(50, 3)
    center, scale = column_statistics(standard, X)
    for mine, its in zip(column_statistics(standard, X * size), (center, scale), strict=True):
        np.testing.assert_allclose(mine / size, its, rtol=1e-9)


def test_blocks_of_rows_are_all_rows_in_their_order():
    X = table(50, 4)
    found = list(row_blocks(X, cells=30))
    assert [start for start, _ in found] == list(range(0, 50, 7))
    np.testing.assert_array_equal(np.concatenate([block for _, block in found]), X)
    together = np.concatenate([block for _, block in row_blocks(sparse(20, 9), cells=30)])
    np.testing.assert_array_equal(together, sparse(20, 9).toarray())
