"""The only training loop: draws batches, runs steps of the whole stack, and ends members."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from slad.core.errors import TrainingError
from slad.core.state import State
from slad.core.typing import Float, Int
from slad.learning.callbacks import Callback, Report
from slad.learning.history import History
from slad.learning.objective import Objective
from slad.learning.optimizer import StackAdam, StackOptimizer
from slad.learning.schedule import BatchSchedule, StreamSchedule
from slad.learning.sharing import ALONE, Share
from slad.learning.steps import make_stepper

BATCHES_AHEAD = 2**22
"""Places of samples drawn in advance, of all members: 32 MB."""


@dataclass(frozen=True)
class MemberPlan:
    """How one member of the stack trains."""

    epochs: int
    learning_rate: float
    weight_decay: float
    generator: torch.Generator


@dataclass(frozen=True)
class Stream:
    """Training in the order in which samples come, shuffled before, in one or several processes."""

    share: Share = ALONE
    resume: State | None = None
    """The state of a `Report` from which training goes on."""


@dataclass(frozen=True)
class MemberResult:
    """The result of training one member."""

    weights: Float[Tensor, " size"]
    losses: list[float]
    """Mean loss of every epoch; the last epoch may be unfinished."""
    began: float
    ended: float
    """Mean losses of the first and of the last tenth of the steps. With several epochs, each is
    over at least one whole epoch, because whole epochs have the same samples."""
    steps: int
    interrupted: bool


def train(
    objective: Objective,
    plans: Sequence[MemberPlan],
    *,
    batch_size: int,
    callbacks: Sequence[Callback] = (),
    optimizer: type[StackOptimizer] = StackAdam,
    stream: Stream | None = None,
) -> list[MemberResult]:
    """Train every member of the stack to the end of its plan, or until a callback stops it.

    Batches are drawn at random, or taken in their order with `stream`.
    """
    run = _Run(objective, plans, batch_size, callbacks, optimizer, stream)
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
    """One call of `train`."""

    def __init__(
        self,
        objective: Objective,
        plans: Sequence[MemberPlan],
        batch_size: int,
        callbacks: Sequence[Callback],
        optimizer: type[StackOptimizer],
        stream: Stream | None,
    ) -> None:
        self.objective, self.plans, self.callbacks = objective, plans, callbacks
        self.batch_size = batch_size
        self.device = objective.parameters.values.device
        share = ALONE if stream is None else stream.share
        self.schedules: list[BatchSchedule | StreamSchedule] = [
            BatchSchedule(samples, batch_size, plan.generator)
            if stream is None
            else StreamSchedule(samples, batch_size, share, self.device)
            for samples, plan in zip(objective.n_samples, plans, strict=True)
        ]
        self.ends = [
            plan.epochs * schedule.steps_per_epoch
            for plan, schedule in zip(plans, self.schedules, strict=True)
        ]
        self.total = max(self.ends)
        self.done = 0
        self.interrupted = False
        self.history = [History(schedule.steps_per_epoch) for schedule in self.schedules]
        self.finished: dict[int, Tensor] = {}
        settings = [(plan.learning_rate, plan.weight_decay) for plan in plans]
        self.optimizer = optimizer(objective.parameters, settings)
        self.stepper = make_stepper(objective, self.optimizer, share)
        if stream is not None and stream.resume is not None:
            self._resume(stream.resume)

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
        """Steps to the next end of a member, or of an epoch if a callback needs it."""
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
        losses = self.stepper.run(where, weight, self._should_stop)
        self.interrupted = len(losses) < steps
        self._record(losses)

    def _places(self, member: int, samples: Int[Tensor, "t b"]) -> Int[Tensor, "t b"]:
        """Where the bank holds the samples. With a window, they are loaded first, in order."""
        if self.objective.window is None:
            return samples + _starts(self.objective.n_samples)[member]
        start = member * self.objective.window
        if member not in self.finished:
            self.objective.load(member, start, samples.reshape(-1))
        return torch.arange(start, start + samples.numel(), device=self.device).view_as(samples)

    def _should_stop(self) -> bool:
        return any(callback.stop_now() for callback in self.callbacks)

    def _record(self, losses: Float[Tensor, "t k"]) -> None:
        self.done += len(losses)
        by_member = losses.T.tolist()
        for member in self.active:
            self.history[member].extend(by_member[member])
            if not all(map(math.isfinite, by_member[member][-1:])):
                raise TrainingError(
                    f"the loss became {by_member[member][-1]} by step {self.done}: use a learning "
                    f"rate below {self.plans[member].learning_rate}, or another scaling"
                )
        epochs = [history.epochs for history in self.history]
        weights = self.objective.parameters.values
        report = Report(self.done, self.total, epochs, self.active, weights, self.state)
        stopped: set[int] = set()
        for callback in self.callbacks if len(losses) else ():
            stopped |= callback.update(report)
        for member in report.active:
            if member in stopped or self.interrupted or self.done >= self.ends[member]:
                self.finished[member] = self.objective.parameters.values[member].clone()
        for callback in self.callbacks if len(losses) else ():
            callback.keep(report)

    def state(self) -> State:
        """What the next steps depend on, except for the samples."""
        histories = [history.state() for history in self.history]
        arrays = {f"history.{at}": each.arrays["losses"] for at, each in enumerate(histories)}
        for at, tensor in enumerate([self.optimizer.steps, *self.optimizer.kept]):
            arrays[f"optimizer.{at}"] = tensor.cpu().numpy().copy()
        for member, weights in self.finished.items():
            arrays[f"finished.{member}"] = weights.cpu().numpy()
        values = {"step": self.done, "history": [each.values for each in histories]}
        return State(values, arrays)

    def _resume(self, state: State) -> None:
        """Go on from the `state` of an earlier run of the same training."""
        values, arrays = state
        self.done = values["step"]
        for at, tensor in enumerate([self.optimizer.steps, *self.optimizer.kept]):
            tensor.copy_(torch.from_numpy(arrays[f"optimizer.{at}"]).view(tensor.shape))
        for at, schedule in enumerate(self.schedules):
            history = State(values["history"][at], {"losses": arrays[f"history.{at}"]})
            self.history[at] = History.from_state(history, steps_per_epoch=schedule.steps_per_epoch)
            if isinstance(schedule, StreamSchedule):
                schedule.skip(self.done)
            if f"finished.{at}" in arrays:
                self.finished[at] = torch.from_numpy(arrays[f"finished.{at}"]).to(self.device)

    def results(self) -> list[MemberResult]:
        return [
            MemberResult(
                weights=self.finished[member],
                losses=history.epochs + history.unfinished_epoch,
                began=history.began,
                ended=history.ended,
                steps=history.steps,
                interrupted=self.interrupted and history.steps < self.ends[member],
            )
            for member, history in enumerate(self.history)
        ]


def _starts(sizes: Sequence[int]) -> list[int]:
    return [sum(sizes[:member]) for member in range(len(sizes))]
