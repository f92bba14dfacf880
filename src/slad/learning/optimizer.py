"""Optimisers of a whole stack of members, in one fused call for each learning rate.

They bypass `torch.optim`, whose bookkeeping costs as much as a whole step of a small network.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import hardshrink

from slad.learning.parameters import ParameterStack

BETAS, EPSILON = (0.9, 0.999), 1e-8  # Kingma & Ba 2015, and torch's defaults
MOMENTUM = 0.9
NEGLIGIBLE = 1e-30
"""Smaller weights and moments change no sum in single precision, not even the root of a second
moment plus Adam's epsilon."""


class StackOptimizer:
    """Calls a fused kernel of torch on rows of one flat tensor.

    Members with equal settings share a call.
    """

    moments: int
    """Number of state tensors, each of the size of the parameters."""

    def __init__(self, parameters: ParameterStack, settings: list[tuple[float, float]]) -> None:
        """`settings`: learning rate and weight decay of each member."""
        self.settings = settings
        self.size = parameters.values.shape[1]
        states = [torch.zeros_like(parameters.padded_values) for _ in range(self.moments)]
        self.state = [parameters.padded_values, parameters.padded_gradients, *states]
        self.steps = torch.zeros((), device=parameters.values.device)

    @property
    def kept(self) -> list[Tensor]:
        """The tensors that the next step depends on, except for the gradients and `steps`."""
        return [tensor[:, : self.size] for tensor in (self.state[0], *self.state[2:])]

    def prepare(self, k: int) -> None:
        """Let `step` update the first `k` members."""
        distinct = dict.fromkeys(self.settings[:k])
        self._calls: list[tuple[list[list[Tensor]], tuple[float, float]]] = []
        for setting in distinct:
            if len(distinct) == 1:
                lists = [[tensor[:k]] for tensor in self.state]
            else:
                rows = [row for row in range(k) if self.settings[row] == setting]
                lists = [[tensor[row] for row in rows] for tensor in self.state]
            self._calls.append((lists, setting))

    def step(self) -> None:
        self.steps += 1
        for lists, (learning_rate, weight_decay) in self._calls:
            self._update(lists, learning_rate, weight_decay)

    def clear(self) -> None:
        """Set tiny numbers to zero.

        Weights that only decay become subnormal numbers in single precision, with which a CPU is a
        hundred times slower.
        """
        for tensor in self.kept:
            tensor.copy_(hardshrink(tensor, NEGLIGIBLE))

    def _update(self, lists: list[list[Tensor]], learning_rate: float, weight_decay: float) -> None:
        raise NotImplementedError


class StackAdam(StackOptimizer):
    """Adam."""

    moments = 2

    def _update(self, lists: list[list[Tensor]], learning_rate: float, weight_decay: float) -> None:
        torch._fused_adam_(
            lists[0],
            lists[1],
            lists[2],
            lists[3],
            [],
            [self.steps] * len(lists[0]),
            lr=learning_rate,
            beta1=BETAS[0],
            beta2=BETAS[1],
            weight_decay=weight_decay,
            eps=EPSILON,
            amsgrad=False,
            maximize=False,
        )


class StackSGD(StackOptimizer):
    """Stochastic gradient descent with momentum."""

    moments = 1

    def _update(self, lists: list[list[Tensor]], learning_rate: float, weight_decay: float) -> None:
        torch._fused_sgd_(
            lists[0],
            lists[1],
            lists[2],
            lr=learning_rate,
            weight_decay=weight_decay,
            momentum=MOMENTUM,
            dampening=0.0,
            nesterov=False,
            maximize=False,
            is_first_step=False,  # a buffer of zeros gives the same result
        )
