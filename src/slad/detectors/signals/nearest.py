"""Distances to near and far neighbours, at the cost of one product.

To select the k nearest of some thousand rows takes ten times as long as to compare with them. Here
the reference rows are dealt out to 64 groups and the nearest row of each group is found, which
takes a minimum and no selection. The sorted minima stand for the nearest rows: the first is the
nearest row itself, the second nearly always the second, the 32nd about the 44th, the 64th about the
300th. (The j-th of B minima is the k-th nearest row for k about -B log(1 - j/B).)
"""

from __future__ import annotations

import numpy as np

from slad.core.typing import Float, Int

GROUPS = 64
BLOCK = 32
"""Rows in a product: with some thousand reference rows it stays in a core's cache."""
ROUNDING = 1e-12
"""Squared distances below this share of a row's own square are rounding."""
LAST = (1 << 29) - 1
"""The last bits of a squared distance, which do not count: a product may differ in some of them
with a row's place in a block, and a row's score must not depend on the rows it comes with."""


class GroupMinima:
    """The nearest row of each group of reference rows."""

    def __init__(self, rows: Float[np.ndarray, "m d"]) -> None:
        self.groups = min(GROUPS, len(rows))
        self._members = -(-len(rows) // self.groups)
        # Rows (t, |t|^2, 1) times columns (-2 q, 1, |q|^2): the product is the squared distance.
        size = self._members * self.groups
        self._rows = np.zeros((size, rows.shape[1] + 2))
        self._rows[: len(rows), :-2] = rows
        self._rows[: len(rows), -2] = _squares(rows)
        self._rows[len(rows) :, -2] = np.inf  # padding is nowhere near
        self._rows[:, -1] = 1
        # A member's number takes the place of a square's last bits, so one minimum finds both.
        self._number = np.arange(self._members)[:, None]

    def distances(
        self, rows: Float[np.ndarray, "n d"], own: Int[np.ndarray, " n"] | None = None
    ) -> Float[np.ndarray, "n groups"]:
        """Distances to the nearest row of every group, ascending.

        Row i is not compared with the reference row at its place `own[i]` (-1: none).
        """
        return self._found(rows, own, nearest=0)[0]

    def with_places(
        self, rows: Float[np.ndarray, "n d"], count: int, own: Int[np.ndarray, " n"] | None = None
    ) -> tuple[Float[np.ndarray, "n groups"], Int[np.ndarray, "n count"]]:
        """`distances`, and the places of the reference rows behind the `count` smallest."""
        return self._found(rows, own, nearest=min(count, self.groups))

    def _found(
        self, rows: np.ndarray, own: np.ndarray | None, nearest: int
    ) -> tuple[np.ndarray, np.ndarray]:
        squares = _squares(rows)
        found = np.empty((len(rows), self.groups))
        places = np.empty((len(rows), nearest), dtype=np.int64)
        columns = np.zeros((self._rows.shape[1], BLOCK))
        columns[-2] = 1
        product = np.empty((len(self._rows), BLOCK))
        for start in range(0, len(rows), BLOCK):
            part = slice(start, min(start + BLOCK, len(rows)))
            count = part.stop - start
            np.multiply(rows[part].T, -2, out=columns[:-2, :count])
            columns[-1, :count] = squares[part]
            np.matmul(self._rows, columns, out=product)
            if own is not None:
                here = np.flatnonzero(own[part] >= 0)
                product[own[part][here], here] = np.inf
            if nearest:
                minima, places[part] = self._with_places(product, count, nearest)
                found[part] = minima
            else:
                by_member = product.reshape(self._members, -1)
                minima = np.minimum.reduce(by_member, axis=0).reshape(self.groups, BLOCK)
                found[part] = minima[:, :count].T
        found[found < (squares * ROUNDING)[:, None]] = 0
        found = np.sqrt(found.astype(np.float32))
        found.sort(axis=1)
        if not np.isfinite(found[:, -1]).all():  # a group of one row that must not be its own
            found = _filled(found)
        return found, places

    def _with_places(
        self, product: Float[np.ndarray, "m b"], count: int, nearest: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Minima of the groups, and the places of the smallest.

        Numbers that are not negative are in the order of their bits; below zero is only rounding.
        """
        bits = product.view(np.int64).reshape(self._members, -1)
        np.bitwise_and(bits, ~LAST, out=bits)
        np.bitwise_or(bits, self._number, out=bits)
        packed = np.minimum.reduce(bits, axis=0).reshape(self.groups, BLOCK)[:, :count].T
        values = np.ascontiguousarray(packed & ~LAST).view(np.float64)
        order = np.argsort(values, axis=1)[:, :nearest]
        members = np.take_along_axis(packed & LAST, order, axis=1)
        return values, members * self.groups + order


def _squares(rows: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " n"]:
    squares: np.ndarray = np.square(rows, dtype=np.float64).sum(axis=1)
    return squares


def _filled(found: Float[np.ndarray, "n groups"]) -> Float[np.ndarray, "n groups"]:
    """Infinite distances, of groups without a row, replaced by the largest finite one."""
    largest = np.where(np.isfinite(found), found, 0).max(axis=1, keepdims=True)
    filled: np.ndarray = np.where(np.isfinite(found), found, largest)
    return filled
