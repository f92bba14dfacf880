"""Step 5: how far predicted scales are from the labels, and the derivative of that.

Every loss compares p with y along one axis, the c subspaces of a group. The derivatives are
written out because a training step is a few small operations: automatic differentiation would
double their number and, on a CPU, the time. Tests hold them to autograd.
"""

from __future__ import annotations

import math
from typing import ClassVar

import torch
from torch import Tensor

from slad.core.typing import Float

_TINY = torch.finfo(torch.float32).tiny  # a probability may underflow to 0, its logarithm may not


class Loss:
    """One value a group, zero or more; `target` is softmax(y), made once."""

    name: ClassVar[str]

    def target(self, labels: Float[Tensor, "*lead c"]) -> Float[Tensor, "*lead c"]:
        return torch.softmax(labels, -1)

    def value_and_gradient(self, p: Tensor, target: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
        """The loss along `dim` (kept, of size 1) and its derivative by p."""
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


LOSSES: dict[str, Loss] = {
    loss.name: loss for loss in (JensenShannon(), Released(), KullbackLeibler())
}
