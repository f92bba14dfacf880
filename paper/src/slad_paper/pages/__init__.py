"""Pages: tables and pictures made from JSON records alone, without torch or scikit-learn."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slad.core.names import unknown

if TYPE_CHECKING:
    from slad_paper.pages.document import Report, Value
    from slad_paper.pages.records import Record

EXPERIMENTS = {
    "effectiveness": "slad_paper.pages.effectiveness",
    "adbench": "slad_paper.pages.adbench",
    "tables": "slad_paper.pages.one_class",
    "rivals": "slad_paper.pages.rivals",
    "variety": "slad_paper.pages.variety",
    "contamination": "slad_paper.pages.contamination",
    "ablation": "slad_paper.pages.ablation",
    "sensitivity": "slad_paper.pages.sensitivity",
    "tuning": "slad_paper.pages.tuning",
    "subspace-search": "slad_paper.pages.subspace_search",
    "inlier-priority": "slad_paper.pages.inlier_priority",
    "class-dependency": "slad_paper.pages.class_dependency",
    "bound": "slad_paper.pages.bound",
    "gradients": "slad_paper.pages.gradients",
    "scalability": "slad_paper.pages.scalability",
    "series": "slad_paper.pages.series",
    "representation": "slad_paper.pages.representation",
    "interpretation": "slad_paper.pages.interpretation",
    "sharded": "slad_paper.pages.sharded",
    "planted-errors": "slad_paper.pages.planted_errors",
}
"""Experiment of a record -> the module whose `report` makes its report."""
RUNS = "runs"
"""The CSV file with the values of every single run; the committed pages leave it out."""

__all__ = ["EXPERIMENTS", "build", "read_report"]


def build(
    folders: Path | Sequence[Path],
    out: Path | None = None,
    pictures: bool = True,
    width: int | None = None,
) -> str:
    """Write the reports of the records below the folders; returns the text for the terminal.

    Files go to `out`, by default to report/<experiment>; their names begin with the experiment's.
    """
    from slad_paper.pages.document import as_text
    from slad_paper.pages.write import write

    given = [folders] if isinstance(folders, Path) else list(folders)
    shown = []
    for report in _reports(given):
        paths = write(report, out or Path("report", report.name), pictures=pictures)
        columns = max(width or shutil.get_terminal_size((120, 24)).columns, 40)
        shown.append(as_text(report, columns) + "\n" + "".join(f"wrote {p}\n" for p in paths))
    return "\n".join(shown)


def read_report(folder: Path) -> Report:
    """The report of the records of one experiment."""
    return _reports([folder])[0]


def _reports(folders: Sequence[Path]) -> list[Report]:
    """A report for each experiment that has records below the folders."""
    from slad_paper.pages.cases import holds_cases, read_cases
    from slad_paper.pages.names import explained
    from slad_paper.pages.records import Record, ordered, read

    studies = [folder for folder in folders if holds_cases(folder)]
    runs = ordered(record for folder in folders if folder not in studies for record in read(folder))
    by_experiment: dict[str, list[Any]] = {}
    cases = [case for folder in studies for case in read_cases(folder)]
    every: list[Any] = [*runs, *cases]
    for record in every:
        by_experiment.setdefault(record.experiment, []).append(record)
    reports = []
    for name, mine in by_experiment.items():
        if name not in EXPERIMENTS:
            raise unknown("experiment with a report", name, EXPERIMENTS)
        report: Report = import_module(EXPERIMENTS[name]).report(mine)
        if isinstance(mine[0], Record):
            report = replace(report, data=report.data | {RUNS: _runs(mine)})
        reports.append(explained(report))
    return reports


def _runs(records: Sequence[Record]) -> list[dict[str, Value]]:
    """Every run and every metric it has."""
    from slad_paper.pages.tables import long

    none: dict[str, float | None] = {"": None}
    return long(
        "experiment detector dataset split_seed model_seed metric value failed",
        (
            (
                *(record.experiment, record.detector, record.dataset, *record.seeds),
                *(metric, value, record.reason),
            )
            for record in records
            for metric, value in (record.metrics or none).items()
        ),
    )
