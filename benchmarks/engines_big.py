"""20,000,000 x 32 through `slad score MODEL 'FOLDER/*.parquet' --out SCORES/`, as a user types it.

Between files the command is held, and the same model scores rows that are in memory: both meet the
same machine, busy or not. Of each the shortest time a row counts, and the median is beside it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from made_up_rows import many_rows
from parquet_files import as_table, fitted_model, write_files
from slad.pipeline import TableDetector
from watched import PeakMemory

FILES = 20
ROWS = 1_000_000
"""Of a file."""
IN_MEMORY = 250_000
FEATURES = 32


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The case of benchmarks/engines.py."""
    files, rows, kept = (3, 3_000, 1_000) if options.small else (FILES, ROWS, IN_MEMORY)
    with tempfile.TemporaryDirectory(dir=options.scratch) as name:
        folder = Path(name)
        model = fitted_model(many_rows(500 if options.small else 12_000, FEATURES, seed=1))
        model.save(folder / "model.slad")
        table = many_rows(rows, FEATURES)
        for at in range(files):
            write_files(folder / "rows", table + np.float32(at / 1000), 1, first=at * rows)
        return {"rows": files * rows, "features": FEATURES, "files": files} | measured(
            folder, model, table[:kept], rows
        )


def measured(folder: Path, model: TableDetector, kept: np.ndarray, rows: int) -> dict[str, Any]:
    """The command and the rows in memory by turns."""
    here = as_table(kept)
    alone = model.members_[0].detector.anomaly_score
    model.judge(here)
    memory: list[float] = []
    detector: list[float] = []
    streamed: list[float] = []
    words = ["score", "model.slad", "rows/*.parquet", "--out", "scores/", "--device", "cpu"]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "slad", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    with PeakMemory(process.pid) as peak:
        started = None
        for line in process.stderr:
            if "rows/s" not in line:
                started = time.perf_counter()
                continue
            if started is not None:
                streamed.append((time.perf_counter() - started) / rows)
            process.send_signal(signal.SIGSTOP)
            memory.append(seconds(lambda: model.judge(here)) / len(kept))
            detector.append(seconds(lambda: alone(kept)) / len(kept))
            process.send_signal(signal.SIGCONT)
            started = time.perf_counter()
        process.wait()
    if process.returncode:
        raise RuntimeError(f"slad score ended with {process.returncode}")
    shutil.rmtree(folder / "scores")
    ways = {"streamed": streamed, "memory": memory, "detector_alone": detector}
    return {
        "peak_mb": peak.megabytes,
        "rows_per_second": {name: 1 / min(times) for name, times in ways.items()},
        "median_rows_per_second": {name: 1 / float(np.median(t)) for name, t in ways.items()},
        "streamed_of_memory": min(memory) / min(streamed),
        "median_streamed_of_memory": float(np.median(memory) / np.median(streamed)),
        "seconds_a_row": ways,
    }


def seconds(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def lines(result: dict[str, Any]) -> Iterator[str]:
    """What a terminal shows."""
    yield f"{result['rows']:,} x {result['features']} in {result['files']} files"
    for name, rate in result["rows_per_second"].items():
        median = result["median_rows_per_second"][name]
        yield f"{name:16}{rate:>10,.0f} rows/s, median {median:,.0f}"
    yield f"peak {result['peak_mb']:,.0f} MB; streamed / memory {result['streamed_of_memory']:.2f}"
