"""20,000,000 x 32 through `slad score MODEL 'FOLDER/*.parquet' --out SCORES/`, as a user types it.

Now and then the command is held between two files, and the same model scores rows that are in
memory, on all cores and on one: all meet the same machine, busy or not. Of each the shortest time a
row counts, the median stands beside it, and rows a second of a core's time, which a busy machine
blurs least.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from made_up_rows import many_rows
from parquet_files import as_table, fitted_model, write_files
from slad.model import TableDetector
from watched import PeakMemory

FILES = 20
ROWS = 1_000_000
"""Of a file."""
IN_MEMORY = 65_536
EVERY = 4
"""Files between two looks at rows in memory."""
FEATURES = 32


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The case of benchmarks/engines.py."""
    files, rows, kept = (4, 3_000, 1_000) if options.small else (FILES, ROWS, IN_MEMORY)
    with tempfile.TemporaryDirectory(dir=options.scratch) as name:
        folder = Path(name)
        model = fitted_model(many_rows(500 if options.small else 12_000, FEATURES, seed=1))
        model.save(folder / "model.slad")
        table = many_rows(rows, FEATURES)
        for at in range(files):
            write_files(folder / "rows", table + np.float32(at / 1000), 1, first=at * rows)
        about = {"rows": files * rows, "features": FEATURES, "files": files}
        return about | measured(folder, InMemory(model, table[:kept]), rows)


class InMemory:
    """A model and rows in memory, and the times of a row so far."""

    def __init__(self, model: TableDetector, rows: np.ndarray) -> None:
        self.model, self.table = model, as_table(rows)
        self.times: dict[str, list[float]] = {"memory": [], "memory_one_core": []}
        self.of_core: list[float] = []
        model.judge(self.table)

    def look(self) -> None:
        """Score on all cores, then on one."""
        self.times["memory"].append(self._seconds())
        before = torch.get_num_threads()
        torch.set_num_threads(1)
        begun = time.process_time()
        self.times["memory_one_core"].append(self._seconds())
        self.of_core.append((time.process_time() - begun) / self.table.num_rows)
        torch.set_num_threads(before)

    def _seconds(self) -> float:
        """Of a row."""
        begun = time.perf_counter()
        self.model.judge(self.table)
        return (time.perf_counter() - begun) / int(self.table.num_rows)


def measured(folder: Path, here: InMemory, rows: int) -> dict[str, Any]:
    """The command and the rows in memory by turns."""
    streamed: list[float] = []
    before = core_seconds_of_children()
    with start(folder) as process, PeakMemory(process.pid) as peak:
        assert process.stderr
        begun = time.perf_counter()
        for line in process.stderr:
            if "rows/s" not in line:
                begun = time.perf_counter()
                continue
            streamed.append((time.perf_counter() - begun) / rows)
            if len(streamed) % EVERY == 0:
                process.send_signal(signal.SIGSTOP)
                here.look()
                process.send_signal(signal.SIGCONT)
            begun = time.perf_counter()
    if process.returncode:
        raise RuntimeError(f"slad score ended with {process.returncode}")
    used = core_seconds_of_children() - before
    ways = {"streamed": streamed} | here.times
    return {
        "peak_mb": peak.megabytes,
        "rows_per_second": {name: 1 / min(times) for name, times in ways.items()},
        "median_rows_per_second": {name: 1 / float(np.median(t)) for name, t in ways.items()},
        "rows_per_core_second": {
            "streamed": len(streamed) * rows / used,
            "memory_one_core": 1 / min(here.of_core),
        },
        "streamed_of_memory": min(here.times["memory"]) / min(streamed),
        "seconds_a_row": ways,
    }


def core_seconds_of_children() -> float:
    """Of those that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def start(folder: Path) -> subprocess.Popen[str]:
    """The command, in the folder that has its model and rows."""
    words = ["score", "model.slad", "rows/*.parquet", "--out", "scores/", "--device", "cpu"]
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "slad", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(result: dict[str, Any]) -> Iterator[str]:
    """What a terminal shows."""
    yield f"{result['rows']:,} x {result['features']} in {result['files']} files"
    for name, rate in result["rows_per_second"].items():
        median = result["median_rows_per_second"][name]
        yield f"{name:16}{rate:>10,.0f} rows/s, median {median:,.0f}"
    for name, rate in result["rows_per_core_second"].items():
        yield f"{name:16}{rate:>10,.0f} rows a second of a core"
    yield f"peak {result['peak_mb']:,.0f} MB; streamed / memory {result['streamed_of_memory']:.2f}"
