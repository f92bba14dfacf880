"""A cluster at work, event by event: workers, a store that they share, tasks of unequal luck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slad.core.seeds import Streams


@dataclass(frozen=True)
class Assumptions:
    """What is assumed of a cluster, not measured."""

    store_gb_per_s: float = 5.0
    """All readers together get this much of the object store, ..."""
    reader_mb_per_s: float = 100.0
    """... and one reader never more than this."""
    first_byte_seconds: float = 0.05
    """Before a file's first byte comes."""
    task_seconds: float = 0.1
    """An engine's work to hand a task out and to take its result."""
    start_seconds: float = 20.0
    """Until workers are there, with the model loaded."""
    spread: float = 0.2
    """Tasks differ by a log-normal factor with this deviation of its logarithm."""
    straggler_share: float = 0.01
    """So many tasks fall on a machine that is in trouble, ..."""
    straggler_factor: float = 5.0
    """... and take this many times as long."""


@dataclass(frozen=True)
class Load:
    """A job as a cluster sees it: equal tasks, for equal workers."""

    tasks: int
    workers: int
    bytes_a_task: float
    """Read from the store and written to it."""
    convert_seconds: float
    score_seconds: float


@dataclass(frozen=True)
class Outcome:
    """How a job went, and what the workers' time went into; the shares add up to 1."""

    seconds: float
    store: float
    """Waiting for the store."""
    convert: float
    """Parquet to Arrow to the model's rows, and scores back."""
    score: float
    engine: float
    """Tasks handed out and taken back."""
    idle: float
    """Nothing to do: before the start, and at the end while others still work."""


def simulate(load: Load, assumptions: Assumptions, seed: int = 0) -> Outcome:
    """Free workers take the next task: it comes from the store, is converted and scored.

    Readers share the store equally, so every reader that comes or goes changes the pace of all
    others. Nothing is read ahead.
    """
    luck = _luck(load.tasks, assumptions, seed)
    work = luck * (load.convert_seconds + load.score_seconds) + assumptions.task_seconds
    workers = min(load.workers, load.tasks)
    left = np.full(workers, load.bytes_a_task)  # bytes to come, of workers that read
    until = np.full(workers, np.inf)  # the end of the work, of workers that have their rows
    begun = np.arange(workers)  # the task that a worker is at
    following, now, waited = workers, 0.0, 0.0
    while np.isfinite(left).any() or np.isfinite(until).any():
        reading = np.isfinite(left)
        pace = _pace(int(reading.sum()), assumptions)
        at = int(np.argmin(np.where(reading, now + left / pace, until)))
        event = float(now + left[at] / pace if reading[at] else until[at])
        left[reading] -= pace * (event - now)
        waited += int(reading.sum()) * (event - now)
        now = event
        if reading[at]:
            left[at] = np.inf
            until[at] = now + assumptions.first_byte_seconds + work[begun[at]]
        else:
            until[at] = np.inf
            if following < load.tasks:
                left[at], begun[at] = load.bytes_a_task, following
                following += 1
    return _outcome(load, assumptions, assumptions.start_seconds + now, waited, float(luck.sum()))


def _luck(tasks: int, assumptions: Assumptions, seed: int) -> np.ndarray:
    """How many times as long as planned each task takes."""
    rng = Streams(seed).numpy("stragglers")
    factor = np.exp(rng.normal(0, assumptions.spread, tasks))
    slow = rng.random(tasks) < assumptions.straggler_share
    return np.where(slow, factor * assumptions.straggler_factor, factor)


def _pace(readers: int, assumptions: Assumptions) -> float:
    """Bytes a second for one of so many readers."""
    shared = assumptions.store_gb_per_s * 1e9 / max(readers, 1)
    return min(assumptions.reader_mb_per_s * 1e6, shared)


def _outcome(
    load: Load, assumptions: Assumptions, seconds: float, waited: float, luck: float
) -> Outcome:
    whole = load.workers * seconds
    parts = {
        "store": waited + load.tasks * assumptions.first_byte_seconds,
        "convert": luck * load.convert_seconds,
        "score": luck * load.score_seconds,
        "engine": load.tasks * assumptions.task_seconds,
    }
    shares = {name: part / whole for name, part in parts.items()}
    return Outcome(seconds, **shares, idle=1 - sum(shares.values()))
