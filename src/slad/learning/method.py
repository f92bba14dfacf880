"""What a deep method says about itself; one objective trains every such method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Protocol

import torch
from torch import Tensor

from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.learning.mlp import MLP
from slad.learning.parameters import Shapes

Tensors = dict[str, Tensor]
"""Named tensors of a stack: the members are the leading axis of each."""


class RowSource(Protocol):
    """The scaled rows of one table."""

    def __len__(self) -> int: ...

    def take(self, rows: Int[Tensor, " k"]) -> Float[Tensor, "k d"]:
        """These rows, dense, on the device."""
        ...

    def blocks(self, size: int) -> Iterator[Float[Tensor, "b d"]]:
        """All rows in order, dense, at most `size` at a time."""
        ...


@dataclass(frozen=True)
class Batch:
    """What k members see in one step."""

    rows: Float[Tensor, "k b width"]
    weight: Float[Tensor, "k b"]
    """Adds up to 1 for each member; 0 for the places that fill up an epoch's last batch."""
    draws: Tensors
    """The method's random numbers for these rows, fresh for every visit: k x b x whatever."""
    steps: Int[Tensor, ""]
    """Steps taken so far."""
    steps_per_epoch: Int[Tensor, " k"]
    epochs: Float[Tensor, " k"]
    """Epochs that each member was asked for."""

    @property
    def epoch(self) -> Float[Tensor, " k"]:
        """Epochs that each member has finished."""
        return (self.steps // self.steps_per_epoch).float()

    @property
    def real(self) -> Tensor:
        """Where there is a row (k x b), and no filling."""
        return self.weight > 0


@dataclass(frozen=True)
class Method:
    """The mathematics of one method. Equal methods can train as one stack.

    Weights are what Adam moves; constants are all else that losses and scores need: drawn from the
    seed (`fixed`), or learned from the rows before (`prepare`) or after (`finish`) training.
    """

    n_features: int

    # -- to be written by each method ----------------------------------------------------------

    @property
    def shapes(self) -> Shapes:
        """Of the weights of one member."""
        raise NotImplementedError

    def initial(self, streams: Streams) -> Tensors:
        """The weights a member starts from, by name, without the axis of members."""
        raise NotImplementedError

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        """One loss a row, differentiable by the weights."""
        raise NotImplementedError

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b"]:
        """Every member's score of each row, higher = stranger, from that row alone."""
        raise NotImplementedError

    def differentiate(
        self, weights: Tensors, gradients: Tensors, constants: Tensors, batch: Batch
    ) -> Float[Tensor, " k"]:
        """Write the gradients of the members' weighted losses, and return those losses.

        A method that knows its derivatives may do so itself: autograd costs more than the products
        of a small network.
        """
        with torch.enable_grad():
            losses = (self.losses(weights, constants, batch) * batch.weight).sum(1)
            found = torch.autograd.grad(losses.sum(), list(weights.values()))
        torch._foreach_copy_(list(gradients.values()), found)
        return losses.detach()

    @property
    def cells_per_row(self) -> int:
        """About how many numbers a member holds at once for one row: decides sizes of blocks."""
        raise NotImplementedError

    # -- with defaults -------------------------------------------------------------------------

    def fixed(self, streams: Streams, device: torch.device) -> Tensors:
        """A member's constants that follow from its seed alone; not saved, but drawn again."""
        return {}

    def prepare(self, weights: Tensors, constants: Tensors, rows: RowSource) -> Tensors:
        """Constants learned from the rows under the initial weights."""
        return {}

    def finish(self, weights: Tensors, constants: Tensors, rows: RowSource) -> Tensors:
        """Constants learned from the rows under the trained weights, for scoring."""
        return {}

    def ready(self, weights: Tensors, constants: Tensors) -> Tensors:
        """What scoring needs besides: made of the others, so not saved, but made again."""
        return {}

    @property
    def ready_cells(self) -> int:
        """About how many numbers `ready` gives for one member."""
        return 0

    @property
    def width(self) -> int:
        """Numbers of a row as training sees it."""
        return self.n_features

    def lift(self, fixed: Tensors, rows: Float[Tensor, "n d"]) -> Float[Tensor, "n width"]:
        """A row as training sees it, under one member's fixed constants."""
        return rows

    def draw(self, generator: torch.Generator, batch_size: int) -> Tensors:
        """Random numbers for one visit of `batch_size` rows: b x whatever."""
        return {}

    @property
    def has_draws(self) -> bool:
        """Whether `draw` gives anything: then rows are visited through a window."""
        return type(self).draw is not Method.draw

    @property
    def scoring_shapes(self) -> Shapes:
        """Of the weights that scores need, a leading part of `shapes`; the rest is not kept."""
        return self.shapes

    @property
    def n_weights(self) -> int:
        return sum(prod(shape) for shape in self.shapes.values())

    def flat(self, streams: Streams) -> Float[Tensor, " size"]:
        """The initial weights in one tensor, in the order of `shapes`."""
        initial = self.initial(streams)
        return torch.cat([initial[name].reshape(-1) for name in self.shapes])


@dataclass(frozen=True)
class NetworkMethod(Method):
    """A method of one perceptron."""

    network: MLP

    @property
    def shapes(self) -> Shapes:
        return self.network.shapes

    def initial(self, streams: Streams) -> Tensors:
        return self.network.initial(streams)

    @property
    def cells_per_row(self) -> int:
        return sum(self.network.sizes)

    def approach(
        self,
        weights: Tensors,
        gradients: Tensors,
        rows: Float[Tensor, "k b d"],
        target: Tensor,
        weight: Float[Tensor, "k b"],
    ) -> Float[Tensor, " k"]:
        """Write the gradients of the outputs' weighted squared distances from a target, and return
        the sums of these."""
        inputs = self.network.inputs(weights, rows)
        away = inputs[-1].sub_(target)
        slopes = away * weight.unsqueeze(-1)
        losses: Tensor = torch.linalg.vecdot(away, slopes).sum(1)
        self.network.backward(weights, gradients, inputs, slopes.mul_(2))
        return losses
