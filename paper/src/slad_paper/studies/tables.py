"""Every detector on the 867 one-class tables, in the three cases of learning from them.

A record holds a detector in a case: its metrics on all tables, in the order of `tables.csv`, which
lies beside the records and says what the tables are. What an interrupted start has done stands in
a file `....partial`, which the next one goes on with.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError
from slad.core.files import written_aside
from slad.core.names import unknown
from slad.detectors import Capability, registry
from slad_paper.datasets.one_class import (
    CASES,
    OneClassTable,
    one_class_table,
    one_class_tables,
    rows_of,
)
from slad_paper.runner import records
from slad_paper.runner.partial import Partial
from slad_paper.runner.plan import OF_THE_MACHINE
from slad_paper.runner.pool import Pool
from slad_paper.runner.progress import Line
from slad_paper.runner.study import Case, Choice, Study, possible
from slad_paper.studies import table_runs
from slad_paper.studies.table_runs import BESIDE, SEED, SHOWN, TableRun, detector_of, measured

NAME = "tables"
LISTING = "tables.csv"
LEARNED_HERE = ("learned-signals",)
"""Detectors whose weights were learned on these tables: with them they are no comparison."""
CONTENDERS = (*(name for name in registry.names() if name not in LEARNED_HERE), *BESIDE)
QUICK_CONTENDERS = ("ecod", "iforest", "knn-5")
QUICK_STEP = 80
"""A quick look takes one table in so many."""
STACK = {"own": 25}
STACK_OF_OTHERS = 125
"""Tables whose networks train as one stack on a GPU; those that judge themselves have five each."""


@dataclass(frozen=True)
class TablesCase(Case):
    """A detector in a case, on all tables."""

    folder: Path = Path()
    workers: int = 1

    def result(self, device: str) -> dict[str, Any]:
        label, case = self.settings["detector"], self.settings["case"]
        names = _listed(self.folder, self.settings["every"])
        partial = Partial(self.path(self.folder).with_suffix(".partial"), self.identity())
        pending = [TableRun(label, case, name) for name in names if name not in partial.outcomes]
        line = Line(pending, self.workers)
        line.begin(len(names) - len(pending), f"tables of {self.name}")
        with Pool[TableRun](self.workers, table_runs.__name__) as pool:
            for run, outcome, seconds in pool.outcomes(*_units(pending, device)):
                partial.add(run.table, outcome)
                line.done(run, seconds, outcome["status"] != "ok")
        partial.remove()
        return _summary(names, partial.outcomes)


@dataclass(frozen=True)
class Tables(Study):
    def plan(self, **choice: Unpack[Choice]) -> tuple[Sequence[TablesCase], list[str]]:
        """The cases of the chosen detectors; what they were told last is what runs last."""
        quick = choice.get("quick", False)
        labels = choice.get("detectors") or (QUICK_CONTENDERS if quick else CONTENDERS)
        cases = choice.get("cases") or CASES
        for case in cases:
            if case not in CASES:
                raise unknown(f"case of {self.name}", case, CASES)
        folder = choice.get("folder") or self.folder(quick)
        planned = [
            TablesCase(
                case_name(label, case),
                _settings(label, case, QUICK_STEP if quick else 1),
                experiment=self.name,
                folder=folder,
                workers=choice.get("workers") or os.cpu_count() or 1,
            )
            for label in dict.fromkeys(labels)
            for case in dict.fromkeys(cases)
        ]
        return possible(self.name, planned, choice.get("folder"))


STUDY = Tables(NAME)


def case_name(label: str, case: str) -> str:
    return f"{label} on {case}"


def write_record(
    folder: Path,
    label: str,
    case: str,
    scores: Mapping[str, np.ndarray],
    about: Mapping[str, Any],
    command: str | None = None,
) -> Path:
    """Record scores that were not made by `slad reproduce tables`; where the record is.

    For a detector that was trained on some of these tables and judges the others. `scores` holds
    an anomaly score for each row of `rows_of(table, case).judged`, by the name of the table, for
    all tables; rows of "own" that were scored in folds have standardised scores. `about` says, in
    plain values, what the scores come from, and `command` how to make them again. A record that is
    there is replaced.
    """
    names = _listed(folder, 1)
    if missing := [name for name in names if name not in scores]:
        raise ConfigError(f"scores of {len(missing)} tables are missing, as of {missing[0]!r}")
    outcomes = {
        name: {"metrics": measured(rows_of(one_class_table(name), case).labels, scores[name])}
        for name in names
    }
    known = {"detector": label, "case": case, "seed": SEED, "every": 1}
    written = Case(case_name(label, case), {**known, **about}, experiment=NAME)
    path = written.path(folder)
    record = {"result": _summary(names, outcomes), "environment": records.environment(command)}
    records.write_record(path, {"format": records.FORMAT} | written.identity() | record)
    return path


def _settings(label: str, case: str, every: int) -> dict[str, Any]:
    parameters = detector_of(label, case).get_params()
    return {
        "detector": label,
        "case": case,
        "seed": SEED,
        "every": every,
        "parameters": {k: v for k, v in parameters.items() if k not in OF_THE_MACHINE},
    }


def _listed(folder: Path, every: int) -> list[str]:
    """The names of the tables; what they are is written beside the records, or is there already."""
    tables = one_class_tables()[::every]
    path = folder / LISTING
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with written_aside(path) as aside:
            aside.write_text(listing(tables), "utf-8")
    check_listing(folder, every)
    return [table.name for table in tables]


def check_listing(folder: Path, every: int = 1) -> None:
    """An error where the folder's records are of other tables than those at hand."""
    path = folder / LISTING
    if path.is_file() and path.read_text("utf-8") != listing(one_class_tables()[::every]):
        raise ConfigError(f"{path} lists other tables than those at hand: take another folder")


def listing(tables: Sequence[OneClassTable]) -> str:
    """A line for each table, with what pages need to know of it."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["name", "collection", "group", "features"])
    lines.writerows([each.name, each.collection, each.group, each.features] for each in tables)
    return text.getvalue()


def _units(runs: list[TableRun], device: str) -> tuple[list[list[TableRun]], list[list[TableRun]]]:
    """What is sent to a worker at once: units for the GPU, units for the CPU."""
    if not runs:
        return [], []
    detector = detector_of(runs[0].label, runs[0].case)
    if resolve_device(device).type != "cuda" or not hasattr(detector, "device"):
        return [], [[run] for run in runs]
    stacked = Capability.STACK in detector.capabilities
    size = STACK.get(runs[0].case, STACK_OF_OTHERS) if stacked else 1
    return [runs[start : start + size] for start in range(0, len(runs), size)], []


def _summary(names: Sequence[str], outcomes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A list for each metric, None where a table failed."""
    found = [outcomes[name] for name in names]
    return {
        "tables": len(names),
        **{metric: [(each["metrics"] or {}).get(metric) for each in found] for metric in SHOWN},
        "seconds": [each.get("seconds") for each in found],
        "failures": {
            name: outcomes[name]["reason"] for name in names if not outcomes[name]["metrics"]
        },
    }
