"""The derivatives of the loss of GOAD, written out.

A batch has rows x maps x maps logits and as many distances. Here a part of them is computed at a
time and read only by products: on a CPU it stays in the caches. Squared distances are used
less the representation's own square, |z|^2 - |z - c|^2 = 2 z c - |c|^2, which no comparison sees.
"""

from __future__ import annotations

from math import prod

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu, pad

from slad.core.typing import Float

HEAD_SLOPE = 0.2
"""Of the LeakyReLU before the classifier (the authors' code)."""
CELLS_AT_ONCE = {"cpu": 2**18, "cuda": 2**28}
"""Logits of a part: on a CPU, they fit into its second cache."""
LEAST_EXPONENT = -80.0
"""e to this power is negligible beside 1 in single precision; smaller powers are slow."""


def with_ones(x: Float[Tensor, "*any h"]) -> Float[Tensor, "*any h1"]:
    return pad(x, (0, 1), value=1.0)


def means(
    found: Float[Tensor, "k places h"], weight: Float[Tensor, "k b"]
) -> Float[Tensor, "k maps h"]:
    """The mean of each transformation in the batch; padding has weight 0."""
    by_row = torch.matmul(weight.unsqueeze(1), found.reshape(*weight.shape, -1))
    return by_row.view(len(weight), -1, found.shape[-1])


def nearness(centres: Float[Tensor, "k maps h"]) -> Float[Tensor, "k h1 maps"]:
    """What (z, 1) is multiplied with to give 2 z c - |c|^2 for every centre c."""
    return torch.cat([2 * centres, -centres.square().sum(-1, keepdim=True)], -1).mT


def own(pairs: Float[Tensor, "*any maps"]) -> Float[Tensor, "rows maps"]:
    """From a number for each place and transformation, those of the own transformation (a view)."""
    maps = pairs.shape[-1]
    return pairs.view(-1, maps, maps).diagonal(dim1=-2, dim2=-1)


def sum_products(
    a: Float[Tensor, "k places p"], c: Float[Tensor, "k places q"], length: int | None
) -> Float[Tensor, "k p q"]:
    """Sums of products over places: at once, or first over `length` places each.

    A few long sums would leave a GPU mostly idle.
    """
    if length is None:
        return torch.bmm(a.mT, c)
    return torch.matmul(a.unflatten(1, (-1, length)).mT, c.unflatten(1, (-1, length))).sum(1)


class Slopes:
    """The loss of one batch and its derivatives. Places are rows by transformations."""

    def __init__(
        self,
        head: Float[Tensor, "k h1 maps"],
        found: Float[Tensor, "k places h"],
        weight: Float[Tensor, "k b"],
        margin: float,
        triplet_weight: float,
    ) -> None:
        self.head, self.found, self.weight = head, found, weight
        self.margin, self.triplet_weight = margin, triplet_weight
        self.n_maps = head.shape[-1]
        self.length = None if found.device.type == "cpu" else self.n_maps
        self.share = (weight / self.n_maps).repeat_interleave(self.n_maps, 1).unsqueeze(-1)
        self.ones, self.seen = with_ones(found), with_ones(leaky_relu(found, HEAD_SLOPE))
        self.centres = means(found, weight)
        self.nearness = nearness(self.centres)
        # Multiplied with something of all transformations, the columns of ones give its sums.
        self.columns, self.sites = with_ones(head[:, :-1].mT), with_ones(self.centres)
        self.losses = found.new_zeros(len(found))
        self.by_logits = torch.zeros_like(head)
        self.by_near = torch.zeros_like(self.sites)
        self.by_seen, self.to_wrong = torch.empty_like(found), torch.empty_like(found)
        self.active = torch.empty_like(self.share)
        rows = max(1, CELLS_AT_ONCE[found.device.type] // (len(found) * self.n_maps**2))
        shape = (len(found), min(rows, weight.shape[1]) * self.n_maps, self.n_maps)
        self.buffer = found.new_empty(prod(shape))  # reused, because new memory would be slower
        for start in range(0, found.shape[1], shape[1]):
            places = slice(start, min(start + shape[1], found.shape[1]))
            self._classify(places)
            self._compare(places)

    def _products(
        self, places: Float[Tensor, "k p h1"], columns: Float[Tensor, "k h1 maps"]
    ) -> Float[Tensor, "k p maps"]:
        shape = (*places.shape[:2], self.n_maps)
        return torch.bmm(places, columns, out=self.buffer[: prod(shape)].view(shape))

    def _classify(self, places: slice) -> None:
        """Cross-entropy: which transformation is it?"""
        seen, share = self.seen[:, places], self.share[:, places]
        logits = self._products(seen, self.head)
        right = own(logits).clone().view_as(share)
        top = logits.amax(-1, keepdim=True)
        logits.sub_(top).clamp_(min=LEAST_EXPONENT).exp_()
        sums = torch.bmm(logits, self.columns)
        total = sums[..., -1:]
        self.losses += ((top + total.log() - right) * share).sum((1, 2))
        share = share / total
        self.by_seen[:, places] = sums[..., :-1] * share
        self.by_logits += sum_products(seen * share, logits, self.length)

    def _compare(self, places: slice) -> None:
        """The triplet loss: the right centre against the nearest wrong one."""
        ones, share = self.ones[:, places], self.share[:, places] * self.triplet_weight
        near = self._products(ones, self.nearness)
        right = own(near).clone().view_as(share)
        own(near).fill_(-torch.inf)
        wrong = near.amax(-1, keepdim=True)
        hinge = (self.margin + wrong - right).clamp_(min=0)
        self.losses += (hinge * share).sum((1, 2))
        active = torch.where(hinge > 0, share, 0.0)
        nearest = near.eq_(wrong)  # several where they tie
        sites = torch.bmm(nearest, self.sites)
        count = sites[..., -1:]
        self.active[:, places] = active
        self.to_wrong[:, places] = sites[..., :-1] * (active / count)
        self.by_near += sum_products(nearest, ones * (active / count), self.length)

    def by_head(self) -> Float[Tensor, "k h1 maps"]:
        """By the classifier: softmax, less 1 for the right transformation."""
        return self.by_logits - means(self.seen, self.weight).mT / self.n_maps

    def by_found(self) -> Float[Tensor, "k places h"]:
        """By the representations: as classified, as compared, and as parts of the centres."""
        k, b = self.weight.shape
        shape = (k, b, self.n_maps, -1)
        share, active = self.share.view(shape), self.active.view(shape)
        by_seen = self.by_seen.view(shape) - share * self.head[:, None, :-1].mT
        found = self.found.view(shape)
        slopes: Tensor = torch.ops.aten.leaky_relu_backward(by_seen, found, HEAD_SLOPE, False)
        slopes += 2 * (self.to_wrong.view(shape) - active * self.centres.unsqueeze(1))
        by_near = self.by_near - (self.ones.view(shape) * active).sum(1)
        by_centres = 2 * (by_near[..., :-1] - by_near[..., -1:] * self.centres)
        slopes += by_centres.unsqueeze(1) * self.weight[:, :, None, None]
        return slopes.view_as(self.found)
