"""Linear layers on all windows of a row, and on the complements of windows, for ICL.

A row of d features has d - k + 1 windows of k neighbours. No window is written out: the weights
stand side by side, shifted, so that one product computes a group of windows; and the complements of
two consecutive windows differ in one feature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from slad.core.products import row_product
from slad.core.typing import Float

GROUP = 20
"""Largest number of windows in one product."""
BAND_CELLS = 2**20
"""Largest number of shifted weights in one product of several windows."""

Product = Callable[[Tensor, Tensor], Tensor]


def window_products(
    rows: Float[Tensor, "m b d"], weight: Float[Tensor, "m k h"]
) -> Float[Tensor, "m b windows h"]:
    """Every window times the weight."""
    (members, k, h), count = weight.shape, rows.shape[2] - weight.shape[1] + 1
    size = _group(count, k * h)
    band = weight.new_zeros(members, k + size - 1, size, h)
    _diagonals(band, k).copy_(weight.unsqueeze(2))
    found = rows.new_empty(members, rows.shape[1], count, h)
    for start in range(0, count, size):
        n = min(size, count - start)
        part = rows[:, :, start : start + k + n - 1]
        shifted = band[:, : k + n - 1, :n].flatten(2)
        row_product(part, shifted, out=found[:, :, start : start + n].flatten(2))
    return found


def window_gradient(
    rows: Float[Tensor, "m b d"], slopes: Float[Tensor, "m b windows h"]
) -> Float[Tensor, "m k h"]:
    """By the weight, of a loss whose derivatives by the products are `slopes`."""
    (members, _, count, h), k = slopes.shape, rows.shape[2] - slopes.shape[2] + 1
    size = _group(count, k * h)
    band = slopes.new_zeros(members, k + size - 1, size, h)
    for start in range(0, count, size):
        n = min(size, count - start)
        part = rows[:, :, start : start + k + n - 1].mT
        by_part = slopes[:, :, start : start + n].flatten(2)
        band[:, : k + n - 1, :n].flatten(2).baddbmm_(part, by_part)
    return _diagonals(band, k).sum(2)


def complement_products(
    rows: Float[Tensor, "m b d"], weight: Float[Tensor, "m c h"]
) -> Float[Tensor, "m b windows h"]:
    """What each window of d - c features leaves out, in its order, times the weight."""
    members, c, h = weight.shape
    rest, change = _left_out(rows, c)
    found = rows.new_empty(members, rows.shape[1], c + 1, h)
    first = row_product(rest, weight)  # of the group's first window
    for start in range(0, c + 1, GROUP):
        n = min(GROUP, c + 1 - start)
        part = found[:, :, start : start + n]
        part.copy_(first.unsqueeze(2))
        part = part.flatten(2)
        steps = weight[:, start : start + n - 1].unsqueeze(2) * _later(n, weight)
        row_product(change[:, :, start : start + n - 1], steps.flatten(2), plus=part, out=part)
        if start + n <= c:
            passed = slice(start, start + n)
            first = row_product(change[:, :, passed], weight[:, passed], plus=first)
    return found


def complement_gradient(
    rows: Float[Tensor, "m b d"], slopes: Float[Tensor, "m b windows h"]
) -> Float[Tensor, "m c h"]:
    """By the weight, of a loss whose derivatives by the products are `slopes`."""
    members, _, count, h = slopes.shape
    rest, change = _left_out(rows, count - 1)
    found = slopes.new_zeros(members, count - 1, h)
    later = torch.zeros_like(slopes[:, :, 0])  # the slopes of all groups after this one
    for start in reversed(range(0, count, GROUP)):
        n = min(GROUP, count - start)
        part = slopes[:, :, start : start + n]
        steps = torch.bmm(change[:, :, start : start + n - 1].mT, part.flatten(2))
        found[:, start : start + n - 1] = (steps.unflatten(2, (n, h)) * _later(n, slopes)).sum(2)
        if start + n < count:
            passed = slice(start, start + n)
            found[:, passed].baddbmm_(change[:, :, passed].mT, later)
        later = later + part.sum(2)
    return found.baddbmm_(rest.mT, later)


def window_layer(
    rows: Float[Tensor, "m b d"], weight: Float[Tensor, "m k h"]
) -> Float[Tensor, "m b windows h"]:
    """`window_products`, for autograd, by the weight alone."""
    layer: Callable[..., Tensor] = _Layer.apply
    return layer(rows, weight, window_products, window_gradient)


def complement_layer(
    rows: Float[Tensor, "m b d"], weight: Float[Tensor, "m c h"]
) -> Float[Tensor, "m b windows h"]:
    """`complement_products`, for autograd, by the weight alone."""
    layer: Callable[..., Tensor] = _Layer.apply
    return layer(rows, weight, complement_products, complement_gradient)


class _Layer(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, rows: Tensor, weight: Tensor, products: Product, gradient: Product
    ) -> Tensor:
        ctx.save_for_backward(rows)
        ctx.gradient = gradient
        return products(rows, weight)

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[None, Tensor, None, None]:
        (rows,) = ctx.saved_tensors
        return None, ctx.gradient(rows, slopes[0]), None, None


def _group(count: int, cells: int) -> int:
    return min(count, GROUP, max(1, BAND_CELLS // cells))


def _diagonals(band: Float[Tensor, "m rows n h"], k: int) -> Float[Tensor, "m k n h"]:
    """The band's cells that hold weights: those of the i-th window begin in the i-th row."""
    members, by_row, by_window, one = band.stride()
    shape = (band.shape[0], k, *band.shape[2:])
    return band.as_strided(shape, (members, by_row, by_row + by_window, one))


def _left_out(
    rows: Float[Tensor, "m b d"], c: int
) -> tuple[Float[Tensor, "m b c"], Float[Tensor, "m b c"]]:
    """What the first window leaves out, and what each step to the next one changes of it."""
    rest = rows[:, :, rows.shape[2] - c :]
    return rest, rows[:, :, :c] - rest


def _later(n: int, like: Tensor) -> Float[Tensor, "steps n 1"]:
    """1 where a window (second axis) comes after a step to the next one (first axis)."""
    return like.new_ones(n - 1, n).triu_(1).unsqueeze(2)
