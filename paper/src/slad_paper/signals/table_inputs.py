"""The network's inputs for the judged rows of a table: what the workers make and keep in a folder.

In the case "own" the rows are treated as `slad detect` treats them: in folds, each row by looks
that have not seen it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from slad.core.files import written_aside
from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.detectors.learned_signals import LearnedSignals
from slad.detectors.signals.looks import Looks
from slad_paper.datasets.one_class import one_class_table, rows_of
from slad_paper.runner.worker import failure, serve
from slad_paper.studies.table_runs import SEED, folds_of

WEIGHTS_OF = {"clean": "clean", "own": "mixed", "mixed": "mixed"}
"""Case of the study `tables`: case of the weights."""


@dataclass(frozen=True)
class TableInputs:
    """A table in a case, and where its inputs are kept."""

    table: str
    case: str
    folder: str

    def __str__(self) -> str:
        return f"{self.table}, {self.case}"

    @property
    def path(self) -> Path:
        return Path(self.folder) / self.case / f"{self.table}.npz"


@dataclass(frozen=True)
class Task:
    """A table in a case as the network sees it."""

    table: str
    group: str
    case: str
    inputs: Float[np.ndarray, "n inputs"]
    """In half precision: first those that it is monotone in, then the contrasts."""
    labels: Int[np.ndarray, " n"]
    fold: Int[np.ndarray, " n"]
    """The fold that a row of "own" was held out of."""


def load(wanted: TableInputs) -> Task:
    with np.load(wanted.path, allow_pickle=False) as stored:
        return Task(
            wanted.table,
            one_class_table(wanted.table).group,
            wanted.case,
            stored["inputs"],
            stored["labels"],
            stored["fold"],
        )


def make(wanted: TableInputs) -> None:
    """Compute the inputs and write them."""
    rows = rows_of(one_class_table(wanted.table), wanted.case)
    clean = WEIGHTS_OF[wanted.case] == "clean"
    found: list[np.ndarray] = [np.zeros(0)] * len(rows.judged)
    fold_of = np.zeros(len(rows.judged), dtype=np.int8)
    for number, fold in enumerate(folds_of(rows)):
        looks, _ = Looks.fit(
            rows.train[fold.train],
            clean=clean,
            max_rows=LearnedSignals().max_rows,
            seed=Streams(SEED, number).key("detector") % 2**31,
            device=torch.device("cpu"),
        )
        judged = fold.held if rows.own else np.arange(len(rows.judged))
        inputs = np.hstack(looks.inputs(rows.judged[judged])).astype(np.float16)
        fold_of[judged] = number
        for place, row in zip(judged, inputs, strict=True):
            found[place] = row
    wanted.path.parent.mkdir(parents=True, exist_ok=True)
    with written_aside(wanted.path) as aside, open(aside, "wb") as file:
        np.savez(file, inputs=np.stack(found), labels=rows.labels.astype(np.int8), fold=fold_of)


def carry_out(unit: list[TableInputs], device: str) -> Iterator[dict[str, Any]]:
    torch.set_num_threads(1)
    for wanted in unit:
        try:
            make(wanted)
        except Exception as error:
            yield failure(f"{type(error).__name__}: {error}")
        else:
            yield {"status": "ok", "reason": None, "metrics": None}


if __name__ == "__main__":
    serve(lambda unit, device: carry_out([TableInputs(**run) for run in unit], device))
