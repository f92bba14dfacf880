"""Speed and memory of SLAD, against peers in the same run.

Peers: SLAD of DeepOD 0.4.1 (`pip install --no-deps --target DIR deepod==0.4.1`, then --peer DIR)
and scikit-learn's isolation forest for scale; the machine's own ceilings stand beside them. Runs
are interleaved, and of each the shortest time counts. One record a case under paper/results/speed/.

    python benchmarks/speed.py --peer DIR               # the cases for this device
    python benchmarks/speed.py --cases growth memory    # some of them
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score

from slad import SLAD, fit_many
from slad.core.devices import resolve_device
from slad.learning import loop
from slad_paper.datasets import load
from slad_paper.datasets.protocol import half_normal_split
from slad_paper.runner.records import environment, write_record
from slad_paper.runner.running import carry_out
from slad_paper.runner.timing import rows_like, seconds
from slad_paper.studies import adbench, effectiveness

Case = Callable[[argparse.Namespace], dict[str, Any]]


def ceilings(options: argparse.Namespace) -> dict[str, Any]:
    """What this machine can do at all: single-precision products, and copies."""
    device = options.device
    size = 8192 if device.type == "cuda" else 2048
    square = torch.randn(size, size, device=device)
    source = torch.randn(2**30 // 4 if device.type == "cuda" else 2**28 // 4, device=device)
    target = torch.empty_like(source)
    product = min(seconds(lambda: square @ square, device) for _ in range(7))
    copy = min(seconds(lambda: target.copy_(source), device) for _ in range(7))
    return {
        "matmul_gflops": 2 * size**3 / product / 1e9,
        "copy_gb_per_s": 2 * source.nbytes / copy / 1e9,
    }


def against_peers(
    options: argparse.Namespace, n: int, d: int, repeats: int, peer_repeats: int
) -> dict[str, Any]:
    """Fit and score through the public methods: SLAD, DeepOD's SLAD, isolation forest."""
    normal, odd = rows_like(n, d)
    rows = np.concatenate([normal, odd])
    labels = np.repeat([0, 1], [len(normal), len(odd)])
    makers: dict[str, Callable[[int], Any]] = {
        "slad": lambda seed: SLAD.released(
            epochs=10, device=str(options.device), random_state=seed
        ),
        "isolation_forest": lambda seed: IsolationForest(random_state=seed),
    }
    if options.peer:
        sys.path.insert(0, str(options.peer))
        from deepod.models.tabular import slad as peer

        makers["deepod"] = lambda seed: peer.SLAD(
            epochs=10, device=str(options.device), verbose=0, random_state=seed
        )
    times: dict[str, dict[str, list[float]]] = {}
    quality: dict[str, list[float]] = {}
    for repeat in range(repeats):
        for name, make in makers.items():
            if name == "deepod" and repeat >= peer_repeats:
                continue
            detector = make(repeat)
            fit = seconds(lambda: detector.fit(normal), options.device)  # noqa: B023
            found = times.setdefault(name, {"fit": [], "score": []})
            found["fit"].append(fit)
            scored: list[np.ndarray] = []
            found["score"].append(
                seconds(
                    lambda: scored.append(detector.decision_function(rows)),  # noqa: B023
                    options.device,
                )
            )
            sign = 1 if name == "deepod" else -1
            quality.setdefault(name, []).append(roc_auc_score(labels, sign * scored[0]))
    best = {name: {key: min(v) for key, v in parts.items()} for name, parts in times.items()}
    result: dict[str, Any] = {"rows": n, "features": d, "seconds": best, "all_seconds": times}
    result["auc_roc"] = {name: float(np.mean(values)) for name, values in quality.items()}
    result["microseconds_a_row"] = best["slad"]["score"] / len(rows) * 1e6
    if "deepod" in best:
        ours, theirs = best["slad"], best["deepod"]
        result["ratio"] = {key: theirs[key] / ours[key] for key in ours}
        result["ratio"]["fit + score"] = sum(theirs.values()) / sum(ours.values())
    return result


def peers(options: argparse.Namespace) -> dict[str, Any]:
    if options.device.type == "cuda":
        shapes = {(256_000, 32): (3, 1), (5_000, 4_096): (3, 1)}
    else:
        shapes = {(2_441, 10): (7, 7), (5_000, 64): (7, 7)}
    return {f"{n} x {d}": against_peers(options, n, d, *r) for (n, d), r in shapes.items()}


def quality(options: argparse.Namespace) -> dict[str, Any]:
    """AUC-ROC of SLAD and DeepOD's SLAD, 2,441 x 10, over enough seeds to compare."""
    if not options.peer:
        return {}
    sys.path.insert(0, str(options.peer))
    from deepod.models.tabular import slad as peer

    normal, odd = rows_like(2_441, 10)
    rows = np.concatenate([normal, odd])
    labels = np.repeat([0, 1], [len(normal), len(odd)])
    seeds = range(100, 124)
    ours = [SLAD.released(epochs=10, random_state=seed) for seed in seeds]
    fit_many(ours, [normal] * len(ours))
    found: dict[str, list[float]] = {
        "slad": [roc_auc_score(labels, each.anomaly_score(rows)) for each in ours],
        "deepod": [],
    }
    for seed in seeds:  # one after the other: building one seeds the global generators
        theirs = peer.SLAD(epochs=10, device="cpu", verbose=0, random_state=seed).fit(normal)
        found["deepod"].append(roc_auc_score(labels, theirs.decision_function(rows)))
    summary: dict[str, Any] = {
        name: {"mean": float(np.mean(values)), "std": float(np.std(values)), "all": values}
        for name, values in found.items()
    }
    return summary | {"seeds": list(seeds)}


def stack(options: argparse.Namespace) -> dict[str, Any]:
    """96 members of 5,000 x 20, 10 epochs: milliseconds a step of all of them."""
    detectors = [SLAD.released(epochs=10, random_state=seed) for seed in range(96)]
    tables = [rows_like(5_000, 20, seed)[0] for seed in range(96)]
    found: list[tuple[int, float]] = []
    original = loop._Run._advance

    def timed(self: Any, count: int) -> None:
        found.append((count, seconds(lambda: original(self, count), options.device)))

    loop._Run._advance = timed  # type: ignore[method-assign, assignment]
    try:
        whole = seconds(lambda: fit_many(detectors, tables), options.device)
    finally:
        loop._Run._advance = original  # type: ignore[method-assign]
    later = found[1:]  # the first batches pay for the capture of the graph
    return {
        "members": 96,
        "steps": sum(count for count, _ in found),
        "milliseconds_a_step": sum(t for _, t in later) / sum(count for count, _ in later) * 1e3,
        "with_capture": sum(t for _, t in found) / sum(count for count, _ in found) * 1e3,
        "fit_many_seconds": whole,
    }


def growth(options: argparse.Namespace) -> dict[str, Any]:
    """Time for one epoch and for scoring, over four sizes of rows and of features.

    Every row once in every group, so that the number of samples is in proportion to the rows.
    """
    result: dict[str, Any] = {}
    row_sizes = [(n, 32) for n in (2_000, 8_000, 32_000, 128_000)]
    feature_sizes = [(2_000, d) for d in (64, 256, 1_024, 4_096)]
    for n, d in row_sizes + feature_sizes:
        normal, _ = rows_like(n, d)
        fits, scores = [], []
        for repeat in range(3):
            detector = SLAD(epochs=1, row_sampling="all", random_state=repeat)
            fits.append(seconds(lambda: detector.fit(normal), options.device))  # noqa: B023
            scores.append(seconds(lambda: detector.anomaly_score(normal), options.device))  # noqa: B023
        result[f"{n} x {d}"] = {"fit": min(fits), "score": min(scores)}
    return result


def memory(options: argparse.Namespace) -> dict[str, Any]:
    """1,000,000 x 32 on the CPU: rows a second, and memory above the data."""
    return {"score": child("score"), "fit one epoch": child("fit")}


def thrombin(options: argparse.Namespace) -> dict[str, Any]:
    """1,909 x 139,351, sparse; released recipe, 100 epochs."""
    return child("thrombin", str(options.device))


def child(name: str, *words: str) -> dict[str, Any]:
    """A measurement in a process of its own, whose peak memory is nobody else's."""
    with tempfile.TemporaryDirectory() as folder:
        if name == "score":
            SLAD.released(epochs=1, random_state=0, device="cpu").fit(rows_like(2_000, 32)[0]).save(
                Path(folder, "model")
            )
        command = [sys.executable, __file__, "--child", name, *words]
        done = subprocess.run(
            command, cwd=folder, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE, check=True, text=True,
        )  # fmt: skip
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def in_child(name: str, words: list[str]) -> dict[str, Any]:
    cpu = torch.device("cpu")
    if name == "thrombin":
        device = torch.device(words[0])
        data = load("thrombin")
        split = half_normal_split(data.X, data.y, 42)
        torch.zeros(1, device=device)  # the driver's start is not the method's
        before = resident()
        detector = SLAD.released(random_state=42, device=str(device))
        fit = seconds(lambda: detector.fit(split.train), device)
        scores: list[np.ndarray] = []
        score = seconds(lambda: scores.append(detector.anomaly_score(split.test)), device)
        auc = roc_auc_score(split.test_labels, scores[0])
        return {"fit_seconds": fit, "score_seconds": score, "auc_roc": auc} | peak(before)
    n, d = 1_000_000, 32
    table = np.empty((n, d), dtype=np.float32)
    for start in range(0, n, 50_000):
        table[start : start + 50_000] = rows_like(50_000, d, start)[0]
    if name == "score":
        detector = SLAD.load("model")
        detector.anomaly_score(table[:1000])
        before = resident()
        taken = seconds(lambda: detector.anomaly_score(table), cpu)
        return {"rows_per_second": n / taken, "seconds": taken} | peak(before)
    before = resident()
    detector = SLAD.released(epochs=1, random_state=0, device="cpu")
    return {"seconds": seconds(lambda: detector.fit(table), cpu)} | peak(before)


def resident() -> float:
    return status("VmRSS")


def reproduce(options: argparse.Namespace) -> dict[str, Any]:
    """SLAD's part of both of the paper's tables, all sets at hand and seeds, from nothing."""
    recipes = ["slad", "slad-released", "slad-paper"]
    result: dict[str, Any] = {"detectors": recipes}
    for experiment in (effectiveness.STUDY, adbench.STUDY):
        runs, missing = experiment.plan(detectors=recipes)
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            summary = carry_out(runs, Path(folder), device=options.device.type)
            took = time.perf_counter() - start
        result[experiment.name] = {
            "runs": summary.planned,
            "failed": summary.failed,
            "datasets": len({run.dataset for run in runs}),
            "not_at_hand": missing,
            "seconds": took,
        }
    return result


def peak(before: float) -> dict[str, float]:
    """Megabytes of the process at most, and of that above `before`.

    Not getrusage's figure: a child inherits that one from its parent.
    """
    most = status("VmHWM")
    return {"peak_mb": most, "above_data_mb": most - before}


def status(field: str) -> float:
    """A size of this process, in megabytes."""
    with open("/proc/self/status") as lines:
        fields = dict(line.split(":", 1) for line in lines)
    return int(fields[field].split()[0]) / 2**10


CASES: dict[str, Case] = {
    "ceilings": ceilings,
    "peers": peers,
    "quality": quality,
    "stack": stack,
    "growth": growth,
    "memory": memory,
    "thrombin": thrombin,
    "reproduce": reproduce,
}
FOR_DEVICE = {
    "cpu": ["ceilings", "peers", "quality", "growth", "memory", "thrombin"],
    "cuda": ["ceilings", "peers", "stack", "growth", "thrombin", "reproduce"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cases", nargs="+", choices=CASES)
    parser.add_argument("--peer", type=Path, help="folder that holds DeepOD")
    parser.add_argument("--device", default="auto", type=resolve_device)
    parser.add_argument("--results", type=Path, default=Path("paper/results/speed"))
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(in_child(options.child[0], options.child[1:])))
        return
    device = options.device.type
    for name in options.cases or FOR_DEVICE[device]:
        if name in ("thrombin", "reproduce") and "SLAD_DATA" not in os.environ:
            print(f"{name}: left out, SLAD_DATA is not set", file=sys.stderr)
            continue
        print(f"{name} on {device} ...", file=sys.stderr)
        result = CASES[name](options)
        record = {"benchmark": name, "device": device, "result": result}
        write_record(
            options.results / f"{name}-{device}.json", record | {"environment": environment()}
        )
        print(json.dumps({name: result}, indent=1))


if __name__ == "__main__":
    main()
