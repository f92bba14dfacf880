"""Callbacks of the training loop: progress, early stop, snapshots, interrupt."""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any, TextIO

from torch import Tensor

from slad.core.state import State
from slad.core.typing import Float


@dataclass(frozen=True)
class Report:
    """The state of training after some steps."""

    step: int
    """Steps done; `total` is the number of the member that trains longest."""
    total: int
    losses: list[list[float]]
    """Mean loss of every finished epoch, for each member."""
    active: list[int]
    """Members that are still training."""
    weights: Float[Tensor, "m size"]
    """The current weights of all members. Copy them to keep them: the next step overwrites them."""
    state: Callable[[], State] = lambda: State({}, {})
    """The state from which a training in stream order can go on."""


class Callback:
    """Base that does nothing."""

    each_epoch = False
    """Whether `update` is called at the end of every epoch of every member."""

    def start(self, n_members: int) -> None:
        """Called before training."""

    def update(self, report: Report) -> set[int]:
        """Called after some steps. The returned members stop training."""
        return set()

    def keep(self, report: Report) -> None:
        """Called after all updates, when members have stopped and `report.state()` is complete."""

    def finish(self) -> None:
        """Called after training, also if it failed."""

    def stop_now(self) -> bool:
        """Called before every step; training stops if this is true."""
        return False


class EarlyStop(Callback):
    """Stops a member whose loss has not fallen by `tolerance` (relative) for `patience` epochs."""

    each_epoch = True

    def __init__(self, patience: int, tolerance: float = 1e-3) -> None:
        self.patience, self.tolerance = patience, tolerance

    def update(self, report: Report) -> set[int]:
        return {member for member in report.active if self._plateau(report.losses[member])}

    def _plateau(self, losses: list[float]) -> bool:
        if len(losses) <= self.patience:
            return False
        before = min(losses[: -self.patience])
        return min(losses[-self.patience :]) >= before * (1 - self.tolerance)


class Snapshots(Callback):
    """Keeps the weights of every member at the end of each of its epochs.

    This does not change the training: batches do not depend on how often it pauses.
    """

    each_epoch = True

    def __init__(self) -> None:
        self.weights: list[list[Float[Tensor, " size"]]] = []
        """One list for each member of the stack, the longest training first."""

    def start(self, n_members: int) -> None:
        self.weights = [[] for _ in range(n_members)]

    def update(self, report: Report) -> set[int]:
        for member in report.active:
            if len(report.losses[member]) > len(self.weights[member]):
                self.weights[member].append(report.weights[member].clone())
        return set()


class Progress(Callback):
    """One line on stderr: share done, loss, time left."""

    def __init__(self, stream: TextIO | None = None, every: float = 0.2) -> None:
        self.stream, self.every = stream, every

    def start(self, n_members: int) -> None:
        self.began = self.shown = time.monotonic()
        self.n_members = n_members

    def update(self, report: Report) -> set[int]:
        now = time.monotonic()
        if now - self.shown >= self.every or report.step == report.total:
            self.shown = now
            left = (now - self.began) * (report.total - report.step) / report.step
            last = [losses[-1] for losses in report.losses if losses]
            loss = f"loss {math.fsum(last) / len(last):.4g}" if last else ""
            models = f"{self.n_members} models, " if self.n_members > 1 else ""
            share = f"{report.step / report.total:4.0%}"
            self._write(f"\rslad: {models}training {share} {loss}, {left:.0f} s left    ")
        return set()

    def finish(self) -> None:
        self._write("\n")

    def _write(self, text: str) -> None:
        stream = self.stream or sys.stderr
        stream.write(text)
        stream.flush()


class Interrupt(Callback):
    """Ctrl-C ends training after the current step and keeps the model so far.

    A second Ctrl-C interrupts as usual. In other threads than the main one, which receive no
    signals, this does nothing.
    """

    def __init__(self) -> None:
        self.interrupted = False
        self._previous: Any = None

    def start(self, n_members: int) -> None:
        if threading.current_thread() is threading.main_thread():
            self._previous = signal.getsignal(signal.SIGINT)
            if self._previous is not None:  # else the handler is not Python's
                signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.interrupted = True
        self.finish()

    def stop_now(self) -> bool:
        return self.interrupted

    def finish(self) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
            self._previous = None
