"""Sparse tables by rows."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, random_array

from slad.detectors.parts.sparse import CSR_PARTS, row_sums, short_indices, worth_sparse


def sparse(rows: int, columns: int, density: float = 0.2) -> csr_array:
    rng = np.random.default_rng(0)
    return csr_array(random_array((rows, columns), density=density, rng=rng))


def test_the_parts_of_a_matrix_make_it_again():
    X = sparse(20, 9)
    again = csr_array(tuple(getattr(X, part) for part in CSR_PARTS), shape=X.shape)
    np.testing.assert_array_equal(again.toarray(), X.toarray())


def test_rows_are_worth_the_sparse_form_where_few_cells_are_stored():
    assert worth_sparse(sparse(20, 9, density=0.05))
    assert not worth_sparse(sparse(20, 9, density=0.2))
    assert not worth_sparse(np.zeros((20, 9)))


def test_indices_become_short_where_they_fit():
    X = sparse(20, 9)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    found = short_indices(X)
    assert found.indices.dtype == found.indptr.dtype == np.int32
    assert (found != X).nnz == 0
    assert short_indices(found) is found


def test_sums_of_rows_count_empty_rows_too():
    X = sparse(20, 9, density=0.05)
    assert (np.diff(X.indptr) == 0).any()
    np.testing.assert_allclose(row_sums(X.data, X.indptr), X.toarray().sum(axis=1))
