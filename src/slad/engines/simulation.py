"""Event simulation of a cluster: workers, a store that they share, tasks of random duration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slad.core.seeds import Streams


@dataclass(frozen=True)
class Assumptions:
    """What is assumed about a cluster and was not measured."""

    store_gb_per_s: float = 5.0
    """What all readers together get from the object store, ..."""
    reader_mb_per_s: float = 100.0
    """... and the most that one reader gets."""
    first_byte_seconds: float = 0.05
    """Until the first byte of a file arrives."""
    task_seconds: float = 0.1
    """What an engine needs to start a task and to take its result."""
    start_seconds: float = 20.0
    """Until the workers have started and loaded the model."""
    spread: float = 0.2
    """Standard deviation of the logarithm of the log-normal factor between tasks."""
    straggler_share: float = 0.01
    """The fraction of tasks on slow machines, ..."""
    straggler_factor: float = 5.0
    """... which take this many times as long."""


@dataclass(frozen=True)
class Load:
    """A job as a cluster sees it: equal tasks for equal workers."""

    tasks: int
    workers: int
    bytes_a_task: float
    """Read from the store and written to it."""
    convert_seconds: float
    score_seconds: float


@dataclass(frozen=True)
class Outcome:
    """How long a job took, and the fractions of the workers' time, which add up to 1."""

    seconds: float
    store: float
    """Waiting for the store."""
    convert: float
    """From Parquet to the rows of the model, and from scores to Parquet."""
    score: float
    engine: float
    """Starting tasks and taking their results."""
    idle: float
    """Before the start, and at the end while other workers still score."""


def simulate(load: Load, assumptions: Assumptions, seed: int = 0) -> Outcome:
    """Each free worker takes the next task, reads it from the store, converts and scores it.

    Readers share the store equally, so every reader that starts or ends changes the rate of all
    others. Nothing is read ahead.
    """
    slowness = _slowness(load.tasks, assumptions, seed)
    work = slowness * (load.convert_seconds + load.score_seconds) + assumptions.task_seconds
    workers = min(load.workers, load.tasks)
    left = np.full(workers, load.bytes_a_task)  # bytes to read, of workers that read
    until = np.full(workers, np.inf)  # end of the work, of workers that have their rows
    begun = np.arange(workers)  # the task of each worker
    following, now, waited = workers, 0.0, 0.0
    while np.isfinite(left).any() or np.isfinite(until).any():
        reading = np.isfinite(left)
        rate = _rate(int(reading.sum()), assumptions)
        at = int(np.argmin(np.where(reading, now + left / rate, until)))
        event = float(now + left[at] / rate if reading[at] else until[at])
        left[reading] -= rate * (event - now)
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
    return _outcome(
        load, assumptions, assumptions.start_seconds + now, waited, float(slowness.sum())
    )


def _slowness(tasks: int, assumptions: Assumptions, seed: int) -> np.ndarray:
    """How many times as long as its planned time each task takes."""
    rng = Streams(seed).numpy("stragglers")
    factor = np.exp(rng.normal(0, assumptions.spread, tasks))
    slow = rng.random(tasks) < assumptions.straggler_share
    return np.where(slow, factor * assumptions.straggler_factor, factor)


def _rate(readers: int, assumptions: Assumptions) -> float:
    """Bytes per second of one of `readers` readers."""
    shared = assumptions.store_gb_per_s * 1e9 / max(readers, 1)
    return min(assumptions.reader_mb_per_s * 1e6, shared)


def _outcome(
    load: Load, assumptions: Assumptions, seconds: float, waited: float, slowness: float
) -> Outcome:
    whole = load.workers * seconds
    parts = {
        "store": waited + load.tasks * assumptions.first_byte_seconds,
        "convert": slowness * load.convert_seconds,
        "score": slowness * load.score_seconds,
        "engine": load.tasks * assumptions.task_seconds,
    }
    shares = {name: part / whole for name, part in parts.items()}
    return Outcome(seconds, **shares, idle=1 - sum(shares.values()))
