"""Step 4: Phi, a network with one hidden layer that predicts the scale of a representation.

The losses of the ablations need more outputs: logits of classes, or an embedding.

A stack of m networks runs as one: every weight has m as its leading axis. The layout of activations
is units x representations, so that the long axis is innermost and matrix products are fast with any
number of units.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu_

from slad.core.products import row_product
from slad.core.seeds import Streams, uniform
from slad.core.typing import Float
from slad.learning.parameters import Shapes

SLOPE = 0.01  # torch's default for LeakyReLU, which paper and released code use


@dataclass(frozen=True)
class ScaleNetwork:
    """width -> hidden_dim, LeakyReLU -> outputs.

    The output has no bias: it would shift all scales of a group equally, which softmax ignores.
    The ablations would not ignore it, but the released code has none.
    """

    width: int
    hidden_dim: int
    bias: bool
    outputs: int = 1

    @property
    def shapes(self) -> Shapes:
        shapes: Shapes = {
            "hidden": (self.hidden_dim, self.width),
            "output": (self.outputs, self.hidden_dim),
        }
        return shapes | {"bias": (self.hidden_dim, 1)} if self.bias else shapes

    def initial(self, streams: Streams) -> Float[Tensor, " size"]:
        """Initial weights of one member, drawn as for linear layers of torch."""

        def draw(name: str, size: int, fan_in: int) -> Tensor:
            draws = torch.from_numpy(uniform(streams.key("weights " + name), size))
            return draws.div_(fan_in**0.5)

        parts = [
            draw("hidden", self.hidden_dim * self.width, self.width),
            draw("output", self.outputs * self.hidden_dim, self.hidden_dim),
        ]
        if self.bias:
            parts.append(draw("bias", self.hidden_dim, self.width))
        return torch.cat(parts)

    def forward(
        self,
        weights: dict[str, Tensor],
        lifted: Float[Tensor, "m n h"],
        hidden: Float[Tensor, "m u n"],
    ) -> Float[Tensor, "m o n"]:
        """Outputs for n representations of each member. Activations are written to `hidden`."""
        self.first_layer(weights, lifted, hidden)
        if self.bias:
            hidden += weights["bias"]
        leaky_relu_(hidden, SLOPE)
        return torch.bmm(weights["output"], hidden)

    def first_layer(
        self,
        weights: dict[str, Tensor],
        lifted: Float[Tensor, "m n h"],
        hidden: Float[Tensor, "m u n"],
    ) -> None:
        torch.bmm(weights["hidden"], lifted.transpose(1, 2), out=hidden)

    def slopes(
        self,
        weights: dict[str, Tensor],
        gradients: dict[str, Tensor],
        hidden: Float[Tensor, "m u n"],
        by_output: Float[Tensor, "m o n"],
        out: Float[Tensor, "m u n"],
    ) -> None:
        """Derivative of a loss by each unit's input, but for the weight of a single output.

        LeakyReLU keeps the sign, so its derivative can be read off its result. The gradient of
        several outputs is written here, where the activations are; `backward` finds that of one.
        """
        if self.outputs == 1:
            by_unit = by_output.expand_as(hidden)
        else:
            torch.bmm(by_output, hidden.transpose(1, 2), out=gradients["output"])
            by_unit = torch.bmm(weights["output"].transpose(1, 2), by_output, out=out)
        torch.ops.aten.leaky_relu_backward.grad_input(by_unit, hidden, SLOPE, True, grad_input=out)

    def backward(
        self,
        weights: dict[str, Tensor],
        gradients: dict[str, Tensor],
        lifted: Float[Tensor, "m n h"],
        slopes: Float[Tensor, "m u n"],
    ) -> None:
        """Write the gradients of a loss with the given `slopes`."""
        row_product(slopes, lifted, out=gradients["hidden"])
        if self.bias:
            torch.sum(slopes, 2, keepdim=True, out=gradients["bias"])
        if self.outputs == 1:
            self._with_output_weight(weights, gradients)

    def _with_output_weight(self, weights: dict[str, Tensor], gradients: dict[str, Tensor]) -> None:
        """The gradient of a single output, and its weight in those of the hidden layer.

        LeakyReLU(a) = a LeakyReLU'(a), so the output's gradient, a sum over n, follows from the
        hidden layer's, which is such a sum already: no second pass over n is needed.
        """
        output = weights["output"].transpose(1, 2)
        by_output = (weights["hidden"] * gradients["hidden"]).sum(2)
        gradients["hidden"] *= output
        if self.bias:
            by_output += (weights["bias"] * gradients["bias"]).squeeze(2)
            gradients["bias"] *= output
        gradients["output"].copy_(by_output.unsqueeze(1))
