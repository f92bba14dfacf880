"""The base class of detectors that score each column alone, by the tail probabilities of cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from slad.core.state import State
from slad.core.typing import Float, Int, Table, is_sparse
from slad.detectors.direct import DirectDetector
from slad.detectors.parts.statistics import row_blocks

CELLS = 2**20
"""Cells sorted or searched at a time."""
NO_SKEW = 1e-9
"""A smaller skewness is rounding."""


class TailDetector(DirectDetector):
    """Scores rows by the largest of several sums of -log tail probabilities over columns.

    Tail probabilities are those among the training rows; a new cell beyond all training cells has
    the tail probability 1/(n+1).
    """

    keeps_training_data = True

    def _sides(
        self,
        left: Float[np.ndarray, " m"],
        right: Float[np.ndarray, " m"],
        longer: Float[np.ndarray, " m"],
    ) -> Float[np.ndarray, "sums m"]:
        """What a cell adds to each sum, from -log of its left and right tail and of the tail on
        the side to which its column is skewed."""
        return np.stack([left, right, longer])

    def _learn(self, X: Table) -> None:
        parts = zip(*distinct_values(X), strict=True)
        values, counts, lengths = (np.concatenate(part) for part in parts)
        self._right_skewed = skewness(values, counts, lengths) > -NO_SKEW
        self._adopt(values, counts, lengths, X.shape[0])

    def _adopt(
        self,
        values: Float[np.ndarray, " distinct"],
        counts: Int[np.ndarray, " distinct"],
        lengths: Int[np.ndarray, " d"],
        n_rows: int,
    ) -> None:
        self._values, self._counts, self._n_rows = values, counts, n_rows
        self._starts = np.concatenate([[0], np.cumsum(lengths)])
        self._before = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        every, zeros = np.arange(len(lengths)), np.zeros(len(lengths))
        self._of_zeros = self._terms(every, zeros, self._look_up(every, zeros))

    # -- scoring ---------------------------------------------------------------------------------

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        sums = self._sparse_sums(X) if is_sparse(X) else self._dense_sums(X)
        scores: np.ndarray = sums.max(axis=0)
        return scores

    def _dense_sums(self, X: np.ndarray) -> Float[np.ndarray, "sums n"]:
        sums = np.zeros((len(self._of_zeros), X.shape[0]))
        for start, block in row_blocks(X, CELLS):
            for column, cells in enumerate(np.ascontiguousarray(block.T, dtype=np.float64)):
                first, end = self._starts[column : column + 2]
                places = first + self._values[first:end].searchsorted(cells, side="right")
                sums[:, start : start + len(block)] += self._terms(column, cells, places)
        return sums

    def _sparse_sums(self, X: csr_array) -> Float[np.ndarray, "sums n"]:
        """The sums of a row of zeros, changed by the stored cells."""
        sums = np.empty((len(self._of_zeros), X.shape[0]))
        sums[:] = self._of_zeros.sum(axis=1)[:, None]
        size = max(1, CELLS * X.shape[0] // max(1, X.nnz))
        for start in range(0, X.shape[0], size):
            block = X[start : start + size]
            rows = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
            columns, cells = block.indices, block.data.astype(np.float64)
            changes = self._terms(columns, cells, self._look_up(columns, cells))
            changes -= self._of_zeros[:, columns]
            for total, change in zip(sums, changes, strict=True):
                total[start : start + size] += np.bincount(rows, change, block.shape[0])
        return sums

    def _look_up(
        self, columns: Int[np.ndarray, " m"], cells: Float[np.ndarray, " m"]
    ) -> Int[np.ndarray, " m"]:
        """The place of the first value above each cell in its column, by bisection."""
        low: np.ndarray = self._starts[columns]
        high: np.ndarray = self._starts[columns + 1]
        for _ in range(int(np.diff(self._starts).max()).bit_length()):
            middle = (low + high) // 2
            beyond = self._values.take(middle, mode="clip") > cells
            go_up = ~beyond & (low < high)
            low, high = np.where(go_up, middle + 1, low), np.where(go_up, high, middle)
        return low

    def _terms(
        self,
        columns: int | Int[np.ndarray, " m"],
        cells: Float[np.ndarray, " m"],
        places: Int[np.ndarray, " m"],
    ) -> Float[np.ndarray, "sums m"]:
        """The terms of cells in the sums, given their places among the values of their columns."""
        equal = (places > self._starts[columns]) & (self._values[places - 1] == cells)
        earlier = self._n_rows * columns  # training cells of the columns before
        at_most = self._before[places] - earlier
        at_least = self._n_rows + earlier - self._before[places - equal]
        floor = 1.0 / (self._n_rows + 1)
        left, right = (
            -np.log(np.maximum(count / self._n_rows, floor)) for count in (at_most, at_least)
        )
        return self._sides(left, right, np.where(self._right_skewed[columns], right, left))

    # -- saved models ----------------------------------------------------------------------------

    def _fitted_state(self) -> State:
        arrays = {
            "values": self._values,
            "counts": self._counts.astype(np.int32 if self._n_rows < 2**31 else np.int64),
            "lengths": np.diff(self._starts),
            "right_skewed": self._right_skewed,
        }
        return State({"n_rows": self._n_rows}, arrays)

    def _set_fitted_state(self, state: State) -> None:
        values, arrays = state
        self._right_skewed = arrays["right_skewed"]
        self._adopt(arrays["values"], arrays["counts"], arrays["lengths"], values["n_rows"])


Distinct = tuple[
    Float[np.ndarray, " distinct"], Int[np.ndarray, " distinct"], Int[np.ndarray, " columns"]
]
"""The distinct values of some columns, ascending, column after column; the number of cells with
each value; the number of distinct values of each column."""


def distinct_values(X: Table) -> Iterator[Distinct]:
    """The distinct values of all columns, in blocks. Zeros of a sparse table are included."""
    n, d = X.shape
    if not is_sparse(X):
        for start in range(0, d, size := max(1, CELLS // n)):
            block = np.array(X[:, start : start + size].T, dtype=np.float64, order="C")
            block.sort(axis=1)
            columns = np.repeat(np.arange(len(block)), n)
            yield _count(columns, block.ravel(), np.ones(block.size, dtype=np.int64))
        return
    by_column = X.tocsc()
    for start in range(0, d, size := max(1, CELLS * d // max(X.nnz, d))):
        block = by_column[:, start : start + size]
        stored = block.data != 0
        columns = np.repeat(np.arange(block.shape[1]), np.diff(block.indptr))[stored]
        zeros = n - np.bincount(columns, minlength=block.shape[1])
        has_zeros = np.flatnonzero(zeros)
        columns = np.append(columns, has_zeros)
        values = np.append(block.data[stored].astype(np.float64), np.zeros(len(has_zeros)))
        counts = np.append(np.ones(stored.sum(), dtype=np.int64), zeros[has_zeros])
        order = np.lexsort([values, columns])
        yield _count(columns[order], values[order], counts[order])


def _count(columns: np.ndarray, values: np.ndarray, counts: np.ndarray) -> Distinct:
    """Merge equal neighbours."""
    new = np.append(True, (np.diff(columns) != 0) | (values[1:] != values[:-1]))
    first = np.flatnonzero(new)
    return values[first], np.add.reduceat(counts, first), np.bincount(columns[first])


def skewness(
    values: Float[np.ndarray, " distinct"],
    counts: Int[np.ndarray, " distinct"],
    lengths: Int[np.ndarray, " d"],
) -> Float[np.ndarray, " d"]:
    """The skewness of every column; 0 for a constant column."""
    starts = np.cumsum(lengths) - lengths
    size = np.maximum.reduceat(np.abs(values), starts)  # avoids overflow and underflow of cubes
    scaled = values / np.repeat(np.where(size > 0, size, 1), lengths)

    def mean(of: np.ndarray) -> np.ndarray:
        return np.add.reduceat(counts * of, starts) / np.add.reduceat(counts, starts)

    deviations = scaled - np.repeat(mean(scaled), lengths)
    spread = mean(deviations**2)
    return mean(deviations**3) / np.where(lengths > 1, spread, 1.0) ** 1.5
