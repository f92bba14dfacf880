"""Adam over a stack of members, in one fused call a learning rate."""

from __future__ import annotations

import torch

from slad.nn.stack import ParameterStack

BETAS, EPSILON = (0.9, 0.999), 1e-8  # Kingma & Ba 2015, and torch's defaults


class StackAdam:
    """torch's fused Adam kernel on rows of one flat tensor.

    Called below `torch.optim.Adam`, whose bookkeeping costs as much as a whole step of a small
    network. Members with equal settings share a call.
    """

    def __init__(self, parameters: ParameterStack, settings: list[tuple[float, float]]) -> None:
        """`settings`: learning rate and weight decay of each member."""
        self.parameters = parameters
        self.settings = settings
        self.first_moment = torch.zeros_like(parameters.values)
        self.second_moment = torch.zeros_like(parameters.values)
        self.steps = torch.zeros((), device=parameters.values.device)

    def prepare(self, k: int) -> None:
        """Have `step` update the first `k` members."""
        state = (
            self.parameters.values,
            self.parameters.gradients,
            self.first_moment,
            self.second_moment,
        )
        distinct = dict.fromkeys(self.settings[:k])
        self._calls = []
        for setting in distinct:
            if len(distinct) == 1:
                lists = [[tensor[:k]] for tensor in state]
            else:
                rows = [row for row in range(k) if self.settings[row] == setting]
                lists = [[tensor[row] for row in rows] for tensor in state]
            self._calls.append((lists, [self.steps] * len(lists[0]), setting))

    def step(self) -> None:
        self.steps += 1
        for lists, steps, (learning_rate, weight_decay) in self._calls:
            torch._fused_adam_(
                lists[0],
                lists[1],
                lists[2],
                lists[3],
                [],
                steps,
                lr=learning_rate,
                beta1=BETAS[0],
                beta2=BETAS[1],
                weight_decay=weight_decay,
                eps=EPSILON,
                amsgrad=False,
                maximize=False,
            )
