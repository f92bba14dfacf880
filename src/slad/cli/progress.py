"""Progress messages and warnings on stderr, and how long each step takes."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from slad.core.errors import TrainingWarning


class Steps:
    """Prints one line for each step, unless `quiet`, and times it."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.seconds: dict[str, float] = {}

    @property
    def verbose(self) -> bool:
        """Whether training may show a line that it updates: only on a terminal."""
        return not self.quiet and sys.stderr.isatty()

    @contextmanager
    def __call__(self, name: str, text: str) -> Iterator[None]:
        self.say(text)
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def say(self, text: str) -> None:
        if not self.quiet:
            warn(text)


def warn(text: str) -> None:
    """Print a line even with `--quiet`."""
    print(f"slad: {text}", file=sys.stderr, flush=True)


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print each warning as one line.

    In a notebook, the first Ctrl-C stops training early with a warning and keeps the model so
    far. On the command line it stops the command.
    """

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if isinstance(message, TrainingWarning) and "interrupted" in str(message):
            raise KeyboardInterrupt
        warn(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", TrainingWarning)
        warnings.showwarning = show
        yield
