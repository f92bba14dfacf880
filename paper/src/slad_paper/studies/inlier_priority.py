"""The paper's figure of the inlier-priority property: losses of test rows after every epoch.

Training rows are contaminated by 2 % anomalies. The paper's datasets, three model seeds, and the
released recipe with its exceptions by dataset (epochs, scaling), the paper's text and our default.
Epoch 0, the network as it was drawn, is the control: what is apart there was not learned.

All epochs are those of one training. `Snapshots` keeps the weights at the end of each, and the
test rows are scored under all of them afterwards. (A training of e epochs is the beginning of a
longer one to the bit, so that E trainings would give the same, for E / 2 times the work.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from slad.core.typing import Float, Table
from slad.detectors import SLAD, fit_many
from slad.learning import Snapshots
from slad_paper.datasets import load
from slad_paper.datasets.protocol import contaminated_split
from slad_paper.runner.losses import QUANTILES, RECIPES, box, parameters, short
from slad_paper.runner.metrics import auc_roc
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies import effectiveness

RATE = 0.02
SPLIT_SEED = 42
SEEDS = (42, 43, 44)
MAX_ROWS = 10_000
QUICK_DATASETS = ("breast-cancer",)
QUICK_EPOCHS = 3


def cases(quick: bool) -> list[Case]:
    """Every recipe on every dataset; of a quick look, on one that needs no file."""
    every = [name for row in effectiveness.ROWS for name in row.datasets]
    names: Sequence[str] = QUICK_DATASETS if quick else every
    return [_case(recipe, name, quick) for name in names for recipe in RECIPES]


def _case(recipe: str, dataset: str, quick: bool) -> Case:
    shorter = {"epochs": QUICK_EPOCHS} if quick else {}
    settings = {
        "recipe": recipe,
        "dataset": dataset,
        "parameters": dict(effectiveness.STUDY.of_dataset.get((recipe, dataset), {})) | shorter,
        "contamination": RATE,
        "split_seed": SPLIT_SEED,
        "model_seeds": list(SEEDS[:1] if quick else SEEDS),
        "max_rows": MAX_ROWS,
    }
    return Case(f"{recipe}-{dataset}", settings, (dataset,))


def run(case: Case, device: str) -> dict[str, Any]:
    """Losses of test inliers and test anomalies before training and after every epoch."""
    settings = case.settings
    data = load(settings["dataset"], download=False)
    split = contaminated_split(
        data.X,
        data.y,
        settings["split_seed"],
        rate=settings["contamination"],
        max_rows=settings["max_rows"],
    )
    make = RECIPES[settings["recipe"]]
    detectors = [
        make(random_state=seed, device=device, **settings["parameters"])
        for seed in settings["model_seeds"]
    ]
    scores = scores_by_epoch(detectors, split.train, split.test)
    return {
        "detector": parameters(detectors[0]),
        "rows": {
            "train": len(split.train_labels),
            "train_anomalies": int(split.train_labels.sum()),
            "test": len(split.test_labels),
            "test_anomalies": int(split.test_labels.sum()),
            "features": split.train.shape[1],
        },
        "quantiles": list(QUANTILES),
        "runs": [
            {"model_seed": seed, **_summary(mine, split.test_labels)}
            for seed, mine in zip(settings["model_seeds"], scores, strict=True)
        ],
    }


def scores_by_epoch(
    detectors: Sequence[SLAD], train: Table, test: Table
) -> list[Float[np.ndarray, "n epochs"]]:
    """Of each detector of one member, fitted here: scores before training and after every epoch.

    The detectors must have the same number of epochs, so that the stack keeps their order.
    """
    kept = Snapshots()
    fit_many(detectors, [train] * len(detectors), callbacks=[kept])
    found = []
    for detector, weights in zip(detectors, kept.weights, strict=True):
        every = torch.stack([*detector.initial_weights(), *weights])
        found.append(detector.scores_under(test, [every]))
    return found


def _summary(scores: Float[np.ndarray, "n epochs"], labels: np.ndarray) -> dict[str, Any]:
    """AUC-ROC and boxes of both groups, a value each for every epoch."""
    epochs = list(scores.T)
    groups = {"inliers": labels == 0, "anomalies": labels == 1}
    return {
        "auc_roc": [short(auc_roc(labels, of_epoch)) for of_epoch in epochs],
        **{name: [box(of_epoch[chosen]) for of_epoch in epochs] for name, chosen in groups.items()},
    }


STUDY = CaseStudy(name="inlier-priority", cases=cases, run=run)
