"""An ONNX graph against torch: size, and the time of one row and of 10,000."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch

from made_up_rows import many_rows
from parquet_files import as_table, fitted_model
from slad.engines.onnx import check_export, export
from slad.model import TableDetector

FEATURES = 32
SIZES = {1: 300, 10_000: 12}
"""Rows in a call, and how many calls of each."""
SMALL = {1: 3, 100: 2}
THREADS = (1, 2)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The case of benchmarks/engines.py."""
    sizes = SMALL if options.small else SIZES
    model = fitted_model(many_rows(500 if options.small else 12_000, FEATURES, seed=1))
    with tempfile.TemporaryDirectory(dir=options.scratch) as name:
        folder = Path(name)
        model.save(folder / "model.slad")
        export(model, folder / "model.onnx")
        return {
            "features": FEATURES,
            "members": len(model.members_),
            "bytes": {kind: (folder / f"model.{kind}").stat().st_size for kind in ("slad", "onnx")},
            "largest_difference": check_export(model, folder / "model.onnx"),
            "seconds": {
                f"{threads} threads": latencies(model, folder / "model.onnx", threads, sizes)
                for threads in THREADS
            },
        }


def latencies(
    model: TableDetector, graph: Path, threads: int, sizes: dict[int, int]
) -> dict[str, dict[str, float]]:
    """The shortest call of each kind and size, all kinds by turns."""
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(graph, settings, ["CPUExecutionProvider"])
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        return {
            f"{size} rows": shortest(calls(model, session, size), repeats)
            for size, repeats in sizes.items()
        }
    finally:
        torch.set_num_threads(before)


def calls(model: TableDetector, session: Any, size: int) -> dict[str, Callable[[], Any]]:
    """The graph, the table model, and its detector alone, which is given encoded rows."""
    rows = many_rows(size + 1, FEATURES, seed=2)[:size]
    table, cells = as_table(rows), rows.astype(np.float64)
    detector = model.members_[0].detector
    return {
        "onnx": lambda: session.run(None, {"rows": cells}),
        "judge": lambda: model.judge(table),
        "anomaly_score": lambda: detector.anomaly_score(cells),
    }


def shortest(ways: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(repeats):
        for name, call in ways.items():
            start = time.perf_counter()
            call()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def lines(result: dict[str, Any]) -> Iterator[str]:
    """What a terminal shows."""
    sizes = result["bytes"]
    yield f"graph {sizes['onnx'] / 1e6:.2f} MB, model {sizes['slad'] / 1e6:.2f} MB"
    yield f"{'':24}{'onnx':>12}{'judge':>12}{'score':>12}"
    for threads, by_size in result["seconds"].items():
        for size, each in by_size.items():
            times = "".join(f"{each[name] * 1e3:>9.2f} ms" for name in each)
            yield f"{threads}, {size:12}{times}"
