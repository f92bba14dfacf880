"""The only training loop: it draws batches, runs steps of a whole stack, and ends members."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from slad.core.errors import TrainingError
from slad.core.typing import Float, Int
from slad.training.callbacks import Callback, Report
from slad.training.objective import Objective
from slad.training.optimizer import StackAdam, StackOptimizer
from slad.training.schedule import BatchSchedule
from slad.training.steps import make_stepper

BATCHES_AHEAD = 2**22
"""Sample places drawn ahead of training, over all members: 32 MB."""


@dataclass(frozen=True)
class MemberPlan:
    """How one member of the stack trains."""

    epochs: int
    learning_rate: float
    weight_decay: float
    generator: torch.Generator


@dataclass(frozen=True)
class MemberResult:
    """What came out for one member."""

    weights: Float[Tensor, " size"]
    losses: list[float]
    """Mean loss of every epoch, the last one perhaps unfinished."""
    began: float
    ended: float
    """Mean losses of the first and of the last tenth of the steps, at least of an epoch each
    where there are several: whole epochs see the same samples."""
    steps: int
    interrupted: bool


def train(
    objective: Objective,
    plans: Sequence[MemberPlan],
    *,
    batch_size: int,
    callbacks: Sequence[Callback] = (),
    optimizer: type[StackOptimizer] = StackAdam,
) -> list[MemberResult]:
    """Train every member of the stack to the end of its plan, or until a callback stops it."""
    run = _Run(objective, plans, batch_size, callbacks, optimizer)
    for callback in callbacks:
        callback.start(len(plans))
    try:
        with torch.no_grad():
            run.until_done()
    finally:
        for callback in callbacks:
            callback.finish()
    return run.results()


class _Run:
    """State of one call of `train`."""

    def __init__(
        self,
        objective: Objective,
        plans: Sequence[MemberPlan],
        batch_size: int,
        callbacks: Sequence[Callback],
        optimizer: type[StackOptimizer],
    ) -> None:
        self.objective, self.plans, self.callbacks = objective, plans, callbacks
        self.batch_size = batch_size
        self.device = objective.parameters.values.device
        self.schedules = [
            BatchSchedule(samples, batch_size, plan.generator)
            for samples, plan in zip(objective.n_samples, plans, strict=True)
        ]
        self.ends = [
            plan.epochs * schedule.steps_per_epoch
            for plan, schedule in zip(plans, self.schedules, strict=True)
        ]
        self.total = max(self.ends)
        self.done = 0
        self.interrupted = False
        self.history = [_History(schedule.steps_per_epoch) for schedule in self.schedules]
        self.finished: dict[int, Tensor] = {}
        settings = [(plan.learning_rate, plan.weight_decay) for plan in plans]
        self.stepper = make_stepper(objective, optimizer(objective.parameters, settings))

    def until_done(self) -> None:
        if self.objective.window is None:
            starts = _starts(self.objective.n_samples)
            for member, samples in enumerate(self.objective.n_samples):
                whole = torch.arange(samples, device=self.device)
                self.objective.load(member, starts[member], whole)
        while self.active and not self.interrupted:
            self._advance(self._steps_until_event())

    @property
    def active(self) -> list[int]:
        return [member for member in range(len(self.plans)) if member not in self.finished]

    def _steps_until_event(self) -> int:
        """Steps to the next end of a member, or of an epoch where a callback asks for that."""
        events = [self.ends[member] for member in self.active]
        if any(callback.each_epoch for callback in self.callbacks):
            lengths = [self.schedules[member].steps_per_epoch for member in self.active]
            events += [(self.done // length + 1) * length for length in lengths]
        ahead = BATCHES_AHEAD // (len(self.active) * self.batch_size)
        if self.objective.window is not None:
            ahead = min(ahead, self.objective.window // self.batch_size)
        return max(1, min(min(events) - self.done, ahead))

    def _advance(self, steps: int) -> None:
        k = self.stepper.prepare(max(self.active) + 1)
        drawn = [schedule.take(steps) for schedule in self.schedules[:k]]
        where = torch.stack([self._places(m, samples) for m, (samples, _) in enumerate(drawn)], 1)
        weight = torch.stack([weights for _, weights in drawn], 1)
        losses = self.stepper.run(where, weight, self._stop_asked)
        self.interrupted = len(losses) < steps
        self._record(losses)

    def _places(self, member: int, samples: Int[Tensor, "t b"]) -> Int[Tensor, "t b"]:
        """Where the bank holds the samples; with a window, load them first, in order."""
        if self.objective.window is None:
            return samples + _starts(self.objective.n_samples)[member]
        start = member * self.objective.window
        if member not in self.finished:
            self.objective.load(member, start, samples.reshape(-1))
        return torch.arange(start, start + samples.numel(), device=self.device).view_as(samples)

    def _stop_asked(self) -> bool:
        return any(callback.stop_now() for callback in self.callbacks)

    def _record(self, losses: Float[Tensor, "t k"]) -> None:
        self.done += len(losses)
        by_member = losses.T.tolist()
        for member in self.active:
            self.history[member].extend(by_member[member])
            if not all(map(math.isfinite, by_member[member][-1:])):
                raise TrainingError(
                    f"the loss became {by_member[member][-1]} by step {self.done}: lower the "
                    f"learning rate ({self.plans[member].learning_rate}), or scale the input"
                )
        epochs = [history.epochs for history in self.history]
        weights = self.objective.parameters.values
        report = Report(self.done, self.total, epochs, self.active, weights)
        stopped: set[int] = set()
        for callback in self.callbacks if len(losses) else ():
            stopped |= callback.update(report)
        for member in report.active:
            if member in stopped or self.interrupted or self.done >= self.ends[member]:
                self.finished[member] = self.objective.parameters.values[member].clone()

    def results(self) -> list[MemberResult]:
        return [
            MemberResult(
                weights=self.finished[member],
                losses=history.epochs + history.unfinished_epoch,
                began=history.mean(slice(None, history.tenth)),
                ended=history.mean(slice(-history.tenth, None)),
                steps=history.steps,
                interrupted=self.interrupted and history.steps < self.ends[member],
            )
            for member, history in enumerate(self.history)
        ]


class _History:
    """A member's losses, step by step, folded into means of epochs."""

    def __init__(self, steps_per_epoch: int) -> None:
        self.steps_per_epoch = steps_per_epoch
        self.steps = 0
        self.all: list[float] = []
        self.epochs: list[float] = []
        self._current: list[float] = []

    def extend(self, losses: list[float]) -> None:
        self.steps += len(losses)
        self.all += losses
        self._current += losses
        while len(self._current) >= self.steps_per_epoch:
            epoch = self._current[: self.steps_per_epoch]
            self._current = self._current[self.steps_per_epoch :]
            self.epochs.append(math.fsum(epoch) / len(epoch))

    @property
    def tenth(self) -> int:
        epoch = self.steps_per_epoch if self.steps >= 2 * self.steps_per_epoch else 1
        return max(-(-self.steps // 10) // epoch * epoch, epoch)

    def mean(self, steps: slice) -> float:
        chosen = self.all[steps]
        return math.fsum(chosen) / len(chosen) if chosen else math.nan

    @property
    def unfinished_epoch(self) -> list[float]:
        return [math.fsum(self._current) / len(self._current)] if self._current else []


def _starts(sizes: Sequence[int]) -> list[int]:
    return [sum(sizes[:member]) for member in range(len(sizes))]
