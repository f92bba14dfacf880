"""Schedules: which samples a member trains on in each step."""

from __future__ import annotations

import torch
from torch import Tensor

from slad.core.errors import ConfigError
from slad.core.typing import Float, Int
from slad.learning.sharing import Share

FILL = -1
"""Stands for a missing sample in the last batch of an epoch of a stream."""


class BatchSchedule:
    """A member's endless stream of batches, drawn on the device from its own generator.

    Every epoch is a new permutation cut into batches. The last batch of an epoch is padded with
    samples of weight 0. The batches do not depend on how many a call of `take` returns, so a member
    trains on the same batches alone and in any stack.
    """

    def __init__(self, n_samples: int, batch_size: int, generator: torch.Generator) -> None:
        self.n_samples, self.batch_size, self.generator = n_samples, batch_size, generator
        self.steps_per_epoch = -(-n_samples // batch_size)
        device = generator.device
        padded = self.steps_per_epoch * batch_size
        self._fill = torch.zeros(padded - n_samples, dtype=torch.long, device=device)
        counts = torch.full((self.steps_per_epoch, 1), float(batch_size), device=device)
        counts[-1] = batch_size - len(self._fill)
        weights = torch.ones(padded, device=device)
        weights[n_samples:] = 0
        self._weights = weights.view(-1, batch_size) / counts
        self._batches = torch.empty(0, batch_size, dtype=torch.long, device=device)
        self._step = 0

    def take(self, steps: int) -> tuple[Int[Tensor, "t b"], Float[Tensor, "t b"]]:
        """Samples and weights of the next `steps` batches; weights of a batch add up to 1."""
        parts, missing = [self._batches], steps - len(self._batches)
        while missing > 0:
            epoch = torch.randperm(
                self.n_samples, generator=self.generator, device=self.generator.device
            )
            parts.append(torch.cat([epoch, self._fill]).view(-1, self.batch_size))
            missing -= self.steps_per_epoch
        batches = torch.cat(parts)
        self._batches = batches[steps:]
        within = torch.arange(self._step, self._step + steps, device=batches.device)
        self._step += steps
        return batches[:steps], self._weights[within % self.steps_per_epoch]


class StreamSchedule:
    """Samples 0, 1, 2, ... over all epochs, in the order in which they come; shuffled before.

    Processes that share the training do equally many steps, and each takes its part of every
    batch. So an epoch has the same length for all, however many samples a process has.
    """

    def __init__(
        self, n_samples: int, batch_size: int, share: Share, device: torch.device | str = "cpu"
    ) -> None:
        """`n_samples` and `batch_size` are those of all processes together."""
        if batch_size < share.world:
            raise ConfigError(
                f"{batch_size=}: {share.world} processes need a row each; use larger batches"
            )
        self.batch_size, self.device = batch_size, device
        self.steps_per_epoch = -(-n_samples // batch_size)
        self._last = n_samples - (self.steps_per_epoch - 1) * batch_size
        self._mine, self._mine_of_last = share.part(batch_size), share.part(self._last)
        self._step = 0

    @property
    def quota(self) -> int:
        """Samples of this process in an epoch."""
        return (self.steps_per_epoch - 1) * self._mine + self._mine_of_last

    def skip(self, steps: int) -> None:
        self._step += steps

    def take(self, steps: int) -> tuple[Int[Tensor, "t b"], Float[Tensor, "t b"]]:
        """Samples and weights of this process in the next `steps` batches.

        The weights of a batch add up to 1 over all processes.
        """
        step = torch.arange(self._step, self._step + steps, device=self.device)[:, None]
        self._step += steps
        epoch, within = step // self.steps_per_epoch, step % self.steps_per_epoch
        column = torch.arange(self._mine, device=self.device)
        last = within == self.steps_per_epoch - 1
        real = ~last | (column < self._mine_of_last)
        samples = epoch * self.quota + within * self._mine + column
        together = torch.where(last, self._last, self.batch_size)
        return samples.where(real, FILL), real / together
