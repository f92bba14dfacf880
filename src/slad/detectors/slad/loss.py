"""Step 5: losses between predicted scales and labels, and their derivatives.

Every loss gives one value for a group of c subspaces. Three compare p with y as distributions: the
paper's text, its released code and ours. The other three are ablations that the paper names but
does not define: each class says how it is understood here. The derivatives are written out because
a training step is a few small operations: automatic differentiation would double their number and,
on a CPU, the time. Tests hold them to autograd.
"""

from __future__ import annotations

import math
from typing import ClassVar

import torch
from torch import Tensor

from slad.core.typing import Float
from slad.detectors.parts.contrast import LEAST_SQUARE

EMBEDDING_DIM = 128
TEMPERATURE = 0.1
"""Of the contrastive loss: the value that the paper and the authors of NeuTraL use."""

_TINY = torch.finfo(torch.float32).tiny  # avoids the logarithm of 0


class Loss:
    """Base of the losses: one value from zero up for each group.

    `dim` is the axis of the subspaces of a group. The axis before it is that of the outputs of the
    network; losses with one output have no such axis.
    """

    name: ClassVar[str]
    whole_row: ClassVar[bool] = False
    """Whether the last subspace of every group is the whole row."""
    of_lengths: ClassVar[bool] = False
    """Whether the label of a subspace is the class of its length instead of its scale."""

    def outputs(self, n_lengths: int) -> int:
        """Number of outputs of the network for each subspace; one for its scale.

        `n_lengths` is the largest possible number of different lengths.
        """
        return 1

    def target(self, labels: Float[Tensor, "*lead c"]) -> Float[Tensor, "*lead c"]:
        """The target that p is compared with, computed once: softmax(y)."""
        return torch.softmax(labels, -1)

    def value_and_gradient(self, p: Tensor, target: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
        """The loss along `dim` (which is kept, of size 1) and its derivative by p."""
        raise NotImplementedError

    def value(self, p: Tensor, target: Tensor, dim: int = -1) -> Tensor:
        return self.value_and_gradient(p, target, dim)[0]


def _through_softmax(by_probability: Tensor, probability: Tensor, dim: int) -> Tensor:
    """Derivative by p from the derivative by softmax(p)."""
    return torch._softmax_backward_data(by_probability, probability, dim, probability.dtype)


class JensenShannon(Loss):
    """The paper's text (Equation 3)."""

    name = "jensen_shannon"

    def value_and_gradient(self, p: Tensor, target: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
        log_p = torch.log_softmax(p, dim)
        probability = log_p.exp()
        log_middle = (probability + target).clamp_min_(_TINY).log_().sub_(math.log(2.0))
        by_probability = log_p.sub_(log_middle)
        from_p = probability * by_probability
        from_y = torch.xlogy(target, target) - target * log_middle
        value = 0.5 * (from_p + from_y).sum(dim, keepdim=True)
        return value, _through_softmax(0.5 * by_probability, probability, dim)


class Released(Loss):
    """What the released code computes: softmax twice, so not a divergence.

    Sum of m (log m - log_softmax(P)) + m (log m - log_softmax(Y)), where P and Y are softmaxed
    already and m is their mean. Its minimiser is not p = y.
    """

    name = "released"

    def value_and_gradient(self, p: Tensor, target: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
        # log_softmax(P) is P less a constant, and P + Y is 2 m: most of the sum is m's alone.
        probability = torch.softmax(p, dim)
        middle = (probability + target).mul_(0.5).clamp_min_(_TINY)
        log_middle = middle.log()
        again = probability.exp()
        mass = again.sum(dim, keepdim=True)
        constants = (mass * target.exp().sum(dim, keepdim=True)).log_()
        value = (middle * (log_middle - middle)).sum(dim, keepdim=True).mul_(2.0).add_(constants)
        by_probability = log_middle.sub_(middle, alpha=2.0).add_(again.div_(mass))
        return value, _through_softmax(by_probability, probability, dim)


class KullbackLeibler(Loss):
    """KL(softmax(y) || softmax(p)): zero only at p = y, and the simplest of derivatives."""

    name = "kl"

    def value_and_gradient(self, p: Tensor, target: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
        log_p = torch.log_softmax(p, dim)
        value = (torch.xlogy(target, target) - target * log_p).sum(dim, keepdim=True)
        return value, log_p.exp() - target


class SquaredError(Loss):
    """Scale learning as regression (the ablation's L_mse): the mean of (p - y)^2 over the group.

    y are the labels of G as they are, magnified. Each scale is learned for itself, not relative to
    the others of its group. With thousands of features the labels are thousands, too, and the
    network needs long to get there.
    """

    name = "squared_error"

    def target(self, labels: Float[Tensor, "*lead c"]) -> Float[Tensor, "*lead c"]:
        return labels

    def value_and_gradient(self, p: Tensor, target: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
        far = p - target
        value = far.square().mean(dim, keepdim=True)
        return value, far.mul_(2.0 / p.shape[dim])


class CrossEntropy(Loss):
    """Scale learning as classification (the ablation's L_ce): how many features went in?

    The classes are the lengths of the member's subspaces, which with equal feature weights are the
    scales. With weights nearly every scale would be a class of its own, so they are left out. A
    class by the place among the group's scales would be relative to the group; the paper has that
    for an advantage of the contrastive loss over this one and the squared error.

    The network answers with a logit for each class; the loss is the mean over the group.
    """

    name = "cross_entropy"
    of_lengths = True

    def outputs(self, n_lengths: int) -> int:
        return n_lengths

    def target(self, labels: Float[Tensor, "*lead c"]) -> Float[Tensor, "*lead c"]:
        return labels

    def value_and_gradient(self, p: Tensor, target: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
        classes, at = p.shape[dim - 1], dim % p.ndim - 1
        numbers = torch.arange(classes, dtype=p.dtype, device=p.device)
        right = target == numbers.view(classes, *[1] * (p.ndim - at - 1))
        log_p = torch.log_softmax(p, at)
        value = (log_p * right).sum((at, dim), keepdim=True).div_(-p.shape[dim])
        return value, log_p.exp_().sub_(right.to(p.dtype)).div_(p.shape[dim])


class Contrastive(Loss):
    """Scale learning as contrastive learning (the ablation's L_dcl), without any labels.

    The deterministic contrastive loss of NeuTraL (Qiu et al., 2021): the embedding of each
    sub-vector has to be nearer to that of the row than to those of the row's other sub-vectors.
    Its views are the group's sub-vectors here; the row itself is lifted like a sub-vector of all
    features and ends the group. The mean over the c sub-vectors of

        -log(h(z_k, z) / (h(z_k, z) + sum of h(z_k, z_l) over l != k)),

    where h is exp(cosine / temperature). A zero vector has cosine 0 with all.
    """

    name = "contrastive"
    whole_row = True

    def outputs(self, n_lengths: int) -> int:
        return EMBEDDING_DIM

    def value(self, p: Tensor, target: Tensor, dim: int = -1) -> Tensor:
        return self._value(self._compare(p, dim)[-1], dim)

    def value_and_gradient(self, p: Tensor, target: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
        vectors, inverse, similar, shares = self._compare(p, dim)
        slopes = torch.zeros_like(similar)
        torch.exp(shares, out=slopes[..., :-1, :])  # by the similarities: the shares,
        slopes[..., :-1, -1] -= 1  # less 1 for that of the row
        slopes = (slopes + slopes.mT).div_(shares.shape[-2])
        along = (slopes * similar).sum(-1)  # a change of length changes nothing
        slopes *= inverse.unsqueeze(-1) * inverse.unsqueeze(-2) / TEMPERATURE
        slopes.diagonal(dim1=-2, dim2=-1).copy_(along * -inverse.square())
        gradient = (slopes @ vectors).movedim((-2, -1), (dim, dim - 1))
        return self._value(shares, dim), gradient

    @staticmethod
    def _compare(p: Tensor, dim: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Embeddings, their inverse lengths, similarities, and the logarithms of the softmax over
        each sub-vector's similarities with the others and the row."""
        vectors = p.movedim((dim, dim - 1), (-2, -1)).contiguous()
        products = vectors @ vectors.mT
        squares = products.diagonal(dim1=-2, dim2=-1)
        inverse = squares.rsqrt().masked_fill_(squares <= LEAST_SQUARE, 0.0)
        similar = products * (inverse.unsqueeze(-1) * inverse.unsqueeze(-2) / TEMPERATURE)
        others = similar[..., :-1, :].clone()
        others.diagonal(dim1=-2, dim2=-1).fill_(-torch.inf)
        return vectors, inverse, similar, torch.log_softmax(others, -1)

    @staticmethod
    def _value(shares: Tensor, dim: int) -> Tensor:
        value = shares[..., -1].mean(-1).neg_()[..., None, None]
        return value.movedim((-2, -1), (dim, dim - 1))


LOSSES: dict[str, Loss] = {
    loss.name: loss
    for loss in (
        JensenShannon(),
        Released(),
        KullbackLeibler(),
        SquaredError(),
        CrossEntropy(),
        Contrastive(),
    )
}
