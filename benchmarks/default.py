"""What `NeighborScale()` costs, against the paper's method and the nearest neighbour, in one run.

Fits and scores take turns; the shortest time counts. One core. The record is
paper/results/speed/default-cpu.json (or -cuda).

    python benchmarks/default.py
    python benchmarks/default.py --device cuda
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from threadpoolctl import threadpool_limits

from slad.core.devices import resolve_device
from slad.detectors import registry
from slad_paper.runner.records import environment, write_record
from slad_paper.runner.timing import rows_like, seconds

CONTENDERS = ("neighbor-scale", "slad-released", "knn-1")
SHAPES = ((1_000, 10), (5_000, 20), (5_000, 200), (20_000, 32), (60_000, 32))
REPEATS = 3
LONG = 20.0
"""Seconds: what takes longer is not repeated."""


def run(
    device: torch.device, shapes: Sequence[tuple[int, int]], repeats: int
) -> list[dict[str, Any]]:
    """Seconds to fit and to score the same rows, of every shape and contender."""
    found = []
    for n, d in shapes:
        rows, _ = rows_like(n, d)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in CONTENDERS}
        for turn in range(repeats):
            for name, mine in times.items():
                if mine and sum(mine[-1]) > LONG:
                    continue
                settings = {} if registry.is_deterministic(name) else {"random_state": turn}
                detector = registry.make(name, device=device.type, **settings)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    fit = seconds(lambda: detector.fit(rows), device)  # noqa: B023
                    mine.append((fit, seconds(lambda: detector.anomaly_score(rows), device)))  # noqa: B023
        best = {
            name: {"fit": min(t[0] for t in mine), "score": min(t[1] for t in mine)}
            for name, mine in times.items()
        }
        found.append({"rows": n, "features": d, "seconds": best})
        print("\n".join(lines(found[-1:])), flush=True)
    return found


def lines(found: Sequence[dict[str, Any]]) -> list[str]:
    """What a terminal shows: seconds, and ours over the paper's method."""
    shown = []
    for each in found:
        total = {name: own["fit"] + own["score"] for name, own in each["seconds"].items()}
        ratio = total["neighbor-scale"] / total["slad-released"]
        parts = [
            f"{name} {own['fit']:.2f} + {own['score']:.2f} s"
            for name, own in each["seconds"].items()
        ]
        shown.append(
            f"{each['rows']:,} x {each['features']}: {', '.join(parts)}; ratio {ratio:.2f}"
        )
    return shown


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--device", default="cpu", type=resolve_device)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--small", action="store_true", help="to try the code")
    parser.add_argument("--results", type=Path, default=Path("paper/results/speed"))
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser.parse_args(given)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            shapes = ((200, 4),) if options.small else SHAPES
            found = run(options.device, shapes, options.repeats)
    finally:
        torch.set_num_threads(threads)
    record = {"benchmark": "default", "device": options.device.type, "result": {"shapes": found}}
    words = ["python", "benchmarks/default.py", *given]
    if "--results" in words:  # a place of this machine
        words[words.index("--results") + 1] = "paper/results/speed"
    write_record(
        options.results / f"default-{options.device.type}.json",
        record | {"environment": environment(" ".join(words))},
    )


if __name__ == "__main__":
    main()
