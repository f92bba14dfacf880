"""Indices that find the nearest training rows: exact, block by block, in bounded memory.

A matrix product finds candidates, and differences in double precision measure them: a duplicate has
distance 0, and a distance does not depend on the other rows of a query.
"""

from __future__ import annotations

import numpy as np
import torch
from scipy.sparse import csr_array
from sklearn.neighbors import KDTree
from torch import Tensor
from torch.linalg import vector_norm
from torch.nn.functional import embedding, pad

from slad.core.rows import DenseRows, SparseRows
from slad.core.typing import Float, Int
from slad.detectors.parts.scaling import ScaledRows
from slad.detectors.parts.sparse import row_sums

SLACK = 4
"""Number of candidates in addition to the k neighbours."""
GROUP = {"cpu": 8, "cuda": 32}
"""Training rows, or groups of them, in a group. The m nearest rows are in the m groups with the
smallest distances."""
DIRECT = {"cpu": 128, "cuda": 4096}
"""Up to this number, rows are searched without groups."""
BLOCK = {"cpu": (64, 256), "cuda": (4096, 4096)}
"""Smallest and largest number of rows in a product. Blocks are padded to one size, because products
of another size may sum in another order."""
CACHED = 2**20
"""Cells of a product that stay in the cache of a CPU. Sets the size between the two."""
CELLS = {"cpu": 2**24, "cuda": 2**29}
"""Largest number of cells of a product, and of the differences measured in it."""
UNIT = {torch.float32: 2.0**-24, torch.float64: 2.0**-53}
SPARSE_BLOCK = 128
"""Largest number of sparse rows in a product."""
PAIRS = 2**22
"""Cells of the pairs of sparse rows whose differences are computed at a time."""
EXTENDED = 64
"""Up to this number of features, adding squares takes a CPU as long as the product itself, so the
squares are one more feature of the product."""
TREE_FEATURES = 6
"""Up to this number of features a tree is faster than products on a CPU, even on random rows."""

Found = tuple[Float[np.ndarray, "n k"], Int[np.ndarray, "n k"]]


class DenseIndex:
    """Finds the k nearest of dense training rows, on their device."""

    sparse = False

    def __init__(self, rows: DenseRows, k: int) -> None:
        self.k, (self._n, d), device = k, rows.values.shape, rows.values.device
        self._count = min(k + SLACK, self._n)
        self._rows = torch.zeros(_filled_up(self._n, device.type), d, device=device)
        self._rows[: self._n] = rows.values
        squares = torch.cat([_squares(part) for part in self._rows.split(2**14)])
        squares[self._n :] = torch.inf  # padding of the last group is near to nothing
        # A product's rounding: at most d times, and hardly ever over 6 sqrt(d) times the unit
        # (Higham and Mary 2019); 4 for the sums around it.
        self._error = {kind: (min(d, 6 * d**0.5) + 4) * unit for kind, unit in UNIT.items()}
        self._bounded = {
            kind: (squares * (1 - error)).to(kind) for kind, error in self._error.items()
        }
        self._columns: Tensor | None = None
        if device.type == "cpu" and d <= EXTENDED:
            # Of what is summed, 2 q t and a square more: so the square's part may err twice.
            shrunk = squares * (1 - 2 * self._error[torch.float32])
            self._columns = torch.cat([self._rows.T, shrunk.float().unsqueeze(0)])
        least, most = BLOCK[device.type]
        cells = CELLS[device.type] // max(len(self._rows), self._count * d)
        block = min(max(least, CACHED // len(self._rows)), most, cells)
        self._block = max(8, block // 8 * 8)
        self.chunk = self._block * max(1, 2**22 // (self._block * d))

    def nearest(self, rows: ScaledRows, first: int | None = None) -> Found:
        """Distances and places of the k nearest rows, ascending; ties in the order of the rows.

        With `first`, the rows are the training rows from this number on, and no row is its own
        neighbour.
        """
        assert isinstance(rows, DenseRows)
        queries, device = rows.values, rows.values.device
        distances = torch.empty(len(queries), self.k, dtype=torch.float64, device=device)
        places = torch.empty(len(queries), self.k, dtype=torch.int64, device=device)
        every = torch.arange(len(queries), device=device)
        todo = every
        for precision in UNIT:
            sure = torch.empty(len(queries), dtype=torch.bool, device=device)
            bounds = torch.empty(self._block, len(self._rows), dtype=precision, device=device)
            for start in range(0, len(todo), self._block):
                part = slice(start, start + self._block)
                some = part if todo is every else todo[part]  # slices are not copied
                own = None if first is None else todo[part] + first
                distances[some], places[some], sure[some] = self._block_nearest(
                    queries[some], own, bounds
                )
            todo = todo[~sure[todo]]  # rounding may have hidden a neighbour: again in double
            if not len(todo):
                break
        return distances.cpu().numpy(), places.cpu().numpy()

    def _block_nearest(
        self, queries: Tensor, own: Tensor | None, bounds: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Distances and places of the nearest, and whether these are certain despite rounding."""
        others, places = self._candidates(queries, own, bounds)
        places = places.sort(dim=1).values
        differences = embedding(places, self._rows).double().sub_(queries.double().unsqueeze(1))
        distances = vector_norm(differences, dim=2)
        none = places >= self._n  # padding among the candidates
        distances.masked_fill_(none if own is None else none | (places == own[:, None]), torch.inf)
        distances, order = distances.sort(dim=1, stable=True)
        last = distances[:, self.k - 1].square()
        sure = (others >= last) | (last == 0) | (self._count == self._n)
        return distances[:, : self.k], places.gather(1, order[:, : self.k]), sure

    def _candidates(
        self, queries: Tensor, own: Tensor | None, bounds: Tensor
    ) -> tuple[Float[Tensor, " b"], Int[Tensor, "b count"]]:
        """A lower bound of the squared distances of all other rows, and the places of the
        candidates."""
        filled = bounds.new_zeros(self._block, queries.shape[1])
        filled[: len(queries)] = queries
        self._lower_bounds(filled, bounds)
        if own is not None:
            bounds[torch.arange(len(own), device=own.device), own] = torch.inf
        lower = bounds[: len(queries)]
        places = _smallest(lower, self._count)
        others = lower.gather(1, places).amax(1)
        return others + (1 - self._error[bounds.dtype]) * _squares(queries), places

    def _lower_bounds(self, queries: Tensor, bounds: Tensor) -> None:
        """|t|^2 - 2 q t of query q and training row t, minus the largest rounding error."""
        if self._columns is not None and bounds.dtype is self._columns.dtype:
            torch.mm(pad(queries * -2, (0, 1), value=1.0), self._columns, out=bounds)
            return
        step = len(self._rows) if bounds.dtype is self._rows.dtype else 2**14
        for start in range(0, len(self._rows), step):
            part = self._rows[start : start + step].to(bounds.dtype)
            squares = self._bounded[bounds.dtype][start : start + step]
            out = bounds[:, start : start + step]
            torch.addmm(squares, queries, part.T, alpha=-2, out=out)

    def rows(self) -> ScaledRows:
        """The training rows."""
        return DenseRows(self._rows[: self._n])


class TreeIndex:
    """The index for few features: a k-d tree."""

    sparse = False
    chunk = 2**16

    def __init__(self, rows: DenseRows, k: int) -> None:
        self.k, self._rows = k, rows
        self._tree = KDTree(rows.values.double().numpy())

    def nearest(self, rows: ScaledRows, first: int | None = None) -> Found:
        """As `DenseIndex.nearest`."""
        assert isinstance(rows, DenseRows)
        left_out = int(first is not None)
        distances, places = self._tree.query(rows.values.double().numpy(), self.k + left_out)
        if first is not None:
            own = places == first + np.arange(len(places))[:, None]
            own[~own.any(axis=1), -1] = True  # many copies: the row itself was not found
            distances, places = (part[~own].reshape(-1, self.k) for part in (distances, places))
        order = np.lexsort([places, distances])
        return _in_order(distances, order), _in_order(places, order)

    def rows(self) -> ScaledRows:
        return self._rows


class SparseIndex:
    """The index for sparse rows. Their common baseline cancels out."""

    sparse = True

    def __init__(self, rows: SparseRows, k: int) -> None:
        self.k, self._rows = k, rows
        self._count = min(k + SLACK, len(rows))
        self._double = rows.offsets.astype(np.float64)
        self._columns = self._double.T.tocsr()
        self._squares = row_sums(self._double.data**2, self._double.indptr)
        self.chunk = max(8, min(SPARSE_BLOCK, CELLS["cpu"] // len(rows)))

    def nearest(self, rows: ScaledRows, first: int | None = None) -> Found:
        """As `DenseIndex.nearest`; products of sparse rows are always in double precision."""
        assert isinstance(rows, SparseRows)
        queries = rows.offsets.astype(np.float64)
        bounds = self._squares - 2 * (queries @ self._columns).toarray()
        own = None if first is None else first + np.arange(len(bounds))
        if own is not None:
            bounds[np.arange(len(bounds)), own] = np.inf
        places = np.sort(np.argpartition(bounds, self._count - 1)[:, : self._count])
        squares = self._measure(queries, places)
        if own is not None:
            squares[places == own[:, None]] = np.inf
        order = np.argsort(squares, kind="stable")[:, : self.k]
        return np.sqrt(_in_order(squares, order)), _in_order(places, order)

    def _measure(self, queries: csr_array, places: np.ndarray) -> Float[np.ndarray, "n count"]:
        pairs = np.stack([np.repeat(np.arange(len(places)), places.shape[1]), places.ravel()])
        longest = max(np.diff(queries.indptr).max(), np.diff(self._double.indptr).max(), 1)
        squares = np.empty(places.size)
        for start in range(0, places.size, size := max(1, PAIRS // longest)):
            query, row = pairs[:, start : start + size]
            difference = csr_array(queries[query] - self._double[row])
            squares[start : start + size] = row_sums(difference.data**2, difference.indptr)
        return squares.reshape(places.shape)

    def rows(self) -> ScaledRows:
        return self._rows


Index = DenseIndex | TreeIndex | SparseIndex


def make_index(rows: ScaledRows, k: int) -> Index:
    """The fastest index for k neighbours among these rows."""
    if isinstance(rows, SparseRows):
        return SparseIndex(rows, k)
    few = rows.values.device.type == "cpu" and rows.values.shape[1] <= TREE_FEATURES
    return TreeIndex(rows, k) if few else DenseIndex(rows, k)


def _filled_up(n: int, device: str) -> int:
    """The smallest number from n up that divides into groups, and these again into groups."""
    unit = 1
    while -(-n // unit) > DIRECT[device]:
        unit *= GROUP[device]
    return -(-n // unit) * unit


def _smallest(values: Tensor, count: int) -> Int[Tensor, "b count"]:
    """Places of the smallest values of every row, in any order."""
    size, width = GROUP[values.device.type], values.shape[1]
    if width <= DIRECT[values.device.type]:
        return _picked(values, count)
    step = width // size  # a group holds every step-th value
    groups = _smallest(values.unflatten(1, (size, step)).amin(1), min(count, step))
    members = groups.unsqueeze(2) + torch.arange(0, width, step, device=values.device)
    members = members.flatten(1)
    return members.gather(1, _picked(values.gather(1, members), count))


def _picked(values: Tensor, count: int) -> Int[Tensor, "b count"]:
    if values.device.type != "cpu":
        return values.topk(count, largest=False, sorted=False).indices
    places = np.argpartition(values.numpy(), count - 1)[:, :count]  # twice as fast as topk
    return torch.from_numpy(np.ascontiguousarray(places))


def _squares(rows: Tensor) -> Float[Tensor, " n"]:
    return rows.double().square_().sum(dim=1)


def _in_order(part: np.ndarray, order: np.ndarray) -> np.ndarray:
    return np.take_along_axis(part, order, axis=1)
