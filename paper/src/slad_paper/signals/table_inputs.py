"""The network's inputs for the judged rows of a table: what the workers make and keep in a folder.

In the case "own" the rows are treated as `slad detect` treats them: in folds, each row by looks
that have not seen it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch

from slad.core.files import written_aside
from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.decisions import make_folds
from slad.detectors.learned_signals import LearnedSignals
from slad.detectors.signals.looks import Looks
from slad.tables import ColumnPlan, Encoder, plan_columns
from slad_paper.datasets.one_class import OneClassTable, one_class_table, rows_of
from slad_paper.runner.worker import failure, serve
from slad_paper.signals.planting import spoilt
from slad_paper.studies.table_runs import SEED, folds_of

TRAINING = {
    "clean": "clean",
    "own": "mixed",
    "mixed": "mixed",
    "planted clean": "clean",
    "planted own": "mixed",
}
"""Case of the study `tables`, or of errors planted in these tables: what the training rows are."""
PLANTED = ("planted clean", "planted own")
OWN = ("own", "planted own")
"""Cases in which the judged rows train, in folds."""


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
        return Path(self.folder) / self.case.replace(" ", "-") / f"{self.table}.npz"


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


def teach(kind: str, case: str) -> bool:
    """Whether weights of a kind learn from tables in a case.

    Weights that seek wrong cells learn from rows that are odd as a whole, too.
    """
    training, sought = kind.split()
    return TRAINING[case] == training and (sought == "cells" or case not in PLANTED)


def kind_of(case: str) -> str:
    """The kind of the weights that judge tables in a case."""
    return f"{TRAINING[case]} {'cells' if case in PLANTED else 'rows'}"


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


@dataclass(frozen=True)
class _Part:
    """Rows to learn from, rows to judge, and the places of these among all judged rows."""

    train: Float[np.ndarray, "n d"]
    judged: Float[np.ndarray, "m d"]
    places: Int[np.ndarray, " m"]


def make(wanted: TableInputs) -> None:
    """Compute the inputs and write them; no rows of a table that cannot be had in the case."""
    table = one_class_table(wanted.table)
    labels, parts = (
        _planted(table, wanted.case) if wanted.case in PLANTED else _given(table, wanted.case)
    )
    found: list[np.ndarray] = [np.zeros(0, dtype=np.float16)] * len(labels)
    fold = np.zeros(len(labels), dtype=np.int8)
    for number, part in enumerate(parts):
        looks, _ = Looks.fit(
            part.train,
            clean=TRAINING[wanted.case] == "clean",
            max_rows=LearnedSignals().max_rows,
            seed=Streams(SEED, number).key("detector") % 2**31,
        )
        inputs = np.hstack(looks.inputs(part.judged)).astype(np.float16)
        fold[part.places] = number
        for place, row in zip(part.places, inputs, strict=True):
            found[place] = row
    wanted.path.parent.mkdir(parents=True, exist_ok=True)
    stacked = np.stack(found) if found else np.zeros((0, 0), dtype=np.float16)
    with written_aside(wanted.path) as aside, open(aside, "wb") as file:
        np.savez(file, inputs=stacked, labels=labels.astype(np.int8), fold=fold)


def _given(table: OneClassTable, case: str) -> tuple[Int[np.ndarray, " n"], list[_Part]]:
    rows = rows_of(table, case)
    every = np.arange(len(rows.judged))
    held = [(fold.train, fold.held if rows.own else every) for fold in folds_of(rows)]
    parts = [_Part(rows.train[train], rows.judged[judged], judged) for train, judged in held]
    return rows.labels, parts


def _planted(table: OneClassTable, case: str) -> tuple[Int[np.ndarray, " n"], list[_Part]]:
    """Encoded as `TableDetector` encodes it, anew in every fold."""
    found = spoilt(table)
    if found is None:
        return np.zeros(0, dtype=np.int64), []
    frame, labels = found
    plan = plan_columns(frame)
    if case == "planted own":
        folds = make_folds(len(labels), own_rows=True, seed=SEED)
        return labels, [_encoded(frame, plan, fold.train, fold.held, fold.held) for fold in folds]
    normal = np.flatnonzero(labels == 0)
    train = normal[::2]
    judged = np.setdiff1d(np.arange(len(labels)), train)
    return labels[judged], [_encoded(frame, plan, train, judged, np.arange(len(judged)))]


def _encoded(
    frame: pa.Table,
    plan: Sequence[ColumnPlan],
    train: Int[np.ndarray, " n"],
    judged: Int[np.ndarray, " m"],
    places: Int[np.ndarray, " m"],
) -> _Part:
    rows = frame.take(train)
    encoder = Encoder.fit(rows, plan)
    return _Part(encoder.transform(rows), encoder.transform(frame.take(judged)), places)


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
