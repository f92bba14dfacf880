"""Batch normalisation of the units of each window, without learned factors and shifts."""

from __future__ import annotations

import torch
from torch import Tensor

from slad.core.typing import Float

EPSILON = 1e-5  # torch's default


def moments(
    x: Float[Tensor, "m b windows h"], share: Float[Tensor, "m b"]
) -> Float[Tensor, "m 2 windows"]:
    """Mean and mean square of each window's units over the rows.

    `share` is the weight of each row: it sums to 1, and is 0 for padding.
    """
    sums = torch.stack([x.sum(3), torch.linalg.vector_norm(x, dim=3).square()], 1)
    return torch.matmul(share[:, None, None], sums).squeeze(2) / x.shape[3]


def standardise(
    x: Float[Tensor, "m b windows h"], found: Float[Tensor, "m 2 windows"]
) -> tuple[Float[Tensor, "m b windows h"], Float[Tensor, "m 1 windows 1"]]:
    """Units of mean 0 and variance 1, and the factors that made them so."""
    mean, square = found.unbind(1)
    variance = (square - mean.square()).clamp(min=0)
    factor = (variance + EPSILON).rsqrt()[:, None, :, None]
    centred = x - mean[:, None, :, None]
    return centred * factor if centred.requires_grad else centred.mul_(factor), factor


def standardise_backward_(
    slopes: Float[Tensor, "m b windows h"],
    found: Float[Tensor, "m b windows h"],
    factor: Float[Tensor, "m 1 windows 1"],
    share: Float[Tensor, "m b"],
) -> Float[Tensor, "m b windows h"]:
    """Derivatives by x, written over the derivatives by `found`, its standardised units."""
    mine = (share / found.shape[3])[:, :, None, None]
    by_mean = slopes.sum(3, keepdim=True).sum(1, keepdim=True)
    by_spread = torch.linalg.vecdot(slopes, found).sum(1, keepdim=True).unsqueeze(3)
    slopes.addcmul_(found, by_spread * mine, value=-1)
    return slopes.sub_(by_mean * mine).mul_(factor)
