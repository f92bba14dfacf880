"""Scaled rows on their way into a network: dense, or sparse without ever being made dense."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from scipy.sparse import csc_array, csr_array
from torch import Tensor

from slad.core.typing import Float, Int

DENSE_BLOCK = 1024
"""Sparse rows made dense at a time, on a GPU."""


@dataclass(frozen=True)
class DenseRows:
    values: Float[Tensor, "n d"]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Int[Tensor, " k"]) -> DenseRows:
        return DenseRows(self.values.index_select(0, rows))

    def times(
        self, matrix: Float[Tensor, "s h"], features: Int[Tensor, " s"] | None = None
    ) -> Float[Tensor, "n h"]:
        """Product of these features (None: all) of the rows with a matrix."""
        chosen = self.values if features is None else self.values.index_select(1, features)
        return chosen @ matrix


@dataclass(frozen=True)
class SparseRows:
    """`baseline + offsets`: a scaled zero is `baseline`, so only what differs is stored."""

    offsets: csr_array
    baseline: Float[Tensor, " d"]

    def __len__(self) -> int:
        return int(self.offsets.shape[0])

    def take(self, rows: Int[Tensor, " k"]) -> SparseRows:
        return SparseRows(self.offsets[rows.cpu().numpy()], self.baseline)

    def times(
        self, matrix: Float[Tensor, "s h"], features: Int[Tensor, " s"] | None = None
    ) -> Float[Tensor, "n h"]:
        """Product of these features (None: all) of the rows with a matrix.

        On a CPU a sparse product; on a GPU dense ones, block by block. Either way a row's product
        is the same whatever rows come with it.
        """
        base = self._base(matrix, features)
        if matrix.device.type == "cpu":
            offsets = self._columns if features is None else self._columns[:, features.numpy()]
            return torch.from_numpy(np.asarray(offsets @ matrix.numpy())) + base
        parts = []
        for start in range(0, len(self), DENSE_BLOCK):
            block = self._dense(start, matrix.device)
            parts.append((block if features is None else block[:, features]) @ matrix)
        return torch.cat(parts)[: len(self)] + base

    def _base(self, matrix: Tensor, features: Tensor | None) -> Float[Tensor, " h"]:
        """The product of the baseline, which most scalings of most sparse tables leave at zero."""
        if not self._has_baseline:
            return matrix.new_zeros(matrix.shape[1])
        baseline = self.baseline.to(matrix.device)
        return (baseline if features is None else baseline[features]) @ matrix

    @cached_property
    def _has_baseline(self) -> bool:
        return bool(self.baseline.any())

    @cached_property
    def _columns(self) -> csc_array:
        """Column by column a product runs through the matrix in order, and not all over it."""
        return self.offsets.tocsc()

    def _dense(self, start: int, device: torch.device) -> Float[Tensor, "block d"]:
        """A block of rows, filled up with zeros to the size of all blocks."""
        block = self.offsets[start : start + DENSE_BLOCK]
        counts = torch.from_numpy(np.diff(block.indptr).astype(np.int64)).to(device)
        row = torch.repeat_interleave(torch.arange(len(counts), device=device), counts)
        column = torch.from_numpy(block.indices.astype(np.int64)).to(device)
        dense = torch.zeros(DENSE_BLOCK, block.shape[1], device=device)
        dense[row, column] = torch.from_numpy(block.data).to(device)
        return dense


Rows = DenseRows | SparseRows
