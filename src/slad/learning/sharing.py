"""Training shared by several processes, each with its own part of every batch."""

from __future__ import annotations

from torch import Tensor


class Share:
    """The part of one process. This base class is a single process that does everything."""

    rank = 0
    world = 1

    def total(self, *tensors: Tensor) -> None:
        """Replace each tensor by its sum over all processes."""

    def part(self, count: int) -> int:
        """How many of `count` samples this process takes. The parts of all sum to `count`."""
        return count // self.world + (self.rank < count % self.world)


ALONE = Share()
