"""The contrastive loss of ICL: each query has to match its own key among the keys of the row."""

from __future__ import annotations

import torch
from torch import Tensor

from slad.core.products import row_product
from slad.core.typing import Float, Int

LEAST_SQUARE = 1e-24
"""A vector with a smaller squared length counts as zero and is not normalised."""
LEAST_LOG_SHARE = -60.0
"""Smaller logarithms of shares are cut off here: numbers below 1e-38 would make products on a CPU
many times slower."""

Pairs = Float[Tensor, "2 m b n dims"]
"""Queries and keys."""


def unit_vectors(x: Float[Tensor, "m b n dims"], *, each: bool) -> Float[Tensor, "m b n dims"]:
    """Every dimension normalised to length 1 over the n vectors of the row; with `each`, then every
    vector."""
    x = x * _inverse_root(x.square().sum(2, keepdim=True))
    return x * _inverse_root(x.square().sum(3, keepdim=True)) if each else x


def contrast(
    queries: Float[Tensor, "m b n dims"],
    keys: Float[Tensor, "m b n dims"],
    temperature: float,
    negatives: Int[Tensor, "m some"] | None = None,
) -> Float[Tensor, "m b"]:
    """Mean cross-entropy of the queries' softmax over the keys, with the i-th key the right one.

    `negatives` are the keys that a query is compared with besides its own; None uses all.
    """
    if negatives is None:
        logits = row_product(queries, keys.mT) / temperature
        return _cross_entropy(logits, logits.diagonal(dim1=2, dim2=3))
    right = torch.linalg.vecdot(queries, keys) / temperature
    others = keys.take_along_dim(negatives[:, None, :, None], 2)
    logits = row_product(queries, others.mT) / temperature
    own = torch.arange(keys.shape[2], device=keys.device)[:, None] == negatives[:, None, None, :]
    logits = torch.cat([right.unsqueeze(3), logits.masked_fill(own, -torch.inf)], 3)
    return _cross_entropy(logits, right)


def _cross_entropy(
    logits: Float[Tensor, "m b n some"], right: Float[Tensor, "m b n"]
) -> Float[Tensor, "m b"]:
    top = logits.detach().amax(3, keepdim=True)
    shares = (logits - top).clamp(min=LEAST_LOG_SHARE).exp()
    return (shares.sum(3).log() + top.squeeze(3) - right).mean(2)


def contrast_(vectors: Pairs, temperature: float, *, each: bool) -> Float[Tensor, "m b"]:
    """`contrast` of `unit_vectors` with all keys, written over the vectors."""
    shares = _compare_(vectors, temperature, each)[-1]
    return shares.diagonal(dim1=2, dim2=3).mean(2).neg_()


def contrast_backward_(
    vectors: Pairs, temperature: float, weight: Float[Tensor, "m b"], *, each: bool
) -> tuple[Float[Tensor, "m b"], Pairs]:
    """The same losses, and the weighted losses' derivatives by the vectors.

    Keeps of the vectors no more than their signs.
    """
    slopes, y, length, lengths, scale, logits, shares = _compare_(vectors, temperature, each)
    right = shares.diagonal(dim1=2, dim2=3)
    losses = right.mean(2).neg_()
    shares.clamp_(min=LEAST_LOG_SHARE).exp_()
    right.sub_(1)
    by_logit = shares.mul_((weight / vectors.shape[3])[:, :, None, None])
    if each:
        along = torch.stack([logits.mul_(by_logit).sum(3), logits.sum(2)]).unsqueeze(4)
    by_product = by_logit.mul_(scale)
    torch.matmul(by_product, y[1], out=slopes[0])
    torch.matmul(by_product.mT, y[0], out=slopes[1])
    # A change of a vector's length, or of a dimension's over the vectors, changes nothing.
    if each:
        slopes.addcmul_(y, along.mul_(lengths.square_()), value=-1)
    slopes.addcmul_(y, (y * slopes).sum(3, keepdim=True), value=-1)
    return losses, slopes.mul_(length)


def _compare_(vectors: Pairs, temperature: float, each: bool) -> tuple[Tensor, ...]:
    """Logarithms of the softmax over the keys, last, after all that led to them."""
    squares = vectors * vectors
    length = _inverse_root(squares.sum(3, keepdim=True))
    y = vectors.mul_(length)
    lengths = y.new_ones(2, 1, 1, 1, 1)
    if each:
        lengths = _inverse_root(torch.linalg.vector_norm(y, dim=4, keepdim=True).square_())
    scale = lengths[0] / temperature * lengths[1].mT
    logits = row_product(y[0], y[1].mT).mul_(scale)
    return squares, y, length, lengths, scale, logits, logits.log_softmax(3)


def _inverse_root(squares: Tensor) -> Tensor:
    zero = squares <= LEAST_SQUARE
    if squares.requires_grad:  # the derivative of a root of 0 must not come up at all
        return squares.masked_fill(zero, 1.0).rsqrt().masked_fill(zero, 0.0)
    return squares.rsqrt().masked_fill_(zero, 0.0)
