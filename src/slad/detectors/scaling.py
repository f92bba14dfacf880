"""Input scaling: every column on its own, fitted on training rows, for dense and sparse tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import csr_array, issparse

from slad.core.errors import DataError
from slad.core.rows import DenseRows, Rows, SparseRows
from slad.core.typing import Float

CLIP = 10.0
"""Standard and robust scores are cut off at +-10: a single wild cell must not drown the rest."""
LARGEST = 1e15
"""Beyond this a scaled value squared nears float32's end, and sums lose everything else."""
BLOCK_BYTES = 2**26
"""Working memory for a block of columns or rows in double precision."""

Statistics = tuple[np.ndarray, np.ndarray]


def _minmax(columns: np.ndarray) -> Statistics:
    low = columns.min(axis=0)
    return low, columns.max(axis=0) - low


def _standard(columns: np.ndarray) -> Statistics:
    return columns.mean(axis=0), columns.std(axis=0)


def _robust(columns: np.ndarray) -> Statistics:
    low, middle, high = np.percentile(columns, [25, 50, 75], axis=0)
    spread = high - low  # more than half of the cells equal: fall back to the deviation
    return middle, np.where(spread > 0, spread, columns.std(axis=0))


def _clip(z: np.ndarray) -> np.ndarray:
    return np.clip(z, -CLIP, CLIP, out=z)


def _signed_log(z: np.ndarray) -> np.ndarray:
    return np.copysign(np.log1p(np.abs(z)), z)


def _same(z: np.ndarray) -> np.ndarray:
    return z


Fit = Callable[[np.ndarray], Statistics]
Bend = Callable[[np.ndarray], np.ndarray]
SCALINGS: dict[str, tuple[Fit | None, Bend]] = {
    "minmax": (_minmax, _same),
    "standard": (_standard, _clip),
    "signed_log": (_standard, _signed_log),
    "robust": (_robust, _clip),
    "none": (None, _same),
}
"""name: (centre and scale of columns, what is done to (x - centre) / scale)."""


@dataclass(frozen=True)
class Scaler:
    """A fitted scaling. Works cell by cell, so a sparse table stays sparse: see SparseRows."""

    kind: str
    center: Float[np.ndarray, " d"]
    scale: Float[np.ndarray, " d"]

    @classmethod
    def fit(cls, kind: str, X: np.ndarray | csr_array) -> Scaler:
        statistics, _ = SCALINGS[kind]
        if statistics is None:
            return cls(kind, np.zeros(X.shape[1]), np.ones(X.shape[1]))
        parts = []
        for columns in _column_blocks(X):
            # Divided by its largest cell, no column over- or underflows on the way.
            size = np.abs(columns).max(axis=0)
            size[size == 0] = 1
            center, scale = statistics(columns / size)
            constant = scale < 10 * np.finfo(float).eps
            # A scale so small that it would vanish is as good as constant.
            usable = ~constant & (scale * size > np.finfo(float).tiny)
            parts.append((center * size, np.where(usable, scale * size, 1.0)))
        centers, scales = zip(*parts, strict=True)
        return cls(kind, np.concatenate(centers), np.concatenate(scales))

    def __call__(self, X: np.ndarray, columns: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Scaled cells of a small block of rows, or of cells whose column numbers are given."""
        with np.errstate(over="ignore", invalid="ignore"):
            z = (np.asarray(X, dtype=np.float64) - self.center[columns]) / self.scale[columns]
            return SCALINGS[self.kind][1](z)

    def rows(self, X: np.ndarray | csr_array) -> Rows:
        """All rows scaled, in single precision."""
        if issparse(X):
            baseline = self(np.zeros(X.shape[1]))
            offsets = self(X.data, X.indices) - baseline[X.indices]
            self._check_size(offsets, X.indices)
            matrix = csr_array((offsets.astype(np.float32), X.indices, X.indptr), shape=X.shape)
            return SparseRows(matrix, torch.from_numpy(baseline.astype(np.float32)))
        values = np.empty(X.shape, dtype=np.float32)
        for start, block in row_blocks(X):
            scaled = self(block)
            self._check_size(scaled)
            values[start : start + len(block)] = scaled
        return DenseRows(torch.from_numpy(values))

    def _check_size(self, scaled: np.ndarray, columns: np.ndarray | None = None) -> None:
        wild = ~(np.abs(scaled) <= LARGEST)
        if wild.any():
            column = columns[wild][0] if columns is not None else np.argwhere(wild)[0][1]
            raise DataError(
                f"a value in column {column} is too large for scaling={self.kind!r} (over "
                f"{LARGEST:g} after scaling): use scaling='standard' or 'robust', which cut off"
            )


def row_blocks(X: np.ndarray | csr_array) -> Iterator[tuple[int, np.ndarray]]:
    """(first row, dense rows) in blocks of bounded size."""
    size = max(1, BLOCK_BYTES // (8 * X.shape[1]))
    for start in range(0, X.shape[0], size):
        block = X[start : start + size]
        yield start, block.toarray() if issparse(block) else block


def _column_blocks(X: np.ndarray | csr_array) -> Iterator[np.ndarray]:
    """Dense double-precision columns in blocks of bounded size."""
    columns = X.tocsc() if issparse(X) else X
    size = max(1, BLOCK_BYTES // (8 * X.shape[0]))
    for start in range(0, X.shape[1], size):
        block = columns[:, start : start + size]
        dense = block.toarray() if issparse(block) else block
        yield np.asarray(dense, dtype=np.float64)
