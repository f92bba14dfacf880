"""Principal components of standardised rows, in double precision.

Tables are read in blocks of rows, followed by one singular value decomposition. A wide sparse table
is never made dense: its components are kept as combinations of its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import eigh, svd
from scipy.sparse import csr_array

from slad.core.state import State
from slad.core.typing import Float, Table, is_sparse
from slad.detectors.parts.sparse import CSR_PARTS, row_sums, worth_sparse
from slad.detectors.parts.statistics import column_statistics, row_blocks, standard

EPS = float(np.finfo(float).eps)
BLOCK = 256
"""Largest number of rows in a product. Blocks are padded to one size, because products of another
size may sum in another order."""
CELLS = 2**22
"""Cells of a block that is made dense."""
LARGEST = 1e100
"""Scaled cells are cut off here, so that their squares stay finite."""
VARIES = 0.5
"""A standardised column has a mean square of 1, or of about 0 if it is constant."""
FAR = 10.0
"""If zero is more deviations from the mean, a sparse column is stored whole: differences from such
a baseline would lose digits."""


@dataclass(frozen=True)
class Standard:
    """(x - centre) / scale of every column; a sparse row is `baseline` plus `offsets`."""

    center: Float[np.ndarray, " d"]
    scale: Float[np.ndarray, " d"]

    @classmethod
    def fit(cls, X: Table) -> Standard:
        return cls(*column_statistics(standard, X))

    def rows(self, block: Table) -> np.ndarray:
        """A block of rows, dense, always in the same layout so that products are the same."""
        dense = block.toarray() if is_sparse(block) else block
        return _scale(np.array(dense, np.float64, order="C"), self.center, self.scale)

    def offsets(self, X: csr_array) -> csr_array:
        """The differences of rows from the baseline."""
        far, columns = self._far, X.indices
        cells = _scale(X.data.astype(np.float64), 0.0, self.scale[columns])
        cells[far[columns]] = 0
        matrix = csr_array((cells, columns, X.indptr), shape=X.shape)
        if not far.any():
            return matrix
        whole = _scale(X[:, far].toarray().astype(float), self.center[far], self.scale[far])
        places = csr_array(
            (np.ones(far.sum()), np.flatnonzero(far), np.arange(far.sum() + 1)),
            shape=(int(far.sum()), X.shape[1]),
        )
        return csr_array(matrix + csr_array(whole) @ places)

    @cached_property
    def baseline(self) -> Float[np.ndarray, " d"]:
        """A scaled row of zeros, except for columns that are stored whole."""
        return np.where(self._far, 0.0, -self.center / self.scale)

    @cached_property
    def _far(self) -> np.ndarray:
        with np.errstate(over="ignore"):
            near: np.ndarray = np.abs(self.center / self.scale) <= FAR
        return ~near


@dataclass(frozen=True)
class DenseAxes:
    """Unit vectors of components as columns of a matrix."""

    standard: Standard
    vectors: Float[np.ndarray, "d m"]

    def project(self, X: Table) -> Iterator[Projected]:
        """Blocks of rows: (number of the first row, coordinates, squared lengths)."""
        d = len(self.vectors)
        size = max(8, min(BLOCK, CELLS // d))
        filled = np.zeros((size, d))
        for start in range(0, X.shape[0], size):
            rows = self.standard.rows(X[start : start + size])
            filled[: len(rows)] = rows
            coordinates = (filled @ self.vectors)[: len(rows)]
            yield start, coordinates, np.einsum("nd,nd->n", rows, rows)

    def take(self, chosen: np.ndarray) -> DenseAxes:
        return DenseAxes(self.standard, np.ascontiguousarray(self.vectors[:, chosen]))

    def state(self) -> State:
        return State({}, {"vectors": self.vectors})


@dataclass(frozen=True)
class SparseAxes:
    """Unit vectors as combinations of training rows, which need far fewer numbers."""

    standard: Standard
    offsets: csr_array
    coefficients: Float[np.ndarray, "rows m"]

    def project(self, X: Table) -> Iterator[Projected]:
        """As `DenseAxes.project`. The rows are centred, so what all training rows have in common
        cancels out in a combination."""
        base = self.standard.baseline
        filled = np.zeros((BLOCK, self.offsets.shape[0]))
        for start in range(0, X.shape[0], BLOCK):
            block = X[start : start + BLOCK]
            rows = self.standard.offsets(block if is_sparse(block) else csr_array(block))
            filled[: rows.shape[0]] = (rows @ self._columns).toarray() + self._of_baseline
            coordinates = (filled @ self.coefficients)[: rows.shape[0]]
            yield start, coordinates, _square_lengths(rows, base)

    @cached_property
    def _columns(self) -> csr_array:
        return self.offsets.T.tocsr()

    @cached_property
    def _of_baseline(self) -> Float[np.ndarray, " rows"]:
        products: np.ndarray = self.offsets @ self.standard.baseline
        return products

    def take(self, chosen: np.ndarray) -> SparseAxes:
        coefficients = np.ascontiguousarray(self.coefficients[:, chosen])
        return SparseAxes(self.standard, self.offsets, coefficients)

    def state(self) -> State:
        rows = {f"rows.{part}": getattr(self.offsets, part) for part in CSR_PARTS}
        return State({}, rows | {"coefficients": self.coefficients})


Axes = DenseAxes | SparseAxes
Projected = tuple[int, Float[np.ndarray, "n m"], Float[np.ndarray, " n"]]


@dataclass(frozen=True)
class Components:
    """The components of training rows by falling variance; 0 if there is only rounding."""

    axes: Axes
    variances: Float[np.ndarray, " m"]
    fourth: float
    """The mean fourth power of the lengths of rows."""

    @classmethod
    def of(cls, X: Table) -> Components:
        standard = Standard.fit(X)
        if worth_sparse(X) and X.shape[0] < X.shape[1]:
            return cls._of_wide_sparse(X, standard)
        return cls._of_dense(X, standard)

    @classmethod
    def _of_dense(cls, X: Table, standard: Standard) -> Components:
        """From a triangle with the singular values and vectors of all rows; if there are fewer rows
        than columns, from the rows."""
        n, d = X.shape
        size = n * d if n < d else max(CELLS, 4 * d**2)
        means, varies = _column_means(X, standard, size)
        triangle: np.ndarray = np.zeros((0, d))
        fourth = 0.0
        for _, block in row_blocks(X, size):
            rows = standard.rows(block)
            rows -= means
            rows *= varies
            fourth += float((np.einsum("nd,nd->n", rows, rows) ** 2).sum()) / n
            triangle = rows if n < d else _triangle(np.concatenate([triangle, rows]))
        vectors, lengths, _ = svd(triangle.T, full_matrices=False, overwrite_a=True)
        lengths[~_has_variance(lengths**2, n, d)] = 0
        if n < d:  # the axes are incomplete, so those without variance are useless
            kept = int((lengths > 0).sum())
            vectors, lengths = vectors[:, :kept], lengths[:kept]
        return cls(DenseAxes(standard, vectors), lengths**2 / n, fourth)

    @classmethod
    def _of_wide_sparse(cls, X: csr_array, standard: Standard) -> Components:
        """From the products of all pairs of rows, centred."""
        n, d = X.shape
        offsets, base = standard.offsets(X), standard.baseline
        sums, squares = (np.bincount(offsets.indices, offsets.data**k, d) / n for k in (1, 2))
        varies = squares + 2 * base * sums + base**2 > VARIES
        offsets.data *= varies[offsets.indices]
        products = (offsets @ offsets.T.tocsr()).toarray()
        products -= products.mean(axis=0)
        products -= products.mean(axis=1)[:, None]
        squares, vectors = (part[..., ::-1] for part in eigh(products))
        some = _has_variance(squares, n, d)
        coefficients = vectors[:, some] / np.sqrt(squares[some])
        axes = SparseAxes(standard, offsets, np.ascontiguousarray(coefficients))
        return cls(axes, squares[some] / n, float((np.diag(products) ** 2).mean()))

    @property
    def mean_variance(self) -> float:
        """The mean variance of all columns; 1 if nothing varies."""
        return float(self.variances.sum()) / len(self.axes.standard.center) or 1.0

    @property
    def complete(self) -> bool:
        """Whether the axes span all columns."""
        return len(self.variances) == len(self.axes.standard.center)

    def ledoit_wolf(self, n_rows: int) -> float:
        """The shrinkage of least expected error (Ledoit and Wolf 2004); 1 if nothing varies."""
        square = float((self.variances**2).sum())
        if square == 0:
            return 1.0
        distance = square - len(self.axes.standard.center) * self.mean_variance**2
        error = max(0.0, self.fourth - square) / n_rows
        return min(1.0, error / distance) if distance > 0 else 0.0


def axes_from_state(state: State, standard: Standard) -> Axes:
    """The axes of either kind, from their own state among other arrays."""
    arrays = state.arrays
    if "vectors" in arrays:
        return DenseAxes(standard, arrays["vectors"])
    data, indices, indptr = (arrays[f"rows.{part}"] for part in CSR_PARTS)
    shape = len(indptr) - 1, len(standard.center)
    return SparseAxes(
        standard, csr_array((data, indices, indptr), shape=shape), arrays["coefficients"]
    )


def _column_means(
    X: Table, standard: Standard, cells: int
) -> tuple[Float[np.ndarray, " d"], np.ndarray]:
    """The means of standardised columns, left by rounding, and whether the columns vary."""
    means, squares = np.zeros((2, X.shape[1]))
    for _, block in row_blocks(X, cells):
        rows = standard.rows(block)
        means += rows.sum(axis=0) / X.shape[0]
        squares += np.einsum("nd,nd->d", rows, rows) / X.shape[0]
    return means, squares > VARIES


def _triangle(rows: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "m d"]:
    """R of a QR decomposition."""
    triangle: np.ndarray = np.linalg.qr(rows, mode="r")  # type: ignore[assignment]
    return triangle


def _has_variance(squares: Float[np.ndarray, " m"], n: int, d: int) -> np.ndarray:
    """Whether a variance is more than rounding, as in a pseudo-inverse of the covariance."""
    some: np.ndarray = squares > EPS * max(n, d) * squares.max()
    some[n - 1 :] = False  # the rows are centred
    return some


def _scale(cells: np.ndarray, center: np.ndarray | float, scale: np.ndarray) -> np.ndarray:
    """(cells - center) / scale, in place."""
    with np.errstate(over="ignore"):
        cells -= center
        cells /= scale
    return np.clip(cells, -LARGEST, LARGEST, out=cells)


def _square_lengths(
    offsets: csr_array, baseline: Float[np.ndarray, " d"]
) -> Float[np.ndarray, " n"]:
    own = row_sums(offsets.data**2, offsets.indptr)
    lengths: np.ndarray = own + 2 * (offsets @ baseline) + baseline @ baseline
    return lengths
