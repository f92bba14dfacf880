"""The parameters of a stack of networks in one tensor: members x parameters."""

from __future__ import annotations

from math import prod

import torch
from torch import Tensor
from torch.nn.functional import pad

from slad.core.typing import Float

Shapes = dict[str, tuple[int, ...]]

LINE = 16
"""Numbers in a cache line."""


def split(flat: Float[Tensor, "m size"], shapes: Shapes) -> dict[str, Tensor]:
    """Named views of a flat stack, each `members x shape`."""
    sizes = [prod(shape) for shape in shapes.values()]
    parts = flat.split(sizes, dim=1)
    return {
        name: part.unflatten(1, shape)
        for (name, shape), part in zip(shapes.items(), parts, strict=True)
    }


class ParameterStack:
    """Weights and gradients of m networks of one shape.

    With one flat tensor an optimiser updates the whole stack in one call, and a stack with finished
    members goes on with the others as a view of the first rows.

    Every member begins at a cache line, in a stack as alone: kernels round otherwise where numbers
    begin elsewhere, and for the last numbers of a tensor.
    """

    def __init__(self, shapes: Shapes, members: Float[Tensor, "m size"]) -> None:
        self.shapes = shapes
        size = members.shape[1]
        self.padded_values = pad(members, (0, LINE - size % LINE))
        self.padded_gradients = torch.zeros_like(self.padded_values)
        self.values = self.padded_values[:, :size]
        self.gradients = self.padded_gradients[:, :size]

    def __len__(self) -> int:
        return len(self.values)

    def first(self, k: int) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """Views of the weights and of the gradients of the first `k` members."""
        return split(self.values[:k], self.shapes), split(self.gradients[:k], self.shapes)
