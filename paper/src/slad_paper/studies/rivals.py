"""Our deep detectors against figures of other implementations of the same methods.

The figures come from the CSV file that SLAD_REFERENCE names, with a line for each detector and
dataset (detector, dataset, runs, auc_roc, auc_pr, train_rows, ...), and are kept beside our
records, so that the page can be made again and a later start needs no file. Ours run on the same
datasets with their defaults: the split of seed 42, two model seeds, at most 10,000 rows of a set.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from slad.core.errors import DataError
from slad.detectors import registry
from slad_paper.datasets import names
from slad_paper.runner.comparison import Comparison, Quick
from slad_paper.runner.plan import Run
from slad_paper.runner.printed import METRICS
from slad_paper.runner.records import REFERENCE, write_record
from slad_paper.runner.study import Choice, possible

COMPARED = {
    "icl": "icl",
    "icl-deepod": "icl",
    "neutral": "neutral",
    "goad": "goad",
    "rca": "rca",
    "dsvdd": "dsvdd",
}
"""Our detector -> its name in the file, whose other detectors are left out."""
OUR_NAMES = {"02-arrhythmia": "arrhythmia"}
NOTE = (
    "DeepOD 0.4.1, 50 epochs, one seed, with the same kind of split; of sets with more than 10,000 "
    "rows it drew other rows than ours"
)
DATASETS = ("arrhythmia", *names("adbench"))
SOURCE = "SLAD_REFERENCE"
"""The variable that names a file of figures."""


def read_figures(path: Path) -> list[dict[str, Any]]:
    """The figures of a CSV file, under our names."""
    needed = ("detector", "dataset", "runs", *METRICS, "train_rows", "features")
    with open(path, newline="", encoding="utf-8") as file:
        table = csv.DictReader(file)
        missing = [name for name in needed if name not in (table.fieldnames or ())]
        if missing:
            raise DataError(f"{path} has no column {', '.join(missing)}: it needs {needed}")
        lines = [line for line in table if line["detector"] in COMPARED.values()]
    figures = [_figure(line, path) for line in lines]
    if not figures:
        known = ", ".join(dict.fromkeys(COMPARED.values()))
        raise DataError(f"{path} has no line of any of {known}")
    return figures


def _figure(line: dict[str, str], path: Path) -> dict[str, Any]:
    dataset = OUR_NAMES.get(line["dataset"], line["dataset"])
    if dataset not in DATASETS:
        raise DataError(f"{path} has a figure for {dataset!r}, which is no dataset of ours")
    try:
        return {
            "detector": line["detector"],
            "dataset": dataset,
            **{name: int(line[name]) for name in ("runs", "train_rows", "features")},
            **{name: float(line[name]) for name in METRICS},
        }
    except ValueError as error:
        where = f"{line['detector']} on {line['dataset']}"
        raise DataError(f"{path}, {where}: {error}") from error


def keep(figures: Sequence[dict[str, Any]], folder: Path) -> None:
    record = {"experiment": STUDY.name, "note": NOTE, "compared": COMPARED}
    write_record(folder / REFERENCE, record | {"figures": list(figures)})


def kept(folder: Path) -> list[dict[str, Any]]:
    path = folder / REFERENCE
    if not path.exists():
        raise DataError(f"{path} is missing: set {SOURCE} to a CSV file of figures to compare with")
    figures: list[dict[str, Any]] = json.loads(path.read_text())["figures"]
    return figures


@dataclass(frozen=True)
class Rivals(Comparison):
    """A run for each figure and seed, of the detectors that we have."""

    def plan(self, **choice: Unpack[Choice]) -> tuple[list[Run], list[str]]:
        """The runs, and what is left out.

        A detector may have parameters, `icl[window=2]`; it has the figures of its name.
        """
        folder = choice.get("folder") or self.folder(choice.get("quick", False))
        if file := os.environ.get(SOURCE):
            keep(read_figures(Path(file)), folder)
        figures = kept(folder)
        runs: list[Run] = []
        left_out = []
        for name in choice.get("detectors") or COMPARED:
            ours = name.partition("[")[0]
            theirs = COMPARED.get(ours)
            mine = [figure["dataset"] for figure in figures if figure["detector"] == theirs]
            wanted = choice.get("datasets")
            chosen = [dataset for dataset in mine if wanted is None or dataset in wanted]
            if ours not in registry.names() or not chosen:
                left_out.append(name)
                continue
            runs += self.runs({**choice, "detectors": [name], "datasets": chosen})
        found, missing = possible(self.name, runs, folder)
        return found, [*left_out, *missing]


STUDY = Rivals(
    name="rivals",
    datasets=DATASETS,
    seeds=(42, 43),
    split_seed=42,
    max_rows=10_000,
    quick=Quick(max_rows=1000),
)
