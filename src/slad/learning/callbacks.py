"""What may look at training while it runs: progress, early stop, snapshots, interrupt."""

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
    """Where training stands after a run of steps."""

    step: int
    """Steps done, of `total` for the member that trains longest."""
    total: int
    losses: list[list[float]]
    """Mean loss of every finished epoch, for each member."""
    active: list[int]
    """Members that still train."""
    weights: Float[Tensor, "m size"]
    """Of all members, as they are now: the next step overwrites them, so copy what is kept."""
    state: Callable[[], State] = lambda: State({}, {})
    """All that a training in stream order goes on from, as JSON values and arrays."""


class Callback:
    """Base that does nothing. `each_epoch` asks to be called at every member's epoch end."""

    each_epoch = False

    def start(self, n_members: int) -> None:
        """Training begins."""

    def update(self, report: Report) -> set[int]:
        """Look at the state; the members returned stop here."""
        return set()

    def keep(self, report: Report) -> None:
        """Called last: what ends here has ended, and `report.state()` is whole."""

    def finish(self) -> None:
        """Training ended, in whatever way."""

    def stop_now(self) -> bool:
        """Asked before every step: should everything stop?"""
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

    Looking changes nothing: batches are the same however often training pauses.
    """

    each_epoch = True

    def __init__(self) -> None:
        self.weights: list[list[Float[Tensor, " size"]]] = []
        """A list for each member of the stack, in its order: the longest training first."""

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
    """The first Ctrl-C ends training after the step at hand and keeps the model so far.

    A second Ctrl-C interrupts as usual. Only the main thread can receive signals; elsewhere this
    does nothing.
    """

    def __init__(self) -> None:
        self.asked = False
        self._previous: Any = None

    def start(self, n_members: int) -> None:
        if threading.current_thread() is threading.main_thread():
            self._previous = signal.getsignal(signal.SIGINT)
            if self._previous is not None:  # else a handler from outside Python, left alone
                signal.signal(signal.SIGINT, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        self.finish()

    def stop_now(self) -> bool:
        return self.asked

    def finish(self) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
            self._previous = None
