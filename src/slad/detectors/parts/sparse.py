"""Sparse tables by rows: their arrays, and when to compare rows in this form."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from slad.core.typing import Float, Table, is_sparse

CSR_PARTS = ("data", "indices", "indptr")
"""The arrays of a CSR matrix."""
SPARSE_SHARE = 0.1
"""Rows with a larger share of stored cells are compared faster in dense form."""


def worth_sparse(X: Table) -> bool:
    """Whether rows of this table are compared faster in sparse form."""
    return is_sparse(X) and X.nnz < SPARSE_SHARE * X.shape[0] * X.shape[1]


def short_indices(X: csr_array) -> csr_array:
    """With indices of 32 bits if possible: compiled parts of scikit-learn accept no others."""
    if X.indices.dtype == X.indptr.dtype == np.int32 or max(X.nnz, *X.shape) >= 2**31:
        return X
    indices, indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return type(X)((X.data, indices, indptr), shape=X.shape)


def row_sums(values: np.ndarray, indptr: np.ndarray) -> Float[np.ndarray, " n"]:
    """Sums of the stored values of each row."""
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return np.bincount(rows, weights=values, minlength=len(indptr) - 1)
