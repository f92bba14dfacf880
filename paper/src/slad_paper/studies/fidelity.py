"""What each difference between the paper's text and its released code is worth.

The released recipe with one thing changed, on four of the paper's datasets, with the split and the
model seeds of its main table (`slad reproduce effectiveness`); and the released code itself, as
DeepOD carries it, for a check of data and split. One record a recipe and dataset under
results/fidelity/; what is recorded is not run again.

    python -m slad_paper.studies.fidelity                 # run what is missing, print the table
    python -m slad_paper.studies.fidelity --table         # print the table of what is there
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.preprocessing import MinMaxScaler

from slad.core.typing import Table
from slad.detectors import RELEASED_EPOCHS, SLAD, fit_many
from slad_paper.datasets import load
from slad_paper.datasets.protocol import half_normal_split
from slad_paper.runner.metrics import auc_pr, auc_roc
from slad_paper.runner.records import environment, write_record
from slad_paper.studies.effectiveness import EXPERIMENT

SPLIT_SEED = 42
DATASETS = ("thyroid", "arrhythmia", "waveform", "pageblocks")
PEER = "deepod"

VARIANTS: dict[str, dict[str, Any]] = {
    "released": {},
    "jensen-shannon": {"loss": "jensen_shannon"},
    "kl": {"loss": "kl"},
    "affine maps": {"maps": "affine"},
    "network bias": {"bias": True},
    "all lengths": {"length_pool": None},
    "no replacement": {"replace_up_to": 0},
    "plain weights": {"rescale_weights": False},
    "all rows": {"row_sampling": "all"},
    "no weight decay": {"weight_decay": 0.0},
    "standard scaling": {"scaling": "standard"},
}
"""The released recipe with one thing changed."""


class Peer:
    """DeepOD's SLAD, the released code as it is (`--peer DIR`)."""

    def __init__(self, epochs: int, seed: int) -> None:
        self.epochs, self.seed = epochs, seed

    def fit(self, rows: np.ndarray) -> Peer:
        from deepod.models.tabular import slad

        self.scaler = MinMaxScaler().fit(rows)
        self.detector = slad.SLAD(
            epochs=self.epochs, device="cpu", verbose=0, random_state=self.seed
        ).fit(self.scaler.transform(rows))
        return self

    def anomaly_score(self, rows: np.ndarray) -> np.ndarray:
        scores: np.ndarray = self.detector.decision_function(self.scaler.transform(rows))
        return scores


def fit_all(recipe: str, dataset: str, rows: Table, seeds: Sequence[int]) -> list[Any]:
    """A detector of every model seed, fitted, with the epochs the authors used."""
    epochs = RELEASED_EPOCHS.get(dataset, 100)
    if recipe == PEER:
        return [Peer(epochs, seed).fit(rows) for seed in seeds]
    detectors = [
        SLAD.released(random_state=seed, epochs=epochs, **VARIANTS[recipe]) for seed in seeds
    ]
    return list(fit_many(detectors, [rows] * len(detectors)))


def run(recipe: str, dataset: str, seeds: Sequence[int] = EXPERIMENT.seeds) -> dict[str, Any]:
    """AUC-ROC and AUC-PR of every model seed."""
    data = load(dataset, download=False)
    start = time.perf_counter()
    split = half_normal_split(data.X, data.y, SPLIT_SEED)
    detectors = fit_all(recipe, dataset, split.train, seeds)
    scores = [detector.anomaly_score(split.test) for detector in detectors]
    parameters = {} if recipe == PEER else detectors[0]._plain_parameters()
    return {
        "experiment": "fidelity",
        "recipe": recipe,
        "dataset": dataset,
        "files": [file.path for file in data.entry.files],
        "split_seed": SPLIT_SEED,
        "model_seeds": list(seeds),
        "parameters": parameters | {"random_state": "model_seeds"},
        "auc_roc": [auc_roc(split.test_labels, each) for each in scores],
        "auc_pr": [auc_pr(split.test_labels, each) for each in scores],
        "seconds": round(time.perf_counter() - start, 2),
        "environment": environment(),
    }


def table(folder: Path) -> Iterator[str]:
    """The records as Markdown: AUC-ROC, AUC-PR."""
    yield "| released recipe | " + " | ".join(DATASETS) + " |"
    yield "|---" * (len(DATASETS) + 1) + "|"
    for recipe in VARIANTS:
        cells = []
        for dataset in DATASETS:
            path = record_path(folder, recipe, dataset)
            cells.append(_cell(json.loads(path.read_text())) if path.exists() else "")
        name = "as it is" if recipe == "released" else recipe
        yield f"| {name} | " + " | ".join(cells) + " |"


def record_path(folder: Path, recipe: str, dataset: str) -> Path:
    return folder / f"{recipe.replace(' ', '-')}-{dataset}.json"


def _cell(record: dict[str, Any]) -> str:
    return ", ".join(f"{np.mean(record[key]):.3f}" for key in ("auc_roc", "auc_pr"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), help="by catalog name")
    parser.add_argument("--recipes", nargs="+", choices=(*VARIANTS, PEER), default=list(VARIANTS))
    parser.add_argument("--peer", type=Path, help="folder that holds DeepOD 0.4.1")
    parser.add_argument("--seeds", nargs="+", type=int, default=EXPERIMENT.seeds)
    parser.add_argument("--results", type=Path, default=Path("results/fidelity"))
    parser.add_argument("--again", action="store_true", help="run what is recorded already, too")
    parser.add_argument("--table", action="store_true", help="run nothing")
    options = parser.parse_args()
    if options.peer:
        sys.path.insert(0, str(options.peer))
    if not options.table:
        for recipe in options.recipes:
            for dataset in options.datasets:
                path = record_path(options.results, recipe, dataset)
                if options.again or not path.exists():
                    print(f"{recipe} on {dataset} ...", file=sys.stderr)
                    write_record(path, run(recipe, dataset, options.seeds))
    print("\n".join(table(options.results)))


if __name__ == "__main__":
    main()
