"""The tables of docs/scale.md, from the records of speed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from slad.core.errors import DataError
from slad_paper.pages.blocks import filled, lines_of, rewrite

WAYS = {
    "memory": "in memory",
    "streamed": "streamed, `--out scores/`",
    "spark": "Spark, `local[2]`",
    "ray": "Ray, two actors",
    "dask": "Dask, two threads",
    "onnx": "ONNX graph",
}
GPU_WAYS = {
    "resident": "rows on the GPU",
    "from_host": "rows in memory",
    "streamed": "Parquet to Parquet",
}


def engines(result: dict[str, Any]) -> Iterator[Sequence[str]]:
    """Every way: with the model, and passing rows through."""
    yield "way", "rows/s", "rows/s passing through", "engine's share", "start", "peak memory"
    for name, each in result["ways"].items():
        rates = each["rows_per_second"]
        yield (
            WAYS[name],
            f"{rates['model']:,.0f}",
            f"{rates['pass_through']:,.0f}",
            f"{each['own_share']:.0%}",
            f"{each['start_seconds']:.0f} s",
            f"{each['peak_mb']:,.0f} MB",
        )


def big(result: dict[str, Any]) -> Iterator[Sequence[str]]:
    """20,000,000 rows against rows in memory."""
    yield "", "rows/s, best", "median", "a second of a core"
    names = {
        "streamed": f"`slad score`, {result['rows']:,} x {result['features']}, two cores",
        "memory": "the same model, rows in memory, two cores",
        "memory_one_core": "the same, one core",
    }
    for key, name in names.items():
        rate, median = (result[of][key] for of in ("rows_per_second", "median_rows_per_second"))
        of_core = result["rows_per_core_second"].get(key)
        yield name, f"{rate:,.0f}", f"{median:,.0f}", f"{of_core:,.0f}" if of_core else ""
    yield "peak memory of `slad score`", f"{result['peak_mb']:,.0f} MB", "", ""


def onnx(result: dict[str, Any]) -> Iterator[Sequence[str]]:
    """A graph against torch."""
    yield "", "ONNX graph", "`TableDetector.judge`", "`SLAD.anomaly_score`"
    for threads, by_size in result["seconds"].items():
        for size, each in by_size.items():
            count, unit = size.split()
            label = f"{int(count):,} {unit if int(count) > 1 else 'row'}, {_cores(threads)}"
            times = (f"{each[name] * 1e3:,.2f} ms" for name in ("onnx", "judge", "anomaly_score"))
            yield label, *times
    sizes = result["bytes"]
    yield "file", f"{sizes['onnx'] / 1e6:.2f} MB", f"{sizes['slad'] / 1e6:.2f} MB", ""


def _cores(threads: str) -> str:
    count = int(threads.split()[0])
    return f"{count} core{'s' * (count > 1)}"


def gpu(result: dict[str, Any]) -> Iterator[Sequence[str]]:
    """Rows a second of a GPU by where the rows are and how many come at once."""
    yield "rows", "features", "at once", "rows/s", "GPU memory"
    for features in (32, 256):
        for way, name in GPU_WAYS.items():
            found = result[f"{features} features"][way]
            if "left_out" in found:
                yield name, str(features), "", f"not measured: {found['left_out']}", ""
                continue
            for batch, each in found.items():
                memory = f"{each['peak_gpu_mb']:,.0f} MB" if "peak_gpu_mb" in each else ""
                rate = f"{each['rows_per_second']:,.0f}"
                yield name, str(features), f"{int(batch):,}", rate, memory


def core(result: dict[str, Any]) -> Iterator[Sequence[str]]:
    """One core: the networks, and everything around them."""
    one = result["core"]
    both = 1 / (1 / one["score"] + 1 / one["convert"])
    yield "one core, 32 features", "rows/s"
    yield "SLAD's networks alone", f"{one['score']:,.0f}"
    yield "all else: read, encode, p-values, write", f"{one['convert']:,.0f}"
    yield "together", f"{both:,.0f}"


TABLES: dict[str, tuple[str, Callable[[dict[str, Any]], Iterator[Sequence[str]]]]] = {
    "engines": ("engines-cpu.json", engines),
    "core": ("engines-cpu.json", core),
    "big": ("engines-big-cpu.json", big),
    "onnx": ("onnx-cpu.json", onnx),
    "gpu": ("engines-cuda.json", gpu),
}


PLANS = {"plan": "plan.json", "plan_small_tasks": "plan-small-tasks.json"}
"""Simulated clusters: records of `slad.engines.planning` hold the whole table."""


def table(name: str, records: Path) -> list[str]:
    """The lines of a table, or a sentence where there is no record."""
    if name in PLANS:
        path = records / PLANS[name]
        return json.loads(path.read_text("utf-8"))["table"] if path.exists() else [_none(path)]
    if name not in TABLES:
        raise DataError(
            f"no table {name!r} on this page; its tables are: {', '.join([*TABLES, *PLANS])}"
        )
    file, rows = TABLES[name]
    path = records / file
    if not path.exists():
        return [_none(path)]
    return lines_of(rows(json.loads(path.read_text("utf-8"))["result"]))


def _none(path: Path) -> str:
    return f"(not measured yet: there is no record {path.name})"


def build(root: Path) -> None:
    """Write the tables of the page anew."""
    records = root / "paper" / "results" / "speed"
    rewrite(
        root / "docs" / "scale.md", lambda page: filled(page, lambda name: table(name, records))
    )
