"""Scaled rows on their way into a network: dense, or sparse without ever being made dense."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor

from slad.core.typing import Float, Int


@dataclass(frozen=True)
class DenseRows:
    values: Float[Tensor, "n d"]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Int[Tensor, " k"]) -> DenseRows:
        return DenseRows(self.values.index_select(0, rows))

    def times(self, matrix: Float[Tensor, "d h"]) -> Float[Tensor, "n h"]:
        return self.values @ matrix


@dataclass(frozen=True)
class SparseRows:
    """`baseline + offsets`: a scaled zero is `baseline`, so only what differs is stored.

    Products are made on the CPU row by row (each is the same whatever rows come with it), then
    moved to where the matrix is.
    """

    offsets: csr_array
    baseline: Float[Tensor, " d"]

    def __len__(self) -> int:
        return int(self.offsets.shape[0])

    def take(self, rows: Int[Tensor, " k"]) -> SparseRows:
        return SparseRows(self.offsets[rows.cpu().numpy()], self.baseline)

    def times(self, matrix: Float[Tensor, "d h"]) -> Float[Tensor, "n h"]:
        dense = matrix.cpu()
        product = torch.from_numpy(np.asarray(self.offsets @ dense.numpy()))
        return (product + self.baseline @ dense).to(matrix.device)


Rows = DenseRows | SparseRows
