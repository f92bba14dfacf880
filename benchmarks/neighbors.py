"""How long exact nearest neighbours take: KNN against scikit-learn's brute force, in one run.

On a CPU both do the same work, by turns: the 5 neighbours of every training row among the others,
then those of as many new rows; of each the shortest time counts. On a GPU: 1,000,000 x 32 new rows
against 100,000 training rows, the way to the GPU and back included, and the memory taken there.

    python benchmarks/neighbors.py                  # writes paper/results/speed/neighbors-cpu.json
    python benchmarks/neighbors.py --device cuda    # writes paper/results/speed/neighbors-cuda.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch
from sklearn.neighbors import NearestNeighbors

from slad.core.devices import resolve_device
from slad.detectors import KNN
from slad_paper.runner.records import environment, write_record

K = 5
SHAPES = {(5_000, 20): 9, (20_000, 32): 5, (2_000, 200): 15}
"""(training rows, features): repeats."""
TRAINING_ROWS, NEW_ROWS, FEATURES, REPEATS = 100_000, 1_000_000, 32, 3
CHECKED = 1_000
"""Rows of the GPU's that scikit-learn looks up, too."""

Times = dict[str, dict[str, list[float]]]


def rows_like(n: int, d: int, seed: int) -> np.ndarray:
    """Rows in single precision, in which KNN holds them: distances can be equal."""
    rng = np.random.default_rng(seed)
    mixing = np.random.default_rng(0).normal(size=(d, d)).astype(np.float32) / d**0.5
    rows: np.ndarray = rng.standard_normal((n, d), dtype=np.float32) @ mixing
    return rows


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """The time of this work, which ends with arrays on the CPU, and its result."""
    start = perf_counter()
    result = work()
    return perf_counter() - start, result


def against_scikit_learn(n: int, d: int, repeats: int) -> dict[str, Any]:
    train, new = (rows_like(n, d, seed).astype(np.float64) for seed in (1, 2))
    times: Times = {name: {"fit": [], "score": []} for name in ("slad", "scikit-learn")}
    for _ in range(repeats):
        detector = KNN(n_neighbors=K, scaling="none", device="cpu")
        fit, _ = seconds(lambda: detector.fit(train))  # noqa: B023
        score, ours = seconds(lambda: detector.anomaly_score(new))  # noqa: B023
        times["slad"]["fit"].append(fit)
        times["slad"]["score"].append(score)
        index = NearestNeighbors(n_neighbors=K, algorithm="brute")
        fit, _ = seconds(lambda: index.fit(train).kneighbors())  # noqa: B023
        score, found = seconds(lambda: index.kneighbors(new))  # noqa: B023
        times["scikit-learn"]["fit"].append(fit)
        times["scikit-learn"]["score"].append(score)
        np.testing.assert_allclose(ours, found[0][:, -1], rtol=1e-6)
    best = {name: {part: min(all_) for part, all_ in own.items()} for name, own in times.items()}
    ours_, theirs = best["slad"], best["scikit-learn"]
    ratio = {part: theirs[part] / ours_[part] for part in ours_}
    ratio["fit + score"] = sum(theirs.values()) / sum(ours_.values())
    return {"seconds": best, "ratio": ratio, "all_seconds": times}


def on_gpu(device: torch.device) -> dict[str, Any]:
    train, new = rows_like(TRAINING_ROWS, FEATURES, 1), rows_like(NEW_ROWS, FEATURES, 2)
    KNN(n_neighbors=K, scaling="none", device=str(device)).fit(train[:10_000])  # starts the GPU
    times: dict[str, list[float]] = {"fit": [], "score": []}
    torch.cuda.reset_peak_memory_stats(device)
    for _ in range(REPEATS):
        detector = KNN(n_neighbors=K, scaling="none", device=str(device))
        fit, _ = seconds(lambda: detector.fit(train))  # noqa: B023
        score, scores = seconds(lambda: detector.anomaly_score(new))  # noqa: B023
        times["fit"].append(fit)
        times["score"].append(score)
    index = NearestNeighbors(n_neighbors=K, algorithm="brute").fit(train.astype(np.float64))
    found, _ = index.kneighbors(new[:CHECKED].astype(np.float64))
    np.testing.assert_allclose(scores[:CHECKED], found[:, -1], rtol=1e-6)
    best = {part: min(all_) for part, all_ in times.items()}
    return {
        "training_rows": TRAINING_ROWS,
        "new_rows": NEW_ROWS,
        "features": FEATURES,
        "seconds": best,
        "all_seconds": times,
        "new_rows_per_second": NEW_ROWS / best["score"],
        "peak_gpu_mb": torch.cuda.max_memory_allocated(device) / 2**20,
        "checked_rows": CHECKED,
    }


def measure(device: torch.device) -> dict[str, Any]:
    if device.type == "cuda":
        return on_gpu(device)
    return {f"{n} x {d}": against_scikit_learn(n, d, r) for (n, d), r in SHAPES.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--device", default="auto", type=resolve_device)
    parser.add_argument("--results", type=Path, default=Path("paper/results/speed"))
    options = parser.parse_args()
    device = options.device.type
    result = measure(options.device)
    record = {"benchmark": "neighbors", "device": device, "neighbors": K, "result": result}
    write_record(
        options.results / f"neighbors-{device}.json", record | {"environment": environment()}
    )
    print(json.dumps({"neighbors": result}, indent=1))


if __name__ == "__main__":
    main()
