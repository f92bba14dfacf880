"""Which samples a member sees in which step: shuffled epochs, end to end."""

from __future__ import annotations

import torch
from torch import Tensor

from slad.core.typing import Float, Int


class BatchSchedule:
    """A member's endless stream of batches, drawn on the device from its own generator.

    Every epoch is a fresh permutation cut into batches; the last batch of an epoch is filled up
    with samples of weight 0. The stream is the same however it is cut into calls of `take`, so a
    member sees the same batches alone and in any stack.
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
