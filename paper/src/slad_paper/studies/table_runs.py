"""A detector on one of the one-class tables: what the workers of the study `tables` do.

A table that judges its own rows is treated as `slad detect` treats it: in folds, every row scored
by a detector that has not seen it, and scores standardised fold by fold.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from slad.core.typing import Float
from slad.decisions import Fold, Standard, make_folds
from slad.detectors import Detector
from slad.model.fold_model import fit_detectors
from slad.model.validation import detector_of_fold
from slad_paper.datasets.one_class import Rows, one_class_table, rows_of
from slad_paper.runner.metrics import measure
from slad_paper.runner.plan import Contender
from slad_paper.runner.worker import failure, serve

SEED = 0
SHOWN = ("auc_roc", "auc_pr", "tpr_at_1")
DIGITS = 6
BESIDE: Mapping[str, tuple[str, Mapping[str, Any]]] = {"knn-50": ("knn-5", {"n_neighbors": 50})}
"""Label: a registered detector and what is set in it although its name fixes it otherwise.

Fifty neighbours, because anomalies that train have each other as nearest neighbours.
"""


@dataclass(frozen=True)
class TableRun:
    """A contender on a table in one of the cases."""

    label: str
    case: str
    table: str

    def __str__(self) -> str:
        return f"{self.label} on {self.table}"


def detector_of(label: str, case: str, fold: int = 0, device: str = "cpu") -> Detector:
    """The unfitted detector of a label, `knn-5` or `slad[epochs=20]`, for a fold of a table.

    A detector with a parameter `clean` is told whether its training rows are all normal.
    """
    name, given = BESIDE.get(label, (label, {}))
    contender = Contender.parse(name)
    settings = {"device": device, "clean": case == "clean"}
    detector = detector_of_fold(contender.name, SEED, fold, settings, contender.parameters)
    detector.set_params(**given)
    return detector


def measured(labels: np.ndarray, scores: np.ndarray) -> dict[str, float]:
    """The metrics of this study."""
    every = measure(labels, scores)
    return {name: round(every[name], DIGITS) for name in SHOWN}


def carry_out(unit: Sequence[TableRun], device: str) -> Iterator[dict[str, Any]]:
    """The outcome of every run, in order. Networks of all runs of a unit train as one stack.

    Where a unit fails its halves are tried, so that a failure is that of one table.
    """
    start = time.perf_counter()
    try:
        fits = [_fit(run, device) for run in unit]
        detectors = [each for fit in fits for each in fit.detectors]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a table is like is no news here
            fit_detectors(detectors, [table for fit in fits for table in fit.tables])
            found = [measured(fit.rows.labels, fit.scores()) for fit in fits]
    except Exception as error:
        if len(unit) == 1:
            yield failure(f"{type(error).__name__}: {error}")
            return
        half = len(unit) // 2
        yield from carry_out(unit[:half], device)
        yield from carry_out(unit[half:], device)
        return
    seconds = round((time.perf_counter() - start) / len(unit), 3)
    for metrics in found:
        yield {"status": "ok", "reason": None, "metrics": metrics, "seconds": seconds}


@dataclass
class _Fit:
    """A run's rows, its folds and their detectors. Rows that judge others are one fold."""

    rows: Rows
    folds: list[Fold]
    detectors: list[Detector]
    tables: list[Float[np.ndarray, "n d"]] = field(init=False)

    def __post_init__(self) -> None:
        self.tables = [self.rows.train[fold.train] for fold in self.folds]

    def scores(self) -> Float[np.ndarray, " m"]:
        """Of the judged rows."""
        if not self.rows.own:
            return self.detectors[0].anomaly_score(self.rows.judged)
        scores = np.empty(len(self.rows.judged))
        for fold, detector in zip(self.folds, self.detectors, strict=True):
            held = detector.anomaly_score(self.rows.judged[fold.held])
            scores[fold.held] = Standard.fit(held).apply(held)
        return scores


def folds_of(rows: Rows) -> list[Fold]:
    """The folds of a table that judges itself; else one, in which all rows train."""
    if rows.own:
        return make_folds(len(rows.train), own_rows=True, seed=SEED)
    return [Fold(np.arange(len(rows.train)), np.arange(0))]


def _fit(run: TableRun, device: str) -> _Fit:
    rows = rows_of(one_class_table(run.table), run.case)
    folds = folds_of(rows)
    detectors = [detector_of(run.label, run.case, at, device) for at in range(len(folds))]
    return _Fit(rows, folds, detectors)


if __name__ == "__main__":
    serve(lambda unit, device: carry_out([TableRun(**run) for run in unit], device))
