"""What the training loop needs to know of a stack: the `Objective` protocol."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from slad.core.typing import Float, Int
from slad.learning.parameters import ParameterStack


class Objective(Protocol):
    """A stack of members, their samples and the loss they minimise.

    The loop chooses the samples of every step. The objective holds samples in a bank and computes
    gradients. Members are sorted by the length of their training, the longest first.
    """

    parameters: ParameterStack
    n_samples: list[int]
    """Number of training samples of each member."""
    window: int | None
    """Samples of a member that the bank holds at a time; None if it always holds all."""

    def load(self, member: int, start: int, samples: Int[Tensor, " k"]) -> None:
        """Put a member's `samples` into places `start`, `start + 1`, ... of the bank."""

    def step(self, where: Int[Tensor, "k b"], weight: Float[Tensor, "k b"]) -> Float[Tensor, " k"]:
        """Write the gradients of the first k members' weighted losses over the samples at the
        places `where`, and return those losses."""
        ...
