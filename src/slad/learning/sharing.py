"""Training that several processes do together, each on its own part of every batch."""

from __future__ import annotations

from torch import Tensor


class Share:
    """The part of one process; this one does everything alone."""

    rank = 0
    world = 1

    def total(self, *tensors: Tensor) -> None:
        """Replace each tensor by its sum over all processes."""

    def part(self, count: int) -> int:
        """How many of `count` things fall to this process: over all of them, they add up."""
        return count // self.world + (self.rank < count % self.world)


ALONE = Share()
