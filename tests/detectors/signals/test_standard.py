"""Standardised rows."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, random_array

from slad.detectors.parts.statistics import CLIP
from slad.detectors.signals.standard import WIDEST, Standardiser, drawn_rows

ROWS = np.random.default_rng(0).normal(3, 5, size=(200, 4))


def test_columns_have_mean_zero_and_deviation_one_in_single_precision():
    found = Standardiser.fit(ROWS, 0)(ROWS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(found.std(axis=0), 1, atol=1e-6)


def test_far_cells_are_cut_off():
    assert Standardiser.fit(ROWS, 0)(np.full((1, 4), 1e9)).tolist() == [[CLIP] * 4]


def test_sparse_rows_are_as_dense_ones():
    sparse = csr_array(random_array((50, 30), density=0.2, rng=np.random.default_rng(0)))
    dense = sparse.toarray()
    np.testing.assert_allclose(
        Standardiser.fit(sparse, 0)(sparse), Standardiser.fit(dense, 0)(dense), rtol=1e-6
    )


def test_wide_tables_are_projected_and_distances_stay_close():
    rows = np.random.default_rng(0).normal(size=(30, 3 * WIDEST))
    found = Standardiser.fit(rows, 0)(rows)
    assert found.shape == (30, WIDEST)
    whole = np.linalg.norm((rows - rows.mean(0)) / rows.std(0), axis=1)
    assert 0.9 < np.median(np.linalg.norm(found, axis=1) / whole) < 1.1


def test_a_row_does_not_depend_on_the_block_it_comes_in():
    rows = np.random.default_rng(0).normal(size=(30, 3 * WIDEST))
    standardiser = Standardiser.fit(rows, 0)
    np.testing.assert_array_equal(standardiser(rows)[7:9], standardiser(rows[7:9]))


def test_drawn_rows_are_some_of_the_rows_in_their_order():
    drawn = drawn_rows(np.arange(100)[:, None], 10, seed=3)[:, 0]
    assert len(set(drawn)) == 10
    assert (np.diff(drawn) > 0).all()
    assert len(drawn_rows(ROWS, None, seed=0)) == len(drawn_rows(ROWS, 999, seed=0)) == len(ROWS)
