"""How long explanations take: 100 rows of a SLAD model of 5,000 x 30, against SHAP.

"slad" is one detector of numbers; "table" a model of a table, which averages over its members and
puts reasons into words.

python benchmarks/explain.py                   # writes paper/results/speed/explain-cpu.json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch

from slad.core.devices import resolve_device
from slad.detectors import SLAD
from slad.explain import correlated_blocks, occlusion, reasons, with_groups
from slad.explain.reference import SIZE
from slad.model import TableDetector
from slad_paper.runner.records import environment, write_record
from slad_paper.studies.culprits.methods import BACKGROUND, EVALUATIONS, shap_values

ROWS, COLUMNS, EXPLAINED, SHAP_ROWS, REPEATS = 5_000, 30, 100, 4, 3


def table(n: int, d: int, seed: int = 0) -> np.ndarray:
    """Columns that depend on a few hidden ones, as sensors do."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=(n, 6)) @ rng.normal(size=(6, d))
    noisy: np.ndarray = hidden + 0.3 * rng.normal(size=(n, d))
    return noisy


def explain(detector: SLAD, rows: np.ndarray, reference: np.ndarray) -> None:
    """Everything from scores to ordered reasons, correlated columns included."""
    blocks = [(column, column + 1) for column in range(rows.shape[1])]
    groups = correlated_blocks(reference, blocks)
    found = occlusion(detector.anomaly_score, rows, reference, with_groups(blocks, groups))
    reasons(found.contributions, groups)


def measure(device: torch.device) -> dict[str, Any]:
    normal = table(ROWS, COLUMNS)
    odd = np.random.default_rng(1).permuted(normal[:EXPLAINED], axis=0)
    detector = SLAD(random_state=0, device=str(device)).fit(normal)
    reference, blocks = normal[-SIZE:], [(column, column + 1) for column in range(COLUMNS)]
    detector.anomaly_score(odd)  # the first scoring prepares the model
    model = TableDetector("slad-subspaces", device=str(device)).fit(normal)
    ours, words, theirs = [], [], []
    for _ in range(REPEATS):  # by turns: a machine that slows down slows both
        start = perf_counter()
        explain(detector, odd, reference)
        ours.append(perf_counter() - start)
        start = perf_counter()
        model.explain(odd, np.arange(EXPLAINED))
        words.append(perf_counter() - start)
        start = perf_counter()
        shap_values(detector.anomaly_score, odd[:SHAP_ROWS], normal, blocks, seed=0)
        theirs.append((perf_counter() - start) * EXPLAINED / SHAP_ROWS)
    return {
        "rows": ROWS,
        "columns": COLUMNS,
        "explained": EXPLAINED,
        "reference": SIZE,
        "members": len(model.members_),
        "seconds": {"slad": min(ours), "table": min(words), "shap": min(theirs)},
        "all_seconds": {"slad": ours, "table": words, "shap": theirs},
        "shap": {"background": BACKGROUND, "evaluations": EVALUATIONS, "rows": SHAP_ROWS},
        "ratio": min(theirs) / min(ours),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--device", default="auto", type=resolve_device)
    parser.add_argument("--results", type=Path, default=Path("paper/results/speed"))
    options = parser.parse_args()
    device = options.device.type
    result = measure(options.device)
    record = {"benchmark": "explain", "device": device, "result": result}
    write_record(
        options.results / f"explain-{device}.json", record | {"environment": environment()}
    )
    print(json.dumps({"explain": result}, indent=1))


if __name__ == "__main__":
    main()
