"""The nearest training rows of new rows: exact, block by block, in memory that does not grow.

A product of matrices finds candidates, and direct differences in double precision measure them:
a duplicate is at distance 0, and a distance does not depend on the rows it is asked with.
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

SLACK = 4
"""Candidates beyond the neighbours asked for."""
GROUP = {"cpu": 8, "cuda": 32}
"""Training rows, or groups of them, in a group: the m nearest are in the m groups whose nearest are
nearest."""
DIRECT = {"cpu": 128, "cuda": 4096}
"""Up to so many are looked through without groups."""
BLOCK = {"cpu": (64, 256), "cuda": (4096, 4096)}
"""Rows in a product, at least and at most; always filled up, for a product of another size sums
otherwise."""
CACHED = 2**20
"""Cells of a product that stay in a CPU's cache: between the two, that many."""
CELLS = {"cpu": 2**24, "cuda": 2**29}
"""Cells of a block's product, and of the differences that are measured in it, at most."""
UNIT = {torch.float32: 2.0**-24, torch.float64: 2.0**-53}
SPARSE_BLOCK = 128
"""Sparse rows in a product at most."""
PAIRS = 2**22
"""Cells of the pairs of sparse rows whose differences are taken at a time."""
EXTENDED = 64
"""Up to so many features, adding squares to a product takes a CPU as long as the product: there
they go into it, as one more feature."""
TREE_FEATURES = 6
"""Up to so many features a tree beats products on a CPU, on rows of no pattern at all."""

Found = tuple[Float[np.ndarray, "n k"], Int[np.ndarray, "n k"]]


class DenseIndex:
    """Training rows in which k neighbours are looked up, on the device where they lie."""

    sparse = False

    def __init__(self, rows: DenseRows, k: int) -> None:
        self.k, (self._n, d), device = k, rows.values.shape, rows.values.device
        self._count = min(k + SLACK, self._n)
        self._rows = torch.zeros(_filled_up(self._n, device.type), d, device=device)
        self._rows[: self._n] = rows.values
        squares = torch.cat([_squares(part) for part in self._rows.split(2**14)])
        squares[self._n :] = torch.inf  # nothing is near to what only fills up the last group
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
        """Distances and places of the k nearest, ascending; of two as near, the earlier first.

        `first`: the rows are training rows from there on, and no row is its own neighbour.
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
            todo = todo[~sure[todo]]  # rounding may have hidden a neighbour: once more, finely
            if not len(todo):
                break
        return distances.cpu().numpy(), places.cpu().numpy()

    def _block_nearest(
        self, queries: Tensor, own: Tensor | None, bounds: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Distances and places of the nearest, and whether they are so beyond doubt."""
        others, places = self._candidates(queries, own, bounds)
        places = places.sort(dim=1).values
        differences = embedding(places, self._rows).double().sub_(queries.double().unsqueeze(1))
        distances = vector_norm(differences, dim=2)
        none = places >= self._n  # fill-up rows, taken for candidates where there are no others
        distances.masked_fill_(none if own is None else none | (places == own[:, None]), torch.inf)
        distances, order = distances.sort(dim=1, stable=True)
        last = distances[:, self.k - 1].square()
        sure = (others >= last) | (last == 0) | (self._count == self._n)
        return distances[:, : self.k], places.gather(1, order[:, : self.k]), sure

    def _candidates(
        self, queries: Tensor, own: Tensor | None, bounds: Tensor
    ) -> tuple[Float[Tensor, " b"], Int[Tensor, "b count"]]:
        """A lower bound of the squared distances of all rows but the candidates; these."""
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
        """|t|^2 - 2 q t of query q and training row t, less what rounding may have added."""
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
    """The same for few features."""

    sparse = False
    chunk = 2**16

    def __init__(self, rows: DenseRows, k: int) -> None:
        self.k, self._rows = k, rows
        self._tree = KDTree(rows.values.double().numpy())

    def nearest(self, rows: ScaledRows, first: int | None = None) -> Found:
        """As of a DenseIndex."""
        assert isinstance(rows, DenseRows)
        left_out = int(first is not None)
        distances, places = self._tree.query(rows.values.double().numpy(), self.k + left_out)
        if first is not None:
            own = places == first + np.arange(len(places))[:, None]
            own[~own.any(axis=1), -1] = True  # so many copies that the row itself is not found
            distances, places = (part[~own].reshape(-1, self.k) for part in (distances, places))
        order = np.lexsort([places, distances])
        return _in_order(distances, order), _in_order(places, order)

    def rows(self) -> ScaledRows:
        return self._rows


class SparseIndex:
    """The same for sparse rows. What all rows have in common, their baseline, cancels out."""

    sparse = True

    def __init__(self, rows: SparseRows, k: int) -> None:
        self.k, self._rows = k, rows
        self._count = min(k + SLACK, len(rows))
        self._double = rows.offsets.astype(np.float64)
        self._columns = self._double.T.tocsr()
        self._squares = row_sums(self._double.data**2, self._double.indptr)
        self.chunk = max(8, min(SPARSE_BLOCK, CELLS["cpu"] // len(rows)))

    def nearest(self, rows: ScaledRows, first: int | None = None) -> Found:
        """As of a DenseIndex; products of sparse rows are in double precision from the start."""
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
    """The fastest way to look up k neighbours among these rows."""
    if isinstance(rows, SparseRows):
        return SparseIndex(rows, k)
    few = rows.values.device.type == "cpu" and rows.values.shape[1] <= TREE_FEATURES
    return TreeIndex(rows, k) if few else DenseIndex(rows, k)


def _filled_up(n: int, device: str) -> int:
    """The least number from n up that can be divided into groups, and these again."""
    unit = 1
    while -(-n // unit) > DIRECT[device]:
        unit *= GROUP[device]
    return -(-n // unit) * unit


def _smallest(values: Tensor, count: int) -> Int[Tensor, "b count"]:
    """Places of the smallest values of every row, in any order."""
    size, width = GROUP[values.device.type], values.shape[1]
    if width <= DIRECT[values.device.type]:
        return _picked(values, count)
    step = width // size  # a group is every so many-th
    groups = _smallest(values.unflatten(1, (size, step)).amin(1), min(count, step))
    members = groups.unsqueeze(2) + torch.arange(0, width, step, device=values.device)
    members = members.flatten(1)
    return members.gather(1, _picked(values.gather(1, members), count))


def _picked(values: Tensor, count: int) -> Int[Tensor, "b count"]:
    if values.device.type != "cpu":
        return values.topk(count, largest=False, sorted=False).indices
    places = np.argpartition(values.numpy(), count - 1)[:, :count]  # in half the time of topk
    return torch.from_numpy(np.ascontiguousarray(places))


def _squares(rows: Tensor) -> Float[Tensor, " n"]:
    return rows.double().square_().sum(dim=1)


def _in_order(part: np.ndarray, order: np.ndarray) -> np.ndarray:
    return np.take_along_axis(part, order, axis=1)


def row_sums(values: np.ndarray, indptr: np.ndarray) -> Float[np.ndarray, " n"]:
    """Sums of the stored values of each row."""
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return np.bincount(rows, weights=values, minlength=len(indptr) - 1)
