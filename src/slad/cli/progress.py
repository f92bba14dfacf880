"""What a command says on stderr while it works, and how long each step took."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from slad.core.errors import TrainingWarning


class Steps:
    """One line a step; none with `quiet`."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.seconds: dict[str, float] = {}

    @property
    def verbose(self) -> bool:
        """Whether a line that changes as training goes on has somebody to look at it."""
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
    """A line that is there even with `--quiet`."""
    print(f"slad: {text}", file=sys.stderr, flush=True)


@contextmanager
def spoken_warnings() -> Iterator[None]:
    """Warnings as one line each.

    A first Ctrl-C ends a training early and keeps the model so far, with a warning: right in a
    notebook, but here it is to end the command.
    """

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if isinstance(message, TrainingWarning) and "interrupted" in str(message):
            raise KeyboardInterrupt
        warn(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", TrainingWarning)
        warnings.showwarning = show
        yield
