"""Scaled rows, dense or sparse, and their products with matrices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from scipy.sparse import csc_array, csr_array
from torch import Tensor
from torch.nn.functional import pad

from slad.core.devices import available_memory
from slad.core.products import row_product
from slad.core.typing import Float, Int

DENSE_BLOCK = 1024
"""Sparse rows made dense at a time, on a GPU."""
DENSE_SHARE = 8
"""Sparse rows are made dense once if they take at most free GPU memory divided by this."""


@dataclass(frozen=True)
class DenseRows:
    values: Float[Tensor, "n d"]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Int[Tensor, " k"]) -> DenseRows:
        return DenseRows(self.values.index_select(0, rows))

    def on(self, device: torch.device) -> DenseRows:
        return self if self.values.device == device else DenseRows(self.values.to(device))

    def times(
        self, matrix: Float[Tensor, "s h"], features: Int[Tensor, " s"] | None = None
    ) -> Float[Tensor, "n h"]:
        """Product of the rows, or of these features of them, with a matrix."""
        chosen = self.values if features is None else self.values.index_select(1, features)
        return row_product(chosen, matrix)


@dataclass(frozen=True)
class SparseRows:
    """`baseline + offsets`. A zero of the table is scaled to `baseline`, so only other cells are
    stored."""

    offsets: csr_array
    baseline: Float[Tensor, " d"]

    def __len__(self) -> int:
        return int(self.offsets.shape[0])

    def take(self, rows: Int[Tensor, " k"]) -> SparseRows:
        return SparseRows(self.offsets[rows.cpu().numpy()], self.baseline)

    def on(self, device: torch.device) -> SparseRows | OffsetRows:
        """The rows for use on the device: made dense on a GPU if they fit into its memory."""
        size = (len(self) + DENSE_BLOCK) * self.offsets.shape[1] * 4
        if device.type == "cpu" or size > available_memory(device) // DENSE_SHARE:
            return self
        blocks = [self._dense(start, device) for start in range(0, len(self), DENSE_BLOCK)]
        return OffsetRows(torch.cat(blocks)[: len(self)], self.baseline.to(device))

    def times(
        self, matrix: Float[Tensor, "s h"], features: Int[Tensor, " s"] | None = None
    ) -> Float[Tensor, "n h"]:
        """Product of the rows, or of these features of them, with a matrix.

        A sparse product on a CPU; dense products of blocks on a GPU. On both, the product of a row
        does not depend on the other rows.
        """
        base = matrix.new_zeros(matrix.shape[1])
        if self._has_baseline:
            base = _product_of_baseline(self.baseline, matrix, features)
        if matrix.device.type == "cpu":
            offsets = self._columns if features is None else self._columns[:, features.numpy()]
            return torch.from_numpy(np.asarray(offsets @ matrix.numpy())) + base
        parts = []
        for start in range(0, len(self), DENSE_BLOCK):
            block = self._dense(start, matrix.device)
            parts.append((block if features is None else block[:, features]) @ matrix)
        return torch.cat(parts)[: len(self)] + base

    @cached_property
    def _has_baseline(self) -> bool:
        """False for most sparse tables: most scalings leave zeros at zero."""
        return bool(self.baseline.any())

    @cached_property
    def _columns(self) -> csc_array:
        """By columns, so that a product reads the matrix in order."""
        return self.offsets.tocsc()

    def _dense(self, start: int, device: torch.device) -> Float[Tensor, "block d"]:
        """A block of rows, padded with zeros to the common size of blocks."""
        block = self.offsets[start : start + DENSE_BLOCK]
        counts = torch.from_numpy(np.diff(block.indptr).astype(np.int64)).to(device)
        row = torch.repeat_interleave(torch.arange(len(counts), device=device), counts)
        column = torch.from_numpy(block.indices.astype(np.int64)).to(device)
        dense = torch.zeros(DENSE_BLOCK, block.shape[1], device=device)
        dense[row, column] = torch.from_numpy(block.data).to(device)
        return dense


@dataclass(frozen=True)
class OffsetRows:
    """Sparse rows made dense on a GPU. Products equal those of `SparseRows` on a GPU to the bit,
    because the number of rows decides which of the two is used."""

    offsets: Float[Tensor, "n d"]
    baseline: Float[Tensor, " d"]

    def __len__(self) -> int:
        return len(self.offsets)

    def take(self, rows: Int[Tensor, " k"]) -> OffsetRows:
        return OffsetRows(self.offsets.index_select(0, rows), self.baseline)

    def times(
        self, matrix: Float[Tensor, "s h"], features: Int[Tensor, " s"] | None = None
    ) -> Float[Tensor, "n h"]:
        """Product of the rows, or of these features of them, with a matrix, in fixed blocks."""
        chosen = self.offsets if features is None else self.offsets.index_select(1, features)
        chosen = pad(chosen, (0, 0, 0, -len(self) % DENSE_BLOCK))
        parts = [block @ matrix for block in chosen.split(DENSE_BLOCK)]
        return torch.cat(parts)[: len(self)] + _product_of_baseline(self.baseline, matrix, features)


def _product_of_baseline(
    baseline: Float[Tensor, " d"], matrix: Float[Tensor, "s h"], features: Tensor | None
) -> Float[Tensor, " h"]:
    baseline = baseline.to(matrix.device)
    return (baseline if features is None else baseline[features]) @ matrix


Rows = DenseRows | SparseRows | OffsetRows
