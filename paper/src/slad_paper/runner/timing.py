"""For timings: made-up tables, seconds that wait for a GPU, and an end to what takes too long."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np
import torch


def rows_like(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Correlated normal rows in [0, 1], and rows whose columns do not belong together."""
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(max(1, d // 2), d)).astype(np.float32) / d**0.5
    normal = rng.normal(size=(n, len(mixing))).astype(np.float32) @ mixing
    normal += 0.1 * rng.normal(size=(n, d)).astype(np.float32)
    odd = rng.permuted(normal[: n // 10], axis=0) * np.float32(1.5)
    low, high = normal.min(axis=0), normal.max(axis=0)  # DeepOD leaves scaling to its user
    return (normal - low) / (high - low), (odd - low) / (high - low)


def seconds(work: Callable[[], Any], device: torch.device) -> float:
    """How long some work takes, to the end of what it started on a GPU."""
    if device.type == "cuda":
        torch.cuda.synchronize()
    start = time.perf_counter()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start


@contextmanager
def cut_off(after: float) -> Iterator[None]:
    """A TimeoutError in the block once it has taken so many seconds.

    It comes between two lines of Python. Only the main thread of a Unix system has such a clock;
    elsewhere the block takes as long as it takes.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"cut off after {after:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, after)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
