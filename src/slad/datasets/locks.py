"""One process at a time for one file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt
    import time

    def _lock(handle: IO[bytes]) -> None:
        while True:
            with suppress(OSError):  # it gives up after ten seconds
                return msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
            time.sleep(0.1)
else:
    import fcntl

    def _lock(handle: IO[bytes]) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """Wait until no other process holds `target`, and hold it. A process that dies lets go."""
    path = target.with_name(f".{target.name}.lock")
    handle = _held(path)
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no open file
            path.unlink()
        handle.close()


def _held(path: Path) -> IO[bytes]:
    while True:
        handle = open(path, "ab")  # noqa: SIM115
        _lock(handle)
        # Whoever held it before has removed it: this lock is on a file nobody else will see.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle.fileno()), path.stat()):
                return handle
        handle.close()
