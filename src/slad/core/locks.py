"""Locks that let one process at a time use a file or folder. A dead process holds no lock."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from slad.core.errors import ConfigError

if sys.platform == "win32":
    import msvcrt
    import time

    def _lock(handle: IO[bytes], wait: bool) -> None:
        while True:
            try:
                return msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait:
                    raise BlockingIOError from error
            time.sleep(0.1)
else:
    import fcntl

    def _lock(handle: IO[bytes], wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


@contextmanager
def locked(target: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold the lock of `target`. BlockingIOError if it is taken and `wait` is False."""
    path = target.with_name(f".{target.name}.lock")
    handle = _held(path, wait)
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no open file
            path.unlink()
        handle.close()


@contextmanager
def held_alone(target: Path, way_out: str) -> Iterator[None]:
    """Hold the lock of `target`, or raise an error that ends with `way_out`."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(target, wait=False))
        except BlockingIOError as error:
            raise ConfigError(
                f"another job is writing to {target}: wait for it, or {way_out}"
            ) from error
        yield


def _held(path: Path, wait: bool) -> IO[bytes]:
    while True:
        handle = open(path, "ab")  # noqa: SIM115
        try:
            _lock(handle, wait)
        except BlockingIOError:
            handle.close()
            raise
        # If the previous holder has removed the file, this lock is on one that nobody else sees.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle.fileno()), path.stat()):
                return handle
        handle.close()
