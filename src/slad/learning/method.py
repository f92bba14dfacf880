"""The mathematics of a deep method. One objective (`rows_objective`) trains all methods."""

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
        """The rows with these numbers, dense, on the device."""
        ...

    def blocks(self, size: int) -> Iterator[Float[Tensor, "b d"]]:
        """All rows in order, dense, at most `size` at a time."""
        ...


@dataclass(frozen=True)
class Batch:
    """The rows that k members train on in one step."""

    rows: Float[Tensor, "k b width"]
    weight: Float[Tensor, "k b"]
    """Sums to 1 for each member; 0 at the places that pad the last batch of an epoch."""
    draws: Tensors
    """Random numbers of the method for these rows, new at every visit: k x b x any shape."""
    steps: Int[Tensor, ""]
    """Number of steps taken."""
    steps_per_epoch: Int[Tensor, " k"]
    epochs: Float[Tensor, " k"]
    """Number of epochs that each member trains."""

    @property
    def epoch(self) -> Float[Tensor, " k"]:
        """Number of epochs that each member has finished."""
        return (self.steps // self.steps_per_epoch).float()

    @property
    def real(self) -> Tensor:
        """Which places (k x b) hold a row and not padding."""
        return self.weight > 0


@dataclass(frozen=True)
class Method:
    """The mathematics of one method. Equal methods can train as one stack.

    Weights are changed by the optimiser. Constants are all other tensors that losses and scores
    need: drawn from the seed (`fixed`), or learned from the rows before training (`prepare`) or
    after it (`finish`).
    """

    n_features: int

    # -- to be written by each method ----------------------------------------------------------

    @property
    def shapes(self) -> Shapes:
        """Shapes of the weights of one member."""
        raise NotImplementedError

    def initial(self, streams: Streams) -> Tensors:
        """Initial weights of one member by name, without the axis of members."""
        raise NotImplementedError

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        """The loss of every row, differentiable with respect to the weights."""
        raise NotImplementedError

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b"]:
        """The score of each row by every member, higher = stranger. Depends on that row alone."""
        raise NotImplementedError

    def differentiate(
        self, weights: Tensors, gradients: Tensors, constants: Tensors, batch: Batch
    ) -> Float[Tensor, " k"]:
        """Write the gradients of the members' weighted losses, and return those losses.

        Methods may override this with derivatives of their own: for a small network autograd costs
        more than the matrix products.
        """
        with torch.enable_grad():
            losses = (self.losses(weights, constants, batch) * batch.weight).sum(1)
            found = torch.autograd.grad(losses.sum(), list(weights.values()))
        torch._foreach_copy_(list(gradients.values()), found)
        return losses.detach()

    @property
    def cells_per_row(self) -> int:
        """About how many numbers a member holds at a time for one row. Determines block sizes."""
        raise NotImplementedError

    # -- with defaults -------------------------------------------------------------------------

    def fixed(self, streams: Streams, device: torch.device) -> Tensors:
        """Constants of a member that follow from its seed. They are not saved but drawn again."""
        return {}

    def prepare(self, weights: Tensors, constants: Tensors, rows: RowSource) -> Tensors:
        """Constants learned from the rows under the initial weights."""
        return {}

    def finish(self, weights: Tensors, constants: Tensors, rows: RowSource) -> Tensors:
        """Constants learned from the rows under the trained weights, for scoring."""
        return {}

    def ready(self, weights: Tensors, constants: Tensors) -> Tensors:
        """Further tensors for scoring, made from the others. They are not saved but made again."""
        return {}

    @property
    def ready_cells(self) -> int:
        """About how many numbers `ready` returns for one member."""
        return 0

    @property
    def width(self) -> int:
        """Length of a row in training."""
        return self.n_features

    def lift(self, fixed: Tensors, rows: Float[Tensor, "n d"]) -> Float[Tensor, "n width"]:
        """Rows in the form used in training, given the fixed constants of a member."""
        return rows

    def draw(self, generator: torch.Generator, batch_size: int) -> Tensors:
        """Random numbers for one visit of `batch_size` rows: b x any shape."""
        return {}

    @property
    def has_draws(self) -> bool:
        """Whether `draw` returns anything. If so, rows are loaded in windows."""
        return type(self).draw is not Method.draw

    @property
    def scoring_shapes(self) -> Shapes:
        """Shapes of the weights needed for scores, the first of `shapes`; others are not kept."""
        return self.shapes

    @property
    def n_weights(self) -> int:
        return sum(prod(shape) for shape in self.shapes.values())

    def flat(self, streams: Streams) -> Float[Tensor, " size"]:
        """Initial weights in one tensor, in the order of `shapes`."""
        initial = self.initial(streams)
        return torch.cat([initial[name].reshape(-1) for name in self.shapes])


@dataclass(frozen=True)
class NetworkMethod(Method):
    """A method with one perceptron."""

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
        """Write the gradients of the weighted squared distances of the outputs from a target, and
        return the sums of these distances."""
        inputs = self.network.inputs(weights, rows)
        away = inputs[-1].sub_(target)
        slopes = away * weight.unsqueeze(-1)
        losses: Tensor = torch.linalg.vecdot(away, slopes).sum(1)
        self.network.backward(weights, gradients, inputs, slopes.mul_(2))
        return losses
