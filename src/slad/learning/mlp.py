"""Multi-layer perceptrons for a whole stack of networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu, leaky_relu_

from slad.core.products import row_product
from slad.core.seeds import Streams, uniform
from slad.core.typing import Float
from slad.learning.parameters import Shapes

SLOPE = 0.01
"""torch's default for LeakyReLU."""


def leaky(x: Tensor) -> Tensor:
    return leaky_relu(x, SLOPE)


def leaky_backward(slopes: Tensor, result: Tensor) -> None:
    """Turn derivatives by the result of `leaky` into derivatives by its input, in place."""
    torch.ops.aten.leaky_relu_backward(slopes, result, SLOPE, True, grad_input=slopes)


@dataclass(frozen=True)
class MLP:
    """Linear layers with an activation between them, and none after the last.

    `copies` networks of the same shape add an axis to every weight.
    """

    name: str
    sizes: tuple[int, ...]
    """Features in, units of the hidden layers, features out."""
    bias: bool = False
    copies: tuple[int, ...] = ()
    activation: Callable[[Tensor], Tensor] = leaky

    @property
    def shapes(self) -> Shapes:
        shapes: Shapes = {}
        for layer, (into, out) in enumerate(zip(self.sizes, self.sizes[1:], strict=False)):
            shapes[self.weight(layer)] = (*self.copies, into, out)
            if self.bias:
                shapes[self.offset(layer)] = (*self.copies, 1, out)
        return shapes

    def weight(self, layer: int) -> str:
        return f"{self.name}.{layer}"

    def offset(self, layer: int) -> str:
        return f"{self.name}.{layer}.bias"

    @property
    def depth(self) -> int:
        return len(self.sizes) - 1

    def initial(self, streams: Streams) -> dict[str, Tensor]:
        """One member's weights, drawn as torch draws a linear layer's."""
        return {
            name: draw_uniform(streams, name, shape, self.sizes[layer] ** -0.5)
            for layer in range(self.depth)
            for name, shape in self.shapes.items()
            if name in (self.weight(layer), self.offset(layer))
        }

    def __call__(
        self, weights: dict[str, Tensor], x: Float[Tensor, "*any n in"]
    ) -> Float[Tensor, "m *copies n out"]:
        """The output for `x`, whose axes of members and copies have size 1 if these share it."""
        for layer in range(self.depth):
            if layer:
                x = self.activation(x)
            x = self.linear(weights, layer, x)
        return x

    def linear(self, weights: dict[str, Tensor], layer: int, x: Tensor) -> Tensor:
        """One layer's product and bias."""
        x = row_product(x, weights[self.weight(layer)])
        return x + weights[self.offset(layer)] if self.bias else x

    def inputs(self, weights: dict[str, Tensor], x: Tensor) -> list[Tensor]:
        """The input of each layer, and the output, for `backward`. Only with LeakyReLU."""
        kept = [x]
        for layer in range(self.depth):
            kept.append(self.linear(weights, layer, kept[-1]))
            if layer + 1 < self.depth:
                leaky_relu_(kept[-1], SLOPE)
        return kept

    def backward(
        self,
        weights: dict[str, Tensor],
        gradients: dict[str, Tensor],
        inputs: list[Tensor],
        slopes: Tensor,
    ) -> Tensor:
        """Write the gradients of a loss whose derivatives by the output are `slopes`.

        LeakyReLU keeps the sign, so its derivative follows from its result. Returns the derivatives
        by the output of the first layer.
        """
        for layer in reversed(range(self.depth)):
            torch.matmul(inputs[layer].mT, slopes, out=gradients[self.weight(layer)])
            if self.bias:
                torch.sum(slopes, -2, keepdim=True, out=gradients[self.offset(layer)])
            if layer:
                slopes = torch.matmul(slopes, weights[self.weight(layer)].mT)
                leaky_backward(slopes, inputs[layer])
        return slopes


def draw_uniform(streams: Streams, name: str, shape: tuple[int, ...], limit: float) -> Tensor:
    """Numbers in [-limit, limit) that the seed of the member and the name determine."""
    draws = uniform(streams.key("weights " + name), prod(shape))
    return torch.from_numpy(draws).mul_(limit).view(shape)
