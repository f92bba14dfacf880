"""The paper's figure of class dependency: losses of all classes after training on one of them.

Fashion-MNIST, every pixel a feature: the 6,000 training images of one class train, the 10,000 test
images of all ten are scored. The paper shows classes 0 and 1, here with five model seeds; the other
eight, each as the trained class with two seeds, are for a table. The control is the same network
before its first step: classes that are apart there are told apart by the input and not by learning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch

from slad.core.typing import Float, Int
from slad.detectors import fit_many
from slad.learning import Snapshots
from slad_paper.datasets import data_root, load
from slad_paper.datasets.readers.idx import read_idx
from slad_paper.runner.losses import QUANTILES, RECIPES, box, parameters, short
from slad_paper.runner.metrics import auc_roc
from slad_paper.runner.study import Case, CaseStudy

DATASET = "fmnist-0"
"""Any of the ten names: they are the same images."""
CLASSES = range(10)
SHOWN = (0, 1)
"""The classes that the paper trains on."""
SEEDS = (42, 43, 44, 45, 46)
FEWER_SEEDS = 2
QUICK_ROWS = {"train_rows": 300, "test_rows_of_class": 40}
QUICK_EPOCHS = 3


@dataclass(frozen=True)
class Images:
    """The training and the test images with their classes, as the set's authors part them."""

    train: Float[np.ndarray, "n d"]
    train_classes: Int[np.ndarray, " n"]
    test: Float[np.ndarray, "m d"]
    test_classes: Int[np.ndarray, " m"]

    def of_class(self, which: int, count: int | None) -> Float[np.ndarray, "k d"]:
        """The first training images of a class."""
        chosen = np.flatnonzero(self.train_classes == which)[:count]
        return np.asarray(self.train[chosen])

    def tested(self, of_class: int | None) -> tuple[np.ndarray, np.ndarray]:
        """The first test images of every class, and their classes."""
        places = [np.flatnonzero(self.test_classes == which)[:of_class] for which in CLASSES]
        chosen = np.sort(np.concatenate(places))
        return self.test[chosen], self.test_classes[chosen]


@cache
def images() -> Images:
    data = load(DATASET, download=False)
    paths = [data_root() / file.path for file in data.entry.files[1::2]]
    train, test = (read_idx(path, dimensions=1).astype(int) for path in paths)
    return Images(data.X[: len(train)], train, data.X[len(train) :], test)


def cases(quick: bool) -> list[Case]:
    """Every recipe trained on every class; of a quick look, on the first one."""
    trained = CLASSES[:1] if quick else CLASSES
    return [_case(recipe, which, quick) for which in trained for recipe in RECIPES]


def _case(recipe: str, trained: int, quick: bool) -> Case:
    seeds = SEEDS if trained in SHOWN else SEEDS[:FEWER_SEEDS]
    settings = {
        "recipe": recipe,
        "trained_class": trained,
        "parameters": {"epochs": QUICK_EPOCHS} if quick else {},
        "model_seeds": list(seeds[:1] if quick else seeds),
        **(QUICK_ROWS if quick else dict.fromkeys(QUICK_ROWS)),
    }
    return Case(f"{recipe}-class-{trained}", settings, (DATASET,))


def run(case: Case, device: str) -> dict[str, Any]:
    """Losses of every class under the trained network and under the one it began as."""
    settings = case.settings
    make, seeds = RECIPES[settings["recipe"]], settings["model_seeds"]
    rows = images().of_class(settings["trained_class"], settings["train_rows"])
    test, classes = images().tested(settings["test_rows_of_class"])
    detectors = [make(random_state=seed, device=device, **settings["parameters"]) for seed in seeds]
    runs = []
    for detector, seed in zip(detectors, seeds, strict=True):  # as a stack they fill a CPU's memory
        kept = Snapshots()
        fit_many([detector], [rows], callbacks=[kept])
        ends = torch.stack([*detector.initial_weights(), kept.weights[0][-1]])
        before, after = detector.scores_under(test, [ends]).T
        runs.append(
            {
                "model_seed": seed,
                "untrained": _summary(before, classes, settings["trained_class"]),
                "trained": _summary(after, classes, settings["trained_class"]),
            }
        )
    return {
        "detector": parameters(detectors[0]),
        "rows": {"train": len(rows), "test": len(test), "features": rows.shape[1]},
        "quantiles": list(QUANTILES),
        "runs": runs,
    }


def _summary(
    losses: Float[np.ndarray, " n"], classes: Int[np.ndarray, " n"], trained: int
) -> dict[str, Any]:
    """A box of every class, and the AUC-ROC of each new class, and of all, against the trained."""
    return {
        "boxes": [box(losses[classes == which]) for which in CLASSES],
        "auc_roc": [
            None if which == trained else _apart(losses, classes, trained, [which])
            for which in CLASSES
        ],
        "auc_roc_of_all": _apart(losses, classes, trained, CLASSES),
    }


def _apart(
    losses: Float[np.ndarray, " n"],
    classes: Int[np.ndarray, " n"],
    trained: int,
    others: Sequence[int],
) -> float:
    chosen = np.isin(classes, [trained, *others])
    return short(auc_roc((classes[chosen] != trained).astype(int), losses[chosen]))


STUDY = CaseStudy(name="class-dependency", cases=cases, run=run)
