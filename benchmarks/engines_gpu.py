"""Scoring on a GPU: rows that are there already, rows from this machine's memory, and files.

What differs between the three is what engines add: the way to the GPU, then Arrow and Parquet.
Where pyarrow is not installed the files are left out.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch

from made_up_rows import many_rows
from slad import SLAD
from slad.core.rows import DenseRows
from slad.detectors.slad import scoring
from slad_paper.runner.timing import rows_like, seconds

FEATURES = (32, 256)
REPEATS = 3


@dataclass(frozen=True)
class Size:
    """What is scored, and in how many rows at a time."""

    resident: int = 2**21
    """Rows on the device."""
    cells: int = 2**26
    """Of the rows that come from memory or from a file."""
    fitted: int = 20_000
    """Rows that fit the model."""
    blocks: tuple[int, ...] = (1_024, 8_192, 32_768, 131_072)
    """Rows in one product, of rows that are on the device."""
    batches: tuple[int, ...] = (8_192, 65_536, 262_144)
    """Rows that come from memory or from a file at a time."""


SMALL = Size(resident=600, cells=2**14, fitted=400, blocks=(256, 512), batches=(256,))
"""To try the code on any machine."""


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The case of benchmarks/engines.py."""
    return scoring_rates(options.device, SMALL if options.small else Size())


def scoring_rates(device: torch.device, size: Size) -> dict[str, Any]:
    """Rows a second for every number of features, way and batch size."""
    found: dict[str, Any] = {}
    for d in FEATURES:
        fitting = rows_like(size.fitted, d)[0]
        detector = SLAD(epochs=1, random_state=0, device=str(device)).fit(fitting)
        table = many_rows(max(size.resident, size.cells // d), d)
        brought = table[: size.cells // d]
        found[f"{d} features"] = {
            "resident": resident(detector, table[: size.resident], size.blocks, device),
            "from_host": from_host(detector, brought, size.batches, device),
            "streamed": streamed(fitting, brought, size.batches, device),
        }
    return {"resident_rows": size.resident, "cells": size.cells, "repeats": REPEATS} | found


def resident(
    detector: SLAD, table: np.ndarray, blocks: Sequence[int], device: torch.device
) -> dict[str, Any]:
    """Scaled rows in the device's memory to losses in the device's memory: nothing else."""
    [scorer] = detector._scorers
    rows = DenseRows(torch.from_numpy(table).to(device))

    def work() -> None:
        with torch.inference_mode():
            scorer.losses(rows).mean(1)

    def under(block: int) -> Callable[[], float]:
        def timed() -> float:
            with in_blocks_of(block, device):
                return seconds(work, device)

        return timed

    return rates({str(block): under(block) for block in blocks}, len(table), device)


def from_host(
    detector: SLAD, table: np.ndarray, batches: Sequence[int], device: torch.device
) -> dict[str, Any]:
    """`anomaly_score` of rows in this machine's memory, so many at a call."""

    def under(batch: int) -> Callable[[], float]:
        def work() -> None:
            for start in range(0, len(table), batch):
                detector.anomaly_score(table[start : start + batch])

        return lambda: seconds(work, device)

    return rates({str(batch): under(batch) for batch in batches}, len(table), device)


def streamed(
    fitting: np.ndarray, table: np.ndarray, batches: Sequence[int], device: torch.device
) -> dict[str, Any]:
    """`stream_scores` from a Parquet file to a Parquet file, so many rows at a time."""
    if find_spec("pyarrow") is None:
        return {"left_out": "pyarrow is not installed"}
    from parquet_files import fitted_model, write_files
    from slad.engines import BatchScorer, stream_scores, streaming

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = write_files(folder / "rows", table, count=1)
        scorer = BatchScorer(fitted_model(fitting, device=str(device)))
        made = iter(range(10**6))

        def under(batch: int) -> Callable[[], float]:
            def timed() -> float:
                out = folder / f"scores-{next(made)}"
                before = streaming.ROWS_AT_ONCE, streaming.PIECE
                streaming.ROWS_AT_ONCE = streaming.PIECE = batch
                try:
                    return seconds(lambda: stream_scores(scorer, files, out), device)
                finally:
                    streaming.ROWS_AT_ONCE, streaming.PIECE = before

            return timed

        return rates({str(batch): under(batch) for batch in batches}, len(table), device)


def rates(
    ways: dict[str, Callable[[], float]], n_rows: int, device: torch.device
) -> dict[str, Any]:
    """The ways by turns; of each the shortest time, and its peak of the GPU's memory."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    peaks: dict[str, float] = {}
    for _ in range(1 + REPEATS):  # the first time pays for kernels that are chosen and loaded
        for name, timed in ways.items():
            if device.type == "cuda":
                torch.cuda.reset_peak_memory_stats(device)
            times[name].append(timed())
            if device.type == "cuda":
                peaks[name] = torch.cuda.max_memory_allocated(device) / 2**20
    return {
        name: {
            "rows_per_second": n_rows / min(taken[1:]),
            "first_seconds": taken[0],
            "seconds": taken[1:],
        }
        | ({"peak_gpu_mb": peaks[name]} if name in peaks else {})
        for name, taken in times.items()
    }


@contextmanager
def in_blocks_of(rows: int, device: torch.device) -> Iterator[None]:
    """Products of so many rows."""
    before = scoring.BLOCK[device.type]
    scoring.BLOCK[device.type] = rows
    try:
        yield
    finally:
        scoring.BLOCK[device.type] = before


def lines(result: dict[str, Any]) -> Iterator[str]:
    """What a terminal shows."""
    yield f"{'features':14}{'way':12}{'rows at once':>14}{'rows/s':>14}"
    for d in FEATURES:
        for way, each in result[f"{d} features"].items():
            if "left_out" in each:
                yield f"{d:<14}{way:12}{each['left_out']}"
                continue
            for batch, rate in each.items():
                yield f"{d:<14}{way:12}{int(batch):>14,}{rate['rows_per_second']:>14,.0f}"
