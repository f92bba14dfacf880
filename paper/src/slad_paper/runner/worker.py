"""A process that carries out runs for the runner: `python -m slad_paper.runner.worker`.

It writes that it is ready, then reads units of runs from stdin, one line each, and writes one line
for each outcome to what was its stdout, all as JSON. It ends as soon as its stdin ends, for then
the runner is gone.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from slad.core.errors import ResourceError
from slad.detectors import Detector, fit_many
from slad_paper.datasets import Dataset, load
from slad_paper.datasets.protocol import Split, contaminated_split, half_normal_split
from slad_paper.runner.encoded_split import encoded
from slad_paper.runner.metrics import measure
from slad_paper.runner.plan import Run

READY = "ready"


def carry_out(unit: Sequence[Run], device: str = "auto") -> Iterator[dict[str, Any]]:
    """The outcome of every run, in order; runs of a unit of several are trained as one stack.

    If a stack fails, its halves are tried, and theirs, so that a failure is that of a run and most
    others still train together.
    """
    try:
        fitted: list[_Fitted] | None = _fit(unit, device)
    except Exception as error:
        fitted, failed = None, failure(f"{type(error).__name__}: {error}")
        if isinstance(error, ResourceError):  # not a fault of the method: it never began
            failed["status"] = "refused"
    # From here on nothing holds the memory of what failed.
    if fitted is not None:
        yield from map(_evaluate, fitted)
    elif len(unit) > 1:
        half = len(unit) // 2
        yield from carry_out(unit[:half], device)
        yield from carry_out(unit[half:], device)
    else:
        yield failed


def failure(reason: str) -> dict[str, Any]:
    """The outcome of a run that failed."""
    return {"status": "failed", "reason": reason, "metrics": None}


@dataclass
class _Fitted:
    """A run whose detector is fitted, alone or in a stack."""

    run: Run
    split: Split
    detector: Detector
    watch: _Stopwatch
    seconds: float
    """The seconds of a stack are divided among its runs."""
    stacked: int
    warnings: list[str]


def _fit(unit: Sequence[Run], device: str) -> list[_Fitted]:
    splits = [_split(run) for run in unit]
    detectors = [run.make(device) for run in unit]
    watch, stacked = _Stopwatch(device), len(unit)
    with _listening() as said:
        if stacked > 1:
            fit_many(detectors, [split.train for split in splits])
        else:
            detectors[0].fit(splits[0].train)
    if any("interrupted" in words for words in said):
        raise KeyboardInterrupt
    seconds = watch.seconds() / stacked
    if stacked > 1:  # whose warning it was is not known
        said = [f"in a stack of {stacked}: {words}" for words in said]
    return [
        _Fitted(run, split, detector, watch, seconds, stacked, said)
        for run, split, detector in zip(unit, splits, detectors, strict=True)
    ]


def _evaluate(fitted: _Fitted) -> dict[str, Any]:
    """Scores of the test rows against their labels."""
    split, entry = fitted.split, _dataset(fitted.run.dataset).entry
    start = time.perf_counter()
    try:
        with _listening() as said:
            scores = fitted.detector.anomaly_score(split.test)
        seconds = time.perf_counter() - start
        metrics = measure(split.test_labels, scores)
    except Exception as error:
        return failure(f"{type(error).__name__}: {error}")
    return {
        "status": "ok",
        "reason": None,
        "metrics": metrics,
        "rows": {
            "train": split.train.shape[0],
            "test": split.test.shape[0],
            "test_anomalies": int(split.test_labels.sum()),
            "features": split.test.shape[1],
        },
        "seconds": {
            "fit": round(fitted.seconds, 4),
            "score": round(seconds, 4),
            "stacked": fitted.stacked,
        },
        "peak_memory": fitted.watch.peak(),
        "device": fitted.watch.device,
        "cpu_threads": torch.get_num_threads(),
        "warnings": sorted({*fitted.warnings, *said}),
        "sha256": entry.sha256,
        "note": entry.note,
    }


class _Stopwatch:
    """Seconds and peak memory (of the process, and of a GPU where there is one) since its start."""

    def __init__(self, device: str) -> None:
        self.gpu = device != "cpu" and torch.cuda.is_available()
        self.device = torch.cuda.get_device_name() if self.gpu else "cpu"
        with suppress(OSError):  # Linux alone can forget an earlier peak
            Path("/proc/self/clear_refs").write_text("5")
        if self.gpu:
            torch.cuda.reset_peak_memory_stats()
        self.start = time.perf_counter()

    def seconds(self) -> float:
        if self.gpu:
            torch.cuda.synchronize()
        return time.perf_counter() - self.start

    def peak(self) -> dict[str, int]:
        """Bytes."""
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        peak *= 1 if sys.platform == "darwin" else 1024
        with suppress(OSError):
            status = Path("/proc/self/status").read_text()
            peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
        return {"process": peak} | ({"gpu": torch.cuda.max_memory_allocated()} if self.gpu else {})


@contextmanager
def _listening() -> Iterator[list[str]]:
    """A list that holds, once the block has ended, what was warned of in it."""
    said: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield said
    said += [f"{warning.category.__name__}: {warning.message}" for warning in caught]


@lru_cache(maxsize=2)
def _dataset(name: str) -> Dataset:
    return load(name, download=False)


def _split(run: Run) -> Split:
    return _split_of(run.dataset, run.split_seed, run.max_rows, run.contamination)


@lru_cache(maxsize=1)
def _split_of(dataset: str, seed: int, max_rows: int | None, mixed: float | None) -> Split:
    """Kept for the next run: a stack shares what it prepares for one and the same table."""
    data = _dataset(dataset)
    if mixed is None:
        split = half_normal_split(data.X, data.y, seed, max_rows=max_rows)
    else:
        split = contaminated_split(data.X, data.y, seed, rate=mixed, max_rows=max_rows)
    return encoded(split, data.entry)


def serve(answer: Callable[[list[dict[str, Any]], str], Iterator[dict[str, Any]]]) -> None:
    """Read units from stdin and write an answer to each of their parts, until stdin ends.

    `answer` is given a unit, as JSON had it, and the device that the command names.
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints must not mix with the answers

    def say(value: Any) -> None:
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    device = sys.argv[1] if len(sys.argv) > 1 else "auto"
    units: queue.Queue[str] = queue.Queue()

    def listen() -> None:
        for line in sys.stdin:
            units.put(line)
        os._exit(0)  # the runner is gone

    threading.Thread(target=listen, daemon=True).start()
    say(READY)
    while True:
        for outcome in answer(json.loads(units.get()), device):
            say(outcome)
        torch.cuda.empty_cache()  # other workers share the GPU


if __name__ == "__main__":
    serve(lambda unit, device: carry_out([Run(**run) for run in unit], device))
