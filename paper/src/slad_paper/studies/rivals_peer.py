"""The other implementation itself, on our rows, wherever ours is below the figure known of it.

A figure is one draw: one seed, and other rows where a set has more than 10,000. Here DeepOD runs
with the settings of the SLAD paper on the very rows ours had, so that what remains of a difference
is the implementation's. It follows the records of the study `rivals`, whose page shows it; the
first of its own records are in results/rivals/peer.json. DeepOD is in the folder that SLAD_PEERS
names:

    pip install --no-deps --target DIR deepod==0.4.1
    SLAD_PEERS=DIR slad reproduce rivals-peer
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from slad_paper.runner.peers import SETTINGS, kept_apart, peer_class, peers_folder
from slad_paper.runner.printed import METRICS
from slad_paper.runner.records import PEER
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies import rivals
from slad_paper.studies.rivals import COMPARED, kept

TOLERANCE = 0.05
EPOCHS = 50

Cell = tuple[str, str]
"""The method's name in the reference, and a dataset."""


def cells(folder: Path) -> list[Cell]:
    """Where a mean of ours is more than 0.05 below the figure."""
    found = dict.fromkeys(
        (figure["detector"], figure["dataset"])
        for ours in COMPARED
        for figure in kept(folder)
        if figure["detector"] == COMPARED[ours] and _below(folder, ours, figure)
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


def run(case: Case, device: str) -> dict[str, Any]:
    """One fit and its accuracy, on min-max scaled rows as ours."""
    method, dataset = case.settings["detector"], case.settings["dataset"]
    peers_folder()
    data = load(dataset, download=False)
    split_seed = rivals.STUDY.split_seed
    assert split_seed is not None
    split = half_normal_split(data.X, data.y, split_seed, max_rows=rivals.STUDY.max_rows)
    if is_sparse(split.train):
        raise DataError(f"{dataset} is sparse, which the peer cannot take")
    scaler = MinMaxScaler().fit(split.train)
    train, test = (scaler.transform(part).astype(np.float32) for part in (split.train, split.test))
    start = time.perf_counter()
    with kept_apart(case.settings["model_seed"]):
        cls = peer_class(method)
        if cls is None:
            raise DataError(f"{method}: set SLAD_PEERS to the folder of DeepOD")
        seed, settings = case.settings["model_seed"], case.settings["parameters"]
        peer = cls(**settings, random_state=seed, device="cpu")
        scores = peer.fit(train).decision_function(test)
    return {
        "auc_roc": auc_roc(split.test_labels, scores),
        "auc_pr": auc_pr(split.test_labels, scores),
        "seconds": round(time.perf_counter() - start, 2),
    }


def missing(wanted: Sequence[Cell], done: Sequence[dict[str, Any]]) -> Iterator[tuple[Cell, int]]:
    recorded = {(each["detector"], each["dataset"], each["model_seed"]) for each in done}
    for cell in wanted:
        for seed in rivals.STUDY.seeds:
            if (*cell, seed) not in recorded:
                yield cell, seed


@dataclass(frozen=True)
class RivalsPeer(CaseStudy):
    """Its cases follow from the records of `rivals`, in a folder beside its own."""

    def listed(self, quick: bool, folder: Path | None) -> list[Case]:
        ours = (folder or self.folder(quick)).parent / rivals.STUDY.folder(quick).name
        peer = ours / PEER
        done = json.loads(peer.read_text())["runs"] if peer.exists() else []
        return [_case(*cell, seed) for cell, seed in missing(cells(ours), done)]


def _case(method: str, dataset: str, seed: int) -> Case:
    settings = {"detector": method, "dataset": dataset, "model_seed": seed}
    parameters = SETTINGS[method] | {"epochs": EPOCHS}
    name = f"{method}-{dataset}-model{seed}"
    return Case(name, settings | {"parameters": parameters}, (dataset,))


STUDY = RivalsPeer(name="rivals-peer", cases=lambda quick: [], run=run)
