"""What each difference between the paper's text and its released code is worth.

The released recipe with one thing changed, on four of the paper's datasets, with the split and the
model seeds of its main table; and the released code itself, as DeepOD carries it, where SLAD_PEERS
names the folder that holds it.
"""

from __future__ import annotations

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
from slad_paper.runner.peers import peers_folder
from slad_paper.runner.records import flat_records
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies import effectiveness

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
    """DeepOD's SLAD, the released code as it is."""

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


def cases(quick: bool) -> list[Case]:
    """Every recipe on every dataset; the released code itself where SLAD_PEERS says where it is."""
    recipes = [*VARIANTS, *([PEER] if peers_folder() else [])]
    seeds = list(effectiveness.STUDY.seeds)
    if quick:
        recipes, seeds = ["released"], seeds[:1]
    return [
        Case(
            f"{recipe.replace(' ', '-')}-{dataset}",
            {"recipe": recipe, "dataset": dataset, "split_seed": SPLIT_SEED, "model_seeds": seeds},
            (dataset,),
        )
        for recipe in recipes
        for dataset in (DATASETS[:1] if quick else DATASETS)
    ]


def run(case: Case, device: str) -> dict[str, Any]:
    """AUC-ROC and AUC-PR of every model seed."""
    recipe, dataset = case.settings["recipe"], case.settings["dataset"]
    data = load(dataset, download=False)
    split = half_normal_split(data.X, data.y, SPLIT_SEED)
    detectors = fit_all(recipe, dataset, split.train, case.settings["model_seeds"])
    scores = [detector.anomaly_score(split.test) for detector in detectors]
    parameters = {} if recipe == PEER else detectors[0]._plain_parameters()
    return {
        "files": [file.path for file in data.entry.files],
        "parameters": parameters | {"random_state": "model_seeds"},
        "auc_roc": [auc_roc(split.test_labels, each) for each in scores],
        "auc_pr": [auc_pr(split.test_labels, each) for each in scores],
    }


def table(folder: Path) -> Iterator[str]:
    """The records as Markdown: AUC-ROC, AUC-PR."""
    records = {(each["recipe"], each["dataset"]): each for each in flat_records(folder)}
    yield "| released recipe | " + " | ".join(DATASETS) + " |"
    yield "|---" * (len(DATASETS) + 1) + "|"
    for recipe in VARIANTS:
        found = [records.get((recipe, dataset)) for dataset in DATASETS]
        name = "as it is" if recipe == "released" else recipe
        yield f"| {name} | " + " | ".join(_cell(each) if each else "" for each in found) + " |"


def _cell(record: dict[str, Any]) -> str:
    return ", ".join(f"{np.mean(record[key]):.3f}" for key in ("auc_roc", "auc_pr"))


STUDY = CaseStudy(name="fidelity", cases=cases, run=run)
