"""Our deep detectors against figures of other implementations of the same methods.

The figures come from a CSV file with a line for each detector and dataset (detector, dataset, runs,
auc_roc, auc_pr, train_rows, ...), and are kept beside our records, so that the page can be made
again. Ours run on the same datasets with their defaults: the split of seed 42, two model seeds, at
most 10,000 rows of a set. What is recorded is not run again.

    python -m slad_paper.studies.rivals --reference FILE.csv   # keep the figures, and run
    python -m slad_paper.studies.rivals                        # go on with the kept figures
    slad report results/rivals --out docs/results            # the page
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from slad.core.errors import DataError
from slad.detectors import registry
from slad_paper.datasets import names
from slad_paper.runner.experiment import Experiment, Quick
from slad_paper.runner.plan import Run
from slad_paper.runner.printed import METRICS
from slad_paper.runner.records import REFERENCE, write_record
from slad_paper.runner.running import carry_out

EXPERIMENT = Experiment(
    name="rivals",
    datasets=("arrhythmia", *names("adbench")),
    seeds=(42, 43),
    split_seed=42,
    max_rows=10_000,
    quick=Quick(max_rows=1000),
)
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
COMMAND = "python -m slad_paper.studies.rivals"


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
    if dataset not in EXPERIMENT.datasets:
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
    record = {"experiment": EXPERIMENT.name, "note": NOTE, "compared": COMPARED}
    write_record(folder / REFERENCE, record | {"figures": list(figures)})


def kept(folder: Path) -> list[dict[str, Any]]:
    path = folder / REFERENCE
    if not path.exists():
        raise DataError(f"{path} is not there: give the figures to compare with by --reference")
    figures: list[dict[str, Any]] = json.loads(path.read_text())["figures"]
    return figures


def plan(
    figures: Sequence[dict[str, Any]], detectors: Sequence[str] | None = None
) -> tuple[list[Run], list[str]]:
    """A run for each figure and seed, of the detectors that we have; what is left out.

    A detector may have parameters, `icl[window=2]`; it has the figures of its name.
    """
    runs: list[Run] = []
    left_out = []
    for name in detectors or COMPARED:
        ours = name.partition("[")[0]
        theirs = COMPARED.get(ours)
        chosen = [figure["dataset"] for figure in figures if figure["detector"] == theirs]
        if ours not in registry.names() or not chosen:
            left_out.append(name)
            continue
        mine, missing = EXPERIMENT.plan(detectors=[name], datasets=chosen)
        runs += mine
        left_out += [f"{name} on {dataset}" for dataset in missing]
    return runs, left_out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--reference", type=Path, metavar="FILE.csv", help="figures to keep")
    parser.add_argument(
        "--detectors",
        nargs="+",
        metavar="D",
        help=f"perhaps with parameters: 'icl[window=2]' (default: {', '.join(COMPARED)})",
    )
    parser.add_argument("--results", type=Path, default=EXPERIMENT.folder(quick=False))
    parser.add_argument("--workers", type=int, help="processes (default: one for every core)")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (default: auto)")
    parser.add_argument("--retry", action="store_true", help="try again what failed")
    options = parser.parse_args()
    if options.reference:
        keep(read_figures(options.reference), options.results)
    runs, left_out = plan(kept(options.results), options.detectors)
    if left_out:
        print(f"left out, not here: {', '.join(left_out)}", file=sys.stderr)
    if not runs:
        return 1
    summary = carry_out(
        runs,
        options.results,
        workers=options.workers,
        device=options.device,
        retry=options.retry,
        command=COMMAND,
    )
    print(f"{summary.planned} runs are recorded; the page: slad report {options.results}")
    return 1 if summary.failed else 0


if __name__ == "__main__":
    sys.exit(main())
