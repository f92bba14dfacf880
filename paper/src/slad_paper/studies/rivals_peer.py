"""The other implementation itself, on our rows, wherever ours is below the figure known of it.

A figure is one draw: one seed, and other rows where a set has more than 10,000. Here DeepOD runs
with the settings of the SLAD paper on the very rows ours had, so that what remains of a difference
is the implementation's. Every run is kept in results/rivals/peer.json at once.

    pip install --no-deps --target DIR deepod==0.4.1
    python -m slad_paper.studies.rivals_peer DIR           # where ours is more than 0.05 below
    python -m slad_paper.studies.rivals_peer DIR --detectors dsvdd --all
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from sklearn.preprocessing import MinMaxScaler

from slad.core.errors import DataError
from slad.core.typing import is_sparse
from slad_paper.datasets import load
from slad_paper.datasets.protocol import half_normal_split
from slad_paper.runner.metrics import auc_pr, auc_roc
from slad_paper.runner.packing import recorded
from slad_paper.runner.peers import SETTINGS, kept_apart, peer_class, use
from slad_paper.runner.printed import METRICS
from slad_paper.runner.records import PEER, environment, write_record
from slad_paper.studies.rivals import COMPARED, EXPERIMENT, kept

TOLERANCE = 0.05
EPOCHS = 50
COMMAND = "python -m slad_paper.studies.rivals_peer DIR"

Cell = tuple[str, str]
"""The method's name in the reference, and a dataset."""


def cells(folder: Path, detectors: Sequence[str], every: bool) -> list[Cell]:
    """Where a mean of ours is more than 0.05 below the figure, or all cells."""
    found = dict.fromkeys(
        (figure["detector"], figure["dataset"])
        for ours in detectors
        for figure in kept(folder)
        if figure["detector"] == COMPARED[ours] and (every or _below(folder, ours, figure))
    )
    return list(found)


def _below(folder: Path, ours: str, figure: dict[str, Any]) -> bool:
    runs = [
        record["metrics"]
        for record in recorded(folder).values()
        if (record["detector"], record["dataset"]) == (ours, figure["dataset"])
    ]
    return bool(runs) and any(
        fmean(run[metric] for run in runs) < figure[metric] - TOLERANCE for metric in METRICS
    )


def run(method: str, dataset: str, seed: int) -> dict[str, Any]:
    """One fit and its accuracy, on min-max scaled rows as ours."""
    data = load(dataset, download=False)
    split_seed = EXPERIMENT.split_seed
    assert split_seed is not None
    split = half_normal_split(data.X, data.y, split_seed, max_rows=EXPERIMENT.max_rows)
    if is_sparse(split.train):
        raise DataError(f"{dataset} is sparse, which the peer cannot take")
    scaler = MinMaxScaler().fit(split.train)
    train, test = (scaler.transform(part).astype(np.float32) for part in (split.train, split.test))
    start = time.perf_counter()
    with kept_apart(seed):
        cls = peer_class(method)
        if cls is None:
            raise DataError(f"the peer of {method} cannot be imported: give the folder it is in")
        settings = SETTINGS[method] | {"epochs": EPOCHS, "random_state": seed, "device": "cpu"}
        scores = cls(**settings).fit(train).decision_function(test)
    return {
        "detector": method,
        "dataset": dataset,
        "model_seed": seed,
        "auc_roc": auc_roc(split.test_labels, scores),
        "auc_pr": auc_pr(split.test_labels, scores),
        "seconds": round(time.perf_counter() - start, 2),
    }


def missing(wanted: Sequence[Cell], done: Sequence[dict[str, Any]]) -> Iterator[tuple[Cell, int]]:
    recorded = {(each["detector"], each["dataset"], each["model_seed"]) for each in done}
    for cell in wanted:
        for seed in EXPERIMENT.seeds:
            if (*cell, seed) not in recorded:
                yield cell, seed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("peer", type=Path, metavar="DIR", help="folder that holds DeepOD")
    parser.add_argument("--detectors", nargs="+", choices=COMPARED, default=list(COMPARED))
    parser.add_argument("--all", action="store_true", help="all datasets, not only those below")
    parser.add_argument("--results", type=Path, default=EXPERIMENT.folder(quick=False))
    options = parser.parse_args()
    use(options.peer)
    path = options.results / PEER
    runs: list[dict[str, Any]] = json.loads(path.read_text())["runs"] if path.exists() else []
    todo = list(missing(cells(options.results, options.detectors, options.all), runs))
    for number, (cell, seed) in enumerate(todo, 1):
        runs.append(run(*cell, seed))
        runs.sort(key=lambda each: (each["detector"], each["dataset"], each["model_seed"]))
        about = {"experiment": EXPERIMENT.name, "settings": SETTINGS, "epochs": EPOCHS}
        write_record(path, about | {"runs": runs, "environment": environment(COMMAND)})
        print(f"{number} of {len(todo)}: {' on '.join(cell)}, seed {seed}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
