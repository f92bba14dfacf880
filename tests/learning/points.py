"""The smallest objective there is: each member learns the mean of its points."""

from __future__ import annotations

import torch
from torch import Tensor

from slad.learning import MemberPlan, ParameterStack


class Points:
    """loss = mean of |theta - x|^2 / 2 over a batch; theta starts at 0."""

    def __init__(self, points: list[Tensor], window: int | None = None) -> None:
        self.points, self.window = points, window
        width = points[0].shape[1]
        self.parameters = ParameterStack({"theta": (width,)}, torch.zeros(len(points), width))
        self.n_samples = [len(own) for own in points]
        capacity = sum(self.n_samples) if window is None else window * len(points)
        self.bank = torch.full((capacity, width), torch.nan)

    def load(self, member: int, start: int, samples: Tensor) -> None:
        self.bank[start : start + len(samples)] = self.points[member][samples]

    def step(self, where: Tensor, weight: Tensor) -> Tensor:
        k = len(where)
        weights, gradients = self.parameters.first(k)
        away = weights["theta"].unsqueeze(1) - self.bank[where]
        gradients["theta"].copy_((away * weight.unsqueeze(-1)).sum(1))
        return (away.square().sum(-1) / 2 * weight).sum(1)


def plan(epochs: int, seed: int = 0, learning_rate: float = 0.1) -> MemberPlan:
    return MemberPlan(epochs, learning_rate, 0.0, torch.Generator().manual_seed(seed))


def cloud(n: int, center: float, seed: int = 0) -> Tensor:
    return center + torch.randn(n, 2, generator=torch.Generator().manual_seed(seed))
