"""One line on stderr: how many runs or cases are done, and how long the rest will take."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import TextIO

from slad_paper.datasets import find
from slad_paper.runner.plan import Run


def effort(run: object) -> float:
    """A guess at how much there is to do, good for comparing runs of one detector.

    Small tables cost more than their size: networks take as many steps on them as on larger ones.
    All else counts the same.
    """
    if not isinstance(run, Run):
        return 1.0
    entry = find(run.dataset)
    rows = min(entry.rows, run.max_rows or entry.rows)
    return (rows + 5000.0) * (min(entry.features, 10_000) + 200)


class Line:
    """Progress of a plan. The time left comes from what runs of each detector took so far."""

    def __init__(self, work: Iterable[object], workers: int, stream: TextIO | None = None) -> None:
        self.left = list(work)
        self.total = len(self.left)
        self.noun = "runs"
        self.failed = 0
        self.workers = workers
        self.stream = stream or sys.stderr
        self.spent: dict[str, float] = defaultdict(float)
        self.worked: dict[str, float] = defaultdict(float)
        self.shown = 0.0

    def begin(self, recorded: int, noun: str = "runs") -> None:
        """Print how much there is to do, and how much was done before."""
        self.noun = noun
        before = f", {recorded} are recorded already" if recorded else ""
        self.stream.write(f"slad: {self.total} {self.noun} to do{before}\n")
        self.stream.flush()

    def done(self, work: object, seconds: float, failed: bool) -> None:
        self.left.remove(work)
        self.failed += failed
        self.spent[_pace_of(work)] += seconds
        self.worked[_pace_of(work)] += effort(work)
        terminal = self.stream.isatty()
        now = time.monotonic()
        if not self.left or now - self.shown >= (0.2 if terminal else 30):
            self.shown = now
            self._write(str(work), terminal)

    def seconds_left(self) -> float:
        """Of all that is left, at the pace of each detector, or of all where it is new."""
        everything = sum(self.spent.values()) / max(sum(self.worked.values()), 1.0)
        pace = {name: self.spent[name] / worked for name, worked in self.worked.items()}
        ahead = sum(effort(each) * pace.get(_pace_of(each), everything) for each in self.left)
        return ahead / self.workers

    def _write(self, what: str, terminal: bool) -> None:
        failed = f", {self.failed} failed" if self.failed else ""
        left = duration(self.seconds_left()) if self.left else "0 s"
        text = (
            f"slad: {self.total - len(self.left)} of {self.total} {self.noun}{failed}, {left} left"
        )
        if terminal:
            self.stream.write(f"\r{text}  {what}\x1b[K" + ("" if self.left else "\n"))
        else:
            self.stream.write(f"{text}\n")
        self.stream.flush()


def _pace_of(work: object) -> str:
    """What of the same name takes about the same time for the same effort."""
    return work.detector if isinstance(work, Run) else ""


def duration(seconds: float) -> str:
    """
    >>> duration(42), duration(130), duration(7260)
    ('42 s', '2 min 10 s', '2 h 1 min')
    """
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"
