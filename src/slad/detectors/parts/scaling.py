"""Input scaling of dense and sparse tables, column by column, fitted on training rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor

from slad.core.errors import DataError
from slad.core.rows import DenseRows, SparseRows
from slad.core.state import State
from slad.core.typing import Float, Table, is_sparse
from slad.detectors.parts.sparse import CSR_PARTS, short_indices
from slad.detectors.parts.statistics import (
    CLIP,
    Measure,
    column_statistics,
    minmax,
    robust,
    row_blocks,
    settled,
    standard,
)

LARGEST = 1e15
"""Squares of larger scaled values come close to the largest float32, and sums lose all else."""

ScaledRows = DenseRows | SparseRows


def _clip(z: Tensor) -> Tensor:
    return z.clamp_(-CLIP, CLIP)


def _signed_log(z: Tensor) -> Tensor:
    return torch.copysign(z.abs().log1p_(), z)


def _same(z: Tensor) -> Tensor:
    return z


Bend = Callable[[Tensor], Tensor]
SCALINGS: dict[str, tuple[Measure | None, Bend]] = {
    "minmax": (minmax, _same),
    "standard": (standard, _clip),
    "signed_log": (standard, _signed_log),
    "robust": (robust, _clip),
    "none": (None, _same),
}
"""Name: (function for centre and scale of columns, function applied to (x - centre) / scale)."""


@dataclass(frozen=True)
class Scaler:
    """A fitted scaling. It works cell by cell, so sparse tables stay sparse (see SparseRows)."""

    kind: str
    center: Float[np.ndarray, " d"]
    scale: Float[np.ndarray, " d"]

    @classmethod
    def fit(cls, kind: str, X: Table) -> Scaler:
        statistics, _ = SCALINGS[kind]
        if statistics is None:
            return cls(kind, np.zeros(X.shape[1]), np.ones(X.shape[1]))
        return cls(kind, *column_statistics(statistics, X))

    @classmethod
    def of_moments(
        cls,
        kind: str,
        mean: Float[np.ndarray, " d"],
        deviation: Float[np.ndarray, " d"],
        low: Float[np.ndarray, " d"],
        high: Float[np.ndarray, " d"],
    ) -> Scaler:
        """From statistics of columns that are not in memory. Not for "robust", which needs
        quartiles."""
        known = {
            "none": (np.zeros_like(low), np.ones_like(low)),
            "minmax": (low, high - low),
            "standard": (mean, deviation),
            "signed_log": (mean, deviation),
        }
        center, scale = known[kind]
        return cls(
            kind, *((center, scale) if kind == "none" else settled(center, scale, low, high))
        )

    @property
    def is_affine(self) -> bool:
        """Whether scaling only shifts and stretches a column, except for cells that are cut off."""
        return self.kind != "signed_log"

    def cuts(self, low: Float[np.ndarray, " d"], high: Float[np.ndarray, " d"]) -> bool:
        """Whether cells between `low` and `high` may be cut off."""
        if self.kind not in ("standard", "robust"):
            return False
        ends = np.stack([low, high])
        return bool((np.abs((ends - self.center) / self.scale) > CLIP).any())

    def rows(
        self, X: Table, device: torch.device | str = "cpu", *, sparse: bool | None = None
    ) -> ScaledRows:
        """All rows scaled, in single precision: dense rows on the device, sparse rows on the CPU.

        `sparse` sets the form (None: that of the table).
        """
        if is_sparse(X) if sparse is None else sparse:
            return self._sparse_rows(X if is_sparse(X) else csr_array(X))
        return DenseRows(self.cells(X, device))

    def cells(self, X: Table, device: torch.device | str = "cpu") -> Float[Tensor, "n d"]:
        """All rows scaled and dense, in single precision, on the device."""
        values = torch.empty(X.shape, device=device)
        for start, block in row_blocks(X):
            values[start : start + len(block)] = self._cells(_tensor(block).to(device))
        return values

    def _sparse_rows(self, X: csr_array) -> SparseRows:
        """Sparse rows scaled. A zero becomes the baseline, except in columns whose zero is far from
        all other cells: there a difference from it would lose digits, so all cells are stored.
        """
        with np.errstate(over="ignore"):
            zero = torch.from_numpy(-self.center / self.scale)
        far = (~(zero.abs() <= CLIP)).numpy()
        baseline = self._bend(zero.masked_fill(torch.from_numpy(far), 0.0))
        columns = X.indices.astype(np.int64)
        near = ~far[columns]
        offsets = np.zeros(len(X.data), dtype=np.float32)
        at = torch.from_numpy(columns[near])
        offsets[near] = (self._cells(_tensor(X.data[near]), at) - baseline[at]).float().numpy()
        matrix = csr_array((offsets, X.indices, X.indptr), shape=X.shape)
        if far.any():
            whole = self._cells(_tensor(X[:, far].toarray()), torch.from_numpy(np.flatnonzero(far)))
            places = csr_array(
                (np.ones(far.sum(), np.float32), np.flatnonzero(far), np.arange(far.sum() + 1)),
                shape=(int(far.sum()), X.shape[1]),
            )
            matrix = (
                matrix + csr_array(whole.float().numpy() - baseline[far].float().numpy()) @ places
            )
        return SparseRows(short_indices(csr_array(matrix)), baseline.float())

    def dense(self, block: np.ndarray) -> Float[np.ndarray, "n d"]:
        """A dense block of rows, scaled."""
        return self._cells(_tensor(block)).numpy()

    def _bend(self, z: Tensor) -> Tensor:
        return SCALINGS[self.kind][1](z)

    def _cells(self, x: Tensor, columns: Tensor | None = None) -> Tensor:
        """Scaled cells in double precision, of whole rows or of the given columns."""
        center, scale = (torch.from_numpy(part).to(x.device) for part in (self.center, self.scale))
        if columns is not None:
            center, scale = center[columns], scale[columns]
        z = self._bend((x.double() - center) / scale)
        if z.numel() and not z.abs().amax() <= LARGEST:
            wild = torch.nonzero(~(z.abs() <= LARGEST))[0]
            column = int(wild[-1] if columns is None else columns[wild[-1]])
            raise DataError(
                f"a value in column {column} is too large for scaling={self.kind!r} (over "
                f"{LARGEST:g} after scaling): use scaling='standard' or 'robust', which cut off"
            )
        return z


def rows_state(rows: ScaledRows) -> State:
    """Scaled rows without the baseline, which cancels out in every difference of two rows."""
    if isinstance(rows, DenseRows):
        return State({}, {"rows": rows.values.cpu().numpy()})
    return State({}, {f"rows.{name}": getattr(rows.offsets, name) for name in CSR_PARTS})


def rows_from_state(
    state: State, n_features: int, device: torch.device | str = "cpu"
) -> ScaledRows:
    """The rows of a `rows_state`, among other arrays or alone."""
    arrays = state.arrays
    if "rows.data" not in arrays:
        return DenseRows(torch.from_numpy(arrays["rows"]).to(device))
    data, indices, indptr = (arrays[f"rows.{name}"] for name in CSR_PARTS)
    offsets = csr_array((data, indices, indptr), shape=(len(indptr) - 1, n_features))
    return SparseRows(offsets, torch.zeros(n_features))


def _tensor(block: np.ndarray) -> Tensor:
    """The block as a tensor, in double precision unless its numbers have less."""
    kind = np.float32 if block.dtype in (np.float32, np.float16) else np.float64
    block = np.ascontiguousarray(block, dtype=kind)
    return torch.from_numpy(block if block.flags.writeable else block.copy())
