"""Distances to near and far neighbours, at the cost of one product.

To select the k nearest of some thousand rows takes ten times as long as to compare with them. Here
the reference rows are dealt out to 64 groups and the nearest row of each group is found, which
takes a minimum and no selection. The sorted minima stand for the nearest rows: the first is the
nearest row itself, the second nearly always the second, the 32nd about the 44th, the 64th about the
300th. (The j-th of B minima is the k-th nearest row for k about -B log(1 - j/B).)
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from slad.core.typing import Float, Int

GROUPS = 64
BLOCK = {"cpu": 256, "cuda": 16384}
"""Rows in a product. Blocks are padded to one size, because products of another size may sum in
another order."""
ROUNDING = 2e-6
"""Squared distances below this share of a row's own square are rounding."""


class GroupMinima:
    """The nearest row of each group of reference rows."""

    def __init__(self, rows: Float[Tensor, "m d"]) -> None:
        self._n, self.device = len(rows), rows.device
        self.groups = min(GROUPS, self._n)
        self._members = -(-self._n // self.groups)
        padding = self._members * self.groups - self._n
        squares = rows.double().square().sum(dim=1).float()
        # Of columns (t, |t|^2, 1) and rows (-2 q, 1, |q|^2): the product is the squared distance.
        columns = torch.cat([rows, squares[:, None], torch.ones_like(squares)[:, None]], dim=1)
        if padding:
            nowhere = torch.zeros(padding, columns.shape[1], device=self.device)
            nowhere[:, -2] = torch.inf
            columns = torch.cat([columns, nowhere])
        self._columns = columns.T.contiguous()

    def distances(
        self, rows: Float[Tensor, "n d"], own: Int[np.ndarray, " n"] | None = None
    ) -> Float[np.ndarray, "n groups"]:
        """Distances to the nearest row of every group, ascending.

        Row i is not compared with the reference row at its place `own[i]` (-1: none).
        """
        return self._found(rows, own, nearest=0)[0]

    def with_places(
        self, rows: Float[Tensor, "n d"], count: int, own: Int[np.ndarray, " n"] | None = None
    ) -> tuple[Float[np.ndarray, "n groups"], Int[np.ndarray, "n count"]]:
        """`distances`, and the places of the reference rows behind the `count` smallest."""
        return self._found(rows, own, nearest=min(count, self.groups))

    def _found(
        self, rows: Tensor, own: np.ndarray | None, nearest: int
    ) -> tuple[np.ndarray, np.ndarray]:
        size = BLOCK[self.device.type]
        found = np.empty((len(rows), self.groups), dtype=np.float32)
        places = np.empty((len(rows), nearest), dtype=np.int64)
        product = torch.empty(size, self._columns.shape[1], device=self.device)
        for start in range(0, len(rows), size):
            part = slice(start, min(start + size, len(rows)))
            squares = self._squares(rows[part], None if own is None else own[part], product)
            if nearest:
                minima, places[part] = _packed_minima(squares, nearest)
            else:
                minima = squares.amin(dim=1)
            least = rows[part].double().square().sum(dim=1, keepdim=True).float() * ROUNDING
            found[part] = torch.maximum(minima, least).cpu().numpy()
        found.sort(axis=1)
        np.sqrt(found, out=found)
        if not np.isfinite(found[:, -1]).all():  # a group of one row that must not be its own
            found = _filled(found)
        return found, places

    def _squares(
        self, rows: Tensor, own: np.ndarray | None, product: Tensor
    ) -> Float[Tensor, "b members groups"]:
        filled = torch.zeros(len(product), self._columns.shape[0], device=self.device)
        filled[: len(rows), :-2] = rows * -2
        filled[:, -2] = 1
        filled[: len(rows), -1] = rows.double().square().sum(dim=1).float()
        torch.mm(filled, self._columns, out=product)
        if own is not None:
            at = np.flatnonzero(own >= 0)
            places = (torch.from_numpy(each).to(self.device) for each in (at, own[at]))
            product[tuple(places)] = torch.inf
        return product[: len(rows)].view(len(rows), self._members, self.groups)


def _packed_minima(squares: Tensor, nearest: int) -> tuple[Tensor, np.ndarray]:
    """Minima over the members of groups, and the places of the smallest.

    The last bits of a square give way to the number of the member, so that one minimum finds both;
    numbers that are not negative are in the order of their bits.
    """
    members, groups = squares.shape[1:]
    bits = (1 << max(1, (members - 1).bit_length())) - 1
    number = torch.arange(members, dtype=torch.int32, device=squares.device)[:, None]
    packed = (squares.clamp_(min=0).view(torch.int32) & ~bits) | number
    minima = packed.amin(dim=1)
    values = (minima & ~bits).view(torch.float32)
    order = np.argsort(values.cpu().numpy(), axis=1, kind="stable")[:, :nearest]
    member = np.take_along_axis((minima & bits).cpu().numpy(), order, axis=1).astype(np.int64)
    return values, member * groups + order


def _filled(found: Float[np.ndarray, "n groups"]) -> Float[np.ndarray, "n groups"]:
    """Infinite distances, of groups without a row, replaced by the largest finite one."""
    largest = np.where(np.isfinite(found), found, 0).max(axis=1, keepdims=True)
    filled: np.ndarray = np.where(np.isfinite(found), found, largest)
    return filled
