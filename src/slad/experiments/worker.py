"""A process that carries out runs for the runner: `python -m slad.experiments.worker`.

It says that it is ready, then reads units of runs from stdin, a line each, and answers one outcome
a line on what was its stdout, all as JSON. It ends when its stdin does, at once: nobody is left to
hear an answer.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from slad.datasets import Dataset, load
from slad.datasets.protocol import Split, half_normal_split
from slad.detectors import Detector, fit_many
from slad.experiments.metrics import measure
from slad.experiments.plan import Run

READY = "ready"


def carry_out(unit: Sequence[Run], device: str = "auto") -> Iterator[dict[str, Any]]:
    """The outcome of every run, in order; runs of a unit of several are trained as one stack.

    If a stack fails, its runs are tried one by one, so that a failure is that of a run.
    """
    if len(unit) > 1:
        try:
            splits = [_split(run) for run in unit]
            detectors = [run.make(device) for run in unit]
            fitted = _Stopwatch(device)
            said = _caught(lambda: fit_many(detectors, [split.train for split in splits]))
        except Exception:
            for run in unit:
                yield from carry_out([run], device)
            return
        fit = fitted.seconds() / len(unit)
        for run, split, detector in zip(unit, splits, detectors, strict=True):
            yield _judged(run, split, detector, fit, said, fitted, len(unit))
        return
    [run] = unit
    try:
        split = _split(run)
        detector = run.make(device)
        fitted = _Stopwatch(device)
        said = _caught(lambda: detector.fit(split.train))
        yield _judged(run, split, detector, fitted.seconds(), said, fitted, 1)
    except Exception as error:
        yield failure(f"{type(error).__name__}: {error}")


def failure(reason: str) -> dict[str, Any]:
    """The outcome of a run that came to nothing."""
    return {"status": "failed", "reason": reason, "metrics": None}


def _judged(
    run: Run,
    split: Split,
    detector: Detector,
    fit_seconds: float,
    said: list[str],
    watch: _Stopwatch,
    stacked: int,
) -> dict[str, Any]:
    """Scores of the test rows against their labels."""
    if any("interrupted" in words for words in said):
        raise KeyboardInterrupt
    start = time.perf_counter()
    try:
        scores: list[Any] = []
        said = said + _caught(lambda: scores.append(detector.anomaly_score(split.test)))
        seconds = time.perf_counter() - start
        metrics = measure(split.test_labels, scores[0])
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
        "seconds": {"fit": round(fit_seconds, 4), "score": round(seconds, 4), "stacked": stacked},
        "peak_memory": watch.peak(),
        "device": watch.device,
        "cpu_threads": torch.get_num_threads(),
        "warnings": sorted(set(said)),
        "sha256": _dataset(run.dataset).entry.sha256,
        "note": _dataset(run.dataset).entry.note,
    }


class _Stopwatch:
    """Seconds and peak memory (of the process, and of a GPU where there is one) since it began."""

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


def _caught(action: Any) -> list[str]:
    """Do it; what it warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    return [f"{warning.category.__name__}: {warning.message}" for warning in caught]


@lru_cache(maxsize=2)
def _dataset(name: str) -> Dataset:
    return load(name, download=False)


def _split(run: Run) -> Split:
    return _split_of(run.dataset, run.split_seed, run.max_rows)


@lru_cache(maxsize=1)
def _split_of(dataset: str, seed: int, max_rows: int | None) -> Split:
    """Kept for the next run: a stack shares what it prepares for one and the same table."""
    data = _dataset(dataset)
    return half_normal_split(data.X, data.y, seed, max_rows=max_rows)


def main() -> None:
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
        unit = [Run.from_json(run) for run in json.loads(units.get())]
        for outcome in carry_out(unit, device):
            say(outcome)


if __name__ == "__main__":
    main()
