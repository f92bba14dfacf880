"""Statistics of columns, dense or sparse, and blocks of rows: what scaling starts from.

Torch is not imported here, so that what needs numbers alone starts fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from slad.core.typing import Table, is_sparse

CLIP = 10.0
"""Standard and robust scores are cut off at +-10, so that one extreme cell does not dominate."""
COLUMN_BLOCK = 2**23
"""Cells of a block of columns for statistics."""
ROW_BLOCK = 2**18
"""Cells of a block of rows: 2 MB, which fit into the cache of a CPU."""

Statistics = tuple[np.ndarray, np.ndarray]
Measure = Callable[[np.ndarray], Statistics]


def column_statistics(measure: Measure, X: Table) -> Statistics:
    """Centre and scale of every column, from a function of dense columns."""
    parts = [_of_block(measure, columns) for columns in _column_blocks(X)]
    centers, scales = zip(*parts, strict=True)
    return np.concatenate(centers), np.concatenate(scales)


def minmax(columns: np.ndarray) -> Statistics:
    low = columns.min(axis=0).astype(np.float64)
    return low, columns.max(axis=0) - low


def standard(columns: np.ndarray) -> Statistics:
    return columns.mean(axis=0, dtype=np.float64), columns.std(axis=0, dtype=np.float64)


def robust(columns: np.ndarray) -> Statistics:
    low, middle, high = np.percentile(columns, [25, 50, 75], axis=0).astype(np.float64)
    spread = high - low  # 0 if more than half of the cells are equal: then use the deviation
    return middle, np.where(spread > 0, spread, columns.std(axis=0, dtype=np.float64))


def _of_block(measure: Measure, columns: np.ndarray) -> Statistics:
    """Centre and scale of columns."""
    low, high = columns.min(axis=0).astype(np.float64), columns.max(axis=0).astype(np.float64)
    size = np.maximum(np.abs(low), np.abs(high))
    ordinary = ((size > 1e-100) & (size < 1e100)) | (size == 0)
    if not ordinary.all():  # squares would overflow or underflow: scale columns to size 1 first
        size[size == 0] = 1
        center, scale = measure(columns / size)
        center = center * size
        with np.errstate(over="ignore"):
            scale = np.minimum(scale * size, np.finfo(float).max)
    else:
        center, scale = measure(columns)
    return settled(center, scale, low, high)


def settled(center: np.ndarray, scale: np.ndarray, low: np.ndarray, high: np.ndarray) -> Statistics:
    """The same, but columns that are constant except for rounding are only moved to zero."""
    size = np.maximum(np.abs(low), np.abs(high))
    with np.errstate(over="ignore"):
        constant = (high - low <= 10 * np.finfo(float).eps * size) | (scale < 1e-300)
    return np.where(constant, low, center), np.where(constant, 1.0, scale)


def row_blocks(X: Table, cells: int = ROW_BLOCK) -> Iterator[tuple[int, np.ndarray]]:
    """Blocks of rows of bounded size: (number of the first row, dense rows)."""
    size = max(1, cells // X.shape[1])
    for start in range(0, X.shape[0], size):
        block: Table = X[start : start + size]
        yield start, block.toarray() if is_sparse(block) else block


def _column_blocks(X: Table) -> Iterator[np.ndarray]:
    """Dense columns in blocks of bounded size, as floating-point numbers."""
    columns: Any = X.tocsc() if is_sparse(X) else X
    size = max(1, COLUMN_BLOCK // X.shape[0])
    for start in range(0, X.shape[1], size):
        block = columns[:, start : start + size]
        dense = block.toarray() if is_sparse(X) else block
        yield dense if dense.dtype in (np.float32, np.float64) else dense.astype(np.float64)
