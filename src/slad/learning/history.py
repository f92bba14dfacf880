"""The losses of a member over its training, in memory that does not grow with the steps."""

from __future__ import annotations

import math
from typing import Self

import numpy as np

from slad.core.state import State

MOST_KEPT = 2**17
"""Losses kept one by one. Of longer trainings, means over equally many steps are kept."""


class History:
    """Losses of steps and their means over epochs."""

    def __init__(self, steps_per_epoch: int) -> None:
        self.steps_per_epoch = steps_per_epoch
        self.steps = 0
        self.epochs: list[float] = []
        self._kept: list[float] = []
        self._stride = 1
        """Number of steps that each kept loss is the mean of."""
        self._waiting: list[float] = []
        """The latest losses, fewer than a stride."""
        self._current: list[float] = []
        self._folded = (0.0, 0)
        """Sum and number of the losses of the current epoch that are no longer in `_current`."""

    def extend(self, losses: list[float]) -> None:
        self.steps += len(losses)
        self._keep(losses)
        for loss in losses:
            self._current.append(loss)
            if self._folded[1] + len(self._current) == self.steps_per_epoch:
                self.epochs.append(self._mean_of_epoch())
                self._current, self._folded = [], (0.0, 0)
            elif len(self._current) == MOST_KEPT:
                total = math.fsum([self._folded[0], *self._current])
                self._current, self._folded = [], (total, self._folded[1] + MOST_KEPT)

    def _mean_of_epoch(self) -> float:
        total, count = self._folded
        return math.fsum([total, *self._current]) / (count + len(self._current))

    def _keep(self, losses: list[float]) -> None:
        self._waiting += losses
        while len(self._waiting) >= self._stride:
            whole = len(self._waiting) // self._stride * self._stride
            self._kept += _means(self._waiting[:whole], self._stride)
            self._waiting = self._waiting[whole:]
            while len(self._kept) > MOST_KEPT:
                if len(self._kept) % 2:
                    self._waiting[:0] = [self._kept.pop()] * self._stride
                self._kept = _means(self._kept, 2)
                self._stride *= 2

    @property
    def tenth(self) -> int:
        """A tenth of the steps, in whole epochs if there are at least two."""
        epoch = self.steps_per_epoch if self.steps >= 2 * self.steps_per_epoch else 1
        return max(-(-self.steps // 10) // epoch * epoch, epoch)

    @property
    def began(self) -> float:
        """The mean loss of the first tenth of the steps."""
        return self._mean(slice(None, max(1, self.tenth // self._stride)))

    @property
    def ended(self) -> float:
        """The mean loss of the last tenth."""
        return self._mean(slice(-max(1, self.tenth // self._stride), None))

    def _mean(self, part: slice) -> float:
        chosen = self._kept[part]
        return math.fsum(chosen) / len(chosen) if chosen else math.nan

    @property
    def unfinished_epoch(self) -> list[float]:
        return [self._mean_of_epoch()] if self._current or self._folded[1] else []

    def state(self) -> State:
        values = {
            "steps": self.steps,
            "epochs": self.epochs.copy(),
            "stride": self._stride,
            "folded": list(self._folded),
            "sizes": [len(self._kept), len(self._waiting)],
        }
        losses = np.array([*self._kept, *self._waiting, *self._current])
        return State(values, {"losses": losses})

    @classmethod
    def from_state(cls, state: State, *, steps_per_epoch: int) -> Self:
        values, losses = state.values, state.arrays["losses"]
        made = cls(steps_per_epoch)
        made.steps, made.epochs, made._stride = (
            values[name] for name in ("steps", "epochs", "stride")
        )
        total, count = values["folded"]
        made._folded = (total, count)
        kept, waiting = values["sizes"]
        made._kept = losses[:kept].tolist()
        made._waiting = losses[kept : kept + waiting].tolist()
        made._current = losses[kept + waiting :].tolist()
        return made


def _means(values: list[float], of: int) -> list[float]:
    if of == 1:
        return values
    return [math.fsum(values[at : at + of]) / of for at in range(0, len(values), of)]
