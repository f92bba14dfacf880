"""All engines on one folder, by turns, each in processes of its own."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import torch
from pyarrow import parquet

from engine_ways import NEEDS, SCORERS, PassThrough
from made_up_rows import many_rows
from parquet_files import fitted_model, write_files
from slad.engines import BatchScorer
from slad_paper.runner.timing import seconds
from watched import PeakMemory

CPU = torch.device("cpu")
FILES = 8
FITTED = 12_000
"""Rows that fit the model: enough for a model of one member."""
WARM_UP = 4_000
"""Rows of the job that ends the start."""


def run(options: argparse.Namespace) -> dict[str, Any]:
    """400,000 x 32 in eight Parquet files, by every engine that is installed."""
    rows, repeats = (4_000, 1) if options.small else (400_000, options.repeats)
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        return compare(Path(folder), rows, 32, repeats, options.ways)


class Way:
    """A started engine that takes one job after the other."""

    def __init__(self, name: str, model: Path, log: Path) -> None:
        self.name, self.start_seconds = name, 0.0
        self._log = log.open("w")
        self._begun = time.perf_counter()
        here = str(Path(__file__).parent)
        self.process = subprocess.Popen(
            [sys.executable, str(Path(here, "engine_ways.py")), name, str(model)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([here, *filter(None, sys.path)])},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self.process, self._log:  # its orders end, and so does it
            pass

    def started(self, rows: Path, out: Path) -> None:
        """Wait until it is ready and has scored some rows once."""
        self._answer()
        for scorer in SCORERS:
            self.job(rows, out, scorer)
        self.start_seconds = time.perf_counter() - self._begun

    def job(self, rows: Path, out: Path, scorer: str) -> dict[str, float]:
        """Seconds of one job, and the peak of memory in it."""
        assert self.process.stdin
        order = {"rows": str(rows), "out": str(out), "scorer": scorer}
        with PeakMemory(self.process.pid) as peak:
            self.process.stdin.write(json.dumps(order) + "\n")
            self.process.stdin.flush()
            seconds = self._answer()["seconds"]
        return {"seconds": seconds, "peak_mb": peak.megabytes}

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(
                f"{self.name} ended: {Path(self._log.name).read_text('utf-8')[-2000:]}"
            )
        answer: dict[str, Any] = json.loads(line)
        return answer


def compare(
    folder: Path, rows: int, features: int, repeats: int, ways: Sequence[str]
) -> dict[str, Any]:
    """Rows a second of every way with the model and passing through; start and memory of each."""
    missing = [way for way in ways if find_spec(NEEDS.get(way, "pyarrow")) is None]
    model = folder / "model.slad"
    table = many_rows(rows, features)
    fitted_model(many_rows(FITTED, features, seed=1)).save(model)
    write_files(folder / "rows", table, FILES)
    write_files(folder / "few", table[:WARM_UP], 2)
    found: dict[str, Any] = {}
    with ExitStack() as open_ways:
        started = []
        for name in ways:
            if name not in missing:
                way = open_ways.enter_context(Way(name, model, folder / f"{name}.log"))
                way.started(folder / "few", folder / f"out-{name}")
                started.append(way)
        for repeat in range(repeats):
            print(f"turn {repeat + 1} of {repeats} ...", file=sys.stderr)
            for way in started:
                for scorer in SCORERS:
                    job = way.job(folder / "rows", folder / f"out-{way.name}", scorer)
                    found.setdefault(way.name, {}).setdefault(scorer, []).append(job)
    core = one_core(model, folder / "few" if rows < WARM_UP * 10 else folder / "rows")
    about = {"core": core, "rows": rows, "features": features, "files": FILES, "repeats": repeats}
    return about | {
        "left_out": {name: f"{NEEDS[name]} is not installed" for name in missing},
        "ways": {way.name: summary(rows, way.start_seconds, found[way.name]) for way in started},
    }


def one_core(model: Path, rows: Path) -> dict[str, float]:
    """Rows a second of one core: the detector alone, and everything else that a job does."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        scorer = BatchScorer.load(model, device="cpu")
        file = min(rows.iterdir())
        table = parquet.read_table(file)
        member = scorer.model.members_[0]
        encoded = member.encoder.transform(table)
        bare, scored, files = [], [], []
        for _ in range(5):
            bare.append(seconds(lambda: member.detector.score_parts(encoded), CPU))
            scored.append(seconds(lambda: scorer(table), CPU))
            scores = pa.Table.from_batches([PassThrough(scorer.model)(table)])
            files.append(
                seconds(lambda: parquet.read_table(file), CPU)
                + seconds(lambda: parquet.write_table(scores, rows.parent / "s.parquet"), CPU)  # noqa: B023
            )
        around = max(min(scored) - min(bare), 0.0) + min(files)
        return {"score": len(table) / min(bare), "convert": len(table) / around}
    finally:
        torch.set_num_threads(before)


def summary(rows: int, start: float, jobs: dict[str, list[dict[str, float]]]) -> dict[str, Any]:
    """The shortest time counts, and of memory the most."""
    shortest = {name: min(job["seconds"] for job in each) for name, each in jobs.items()}
    return {
        "start_seconds": start,
        "rows_per_second": {name: rows / taken for name, taken in shortest.items()},
        "own_share": shortest["pass_through"] / shortest["model"],
        "peak_mb": max(job["peak_mb"] for job in jobs["model"]),
        "all_seconds": {name: [job["seconds"] for job in each] for name, each in jobs.items()},
    }


def lines(result: dict[str, Any]) -> Iterator[str]:
    """What a terminal shows."""
    yield f"{'way':10}{'start, s':>10}{'rows/s':>12}{'passing, rows/s':>17}{'peak, MB':>10}"
    for name, each in result["ways"].items():
        rates = each["rows_per_second"]
        yield (
            f"{name:10}{each['start_seconds']:>10.1f}{rates['model']:>12,.0f}"
            f"{rates['pass_through']:>17,.0f}{each['peak_mb']:>10,.0f}"
        )
    for name, reason in result["left_out"].items():
        yield f"{name:10}{reason}"
