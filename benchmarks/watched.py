"""A process with its descendants: the most memory that they had at once."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

EVERY = 0.05
"""Seconds between two looks."""
PAGE = os.sysconf("SC_PAGE_SIZE")


class PeakMemory:
    """The sum of resident memory over a tree of processes, at most, while this is open.

    Pages that processes share count once for each: Ray's object store, and what a fork left
    untouched. Between two looks a peak may pass unseen.
    """

    def __init__(self, pid: int) -> None:
        self.pid, self.megabytes = pid, 0.0
        self._done = threading.Event()
        self._looking = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._looking.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._looking.join()

    def _look(self) -> None:
        while True:
            self.megabytes = max(self.megabytes, resident(self.pid))
            if self._done.wait(EVERY):
                return


def resident(pid: int) -> float:
    """Megabytes of a process and all that it started, now."""
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # gone meanwhile
                continue
            parents[int(entry.name)], pages[int(entry.name)] = int(fields[1]), int(fields[21])
    tree: set[int] = set()
    found = {pid}
    while found:
        tree |= found
        found = {child for child, parent in parents.items() if parent in tree} - tree
    return sum(pages.get(each, 0) for each in tree) * PAGE / 2**20
