from __future__ import annotations

import numpy as np
import torch
from scipy.sparse import random_array

from slad.core.rows import DenseRows, SparseRows


def test_sparse_rows_multiply_as_the_dense_rows_they_stand_for():
    rng = np.random.default_rng(0)
    offsets = random_array((9, 20), density=0.2, format="csr", dtype=np.float32, rng=rng)
    baseline = torch.from_numpy(rng.normal(size=20)).float()
    matrix = torch.from_numpy(rng.normal(size=(20, 4))).float()
    sparse = SparseRows(offsets, baseline)
    dense = DenseRows(torch.from_numpy(offsets.toarray()) + baseline)
    chosen = torch.tensor([4, 4, 0])
    assert len(sparse) == len(dense) == 9
    torch.testing.assert_close(sparse.times(matrix), dense.times(matrix))
    torch.testing.assert_close(sparse.take(chosen).times(matrix), dense.take(chosen).times(matrix))
