"""One line on a terminal: how much of a long piece of work is done, and how long the rest takes."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self, TextIO

PAUSE = 0.2
"""Seconds between two looks of the line."""
ERASED = "\r\033[K"


class Progress:
    """Counts what is done of a total; the line is there from the start and erased at the end.

    >>> with Progress("rows judged", 300, shown=False) as progress:
    ...     progress.advance(100)
    >>> progress.text()
    '100 of 300 rows judged'
    """

    def __init__(self, what: str, total: int, *, shown: bool, stream: TextIO | None = None) -> None:
        self.what, self.total, self.shown = what, total, shown
        self.stream = stream or sys.stderr
        self.done = 0
        self._begun = self._written = 0.0

    def __enter__(self) -> Self:
        self._begun = time.monotonic()
        self._write(now=self._begun)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.shown:
            self.stream.write(ERASED)
            self.stream.flush()

    def advance(self, count: int) -> None:
        self.done += count
        now = time.monotonic()
        if now - self._written >= PAUSE:
            self._write(now)

    def text(self, seconds: float | None = None) -> str:
        """What the line says after so many seconds of work."""
        said = f"{self.done:,} of {self.total:,} {self.what}"
        if seconds is None or not self.done:
            return said
        left = round(seconds * (self.total - self.done) / self.done)
        minutes, rest = divmod(left, 60)
        return f"{said}, {f'{minutes} min ' if minutes else ''}{rest} s left"

    def _write(self, now: float) -> None:
        self._written = now
        if self.shown:
            self.stream.write(f"{ERASED}slad: {self.text(now - self._begun)}")
            self.stream.flush()
