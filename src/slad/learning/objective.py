"""What a deep detector says about itself to be trained."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from slad.core.typing import Float, Int
from slad.learning.parameters import ParameterStack


class Objective(Protocol):
    """A stack of members, their samples and the loss they minimise.

    The engine decides which samples come when; the objective holds them in a bank and knows the
    gradients. Members are ordered so that those that train longest come first.
    """

    parameters: ParameterStack
    n_samples: list[int]
    """Training samples of each member."""
    window: int | None
    """Samples a member the bank holds at a time; None when it holds all of them throughout."""

    def load(self, member: int, start: int, samples: Int[Tensor, " k"]) -> None:
        """Put a member's `samples` into places `start`, `start + 1`, ... of the bank."""

    def step(self, where: Int[Tensor, "k b"], weight: Float[Tensor, "k b"]) -> Float[Tensor, " k"]:
        """Write the gradients of the first k members' weighted losses over the samples at the
        places `where`, and return those losses."""
        ...
