"""Whether the promised false-alarm rates hold: p-values of fresh normal rows of real tables.

The normal rows of every dataset (at most 5,000, shuffled) are parted: four fifths train and
calibrate as `slad detect` does it, one fifth is fresh. Of the fresh rows the share with a p-value
of at most 1, 5 and 10 % is counted. Anomalies are scored too, for what is found and for the false
discovery rate. A case is a detector on all datasets at hand; where a rate is outside of its
interval, more draws of rows follow, which say whether that was chance.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slad.core.seeds import Streams
from slad.core.typing import Float, Table, is_sparse
from slad.decisions import (
    Calibration,
    Standard,
    make_folds,
    settle_ties,
    tied_rows,
)
from slad.detectors import Detector
from slad.model.fold_model import fit_detectors
from slad.model.validation import detector_of_fold
from slad_paper.datasets import data_root, find, load, names
from slad_paper.datasets.store import is_here
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.alarm_rates import (
    DISCOVERY_RATE,
    INTERVAL,
    LEVELS,
    alarms,
    discoveries,
    is_outside,
)

MOST_NORMAL = 5_000
MOST_ODD = 1_000
WIDEST = 10_000
"""Thrombin, with 139,351 features, would take longer than all the others together."""
FRESH_SHARE = 0.2
MORE_SEEDS = range(1, 6)
"""Other draws of normal rows, folds and detectors, for sets with a rate outside its interval."""
DETECTORS = ("learned-signals", "neighbor-scale", "slad-subspaces", "knn-5", "iforest")
CALIBRATIONS = ("cross", "split")
SAME_ROWS = {
    "thyroid": "38_thyroid",
    "waveform": "41_Waveform",
    "pageblocks": "27_PageBlocks",
    "bank": "5_campaign",
    "unsw-nb15-dos": "3_backdoor",
    "breast-cancer": "43_WDBC",
    "wine": "45_wine",
}
"""Sets whose normal rows are those of another one, too, and which count once."""


@dataclass(frozen=True)
class Sample:
    """Normal rows to learn and calibrate from, fresh normal rows, and anomalies."""

    known: Table
    fresh: Table
    odd: Table


def sample(name: str, seed: int) -> Sample:
    data = load(name, download=False)
    rng = Streams(seed).numpy(f"false alarms of {name}")
    normal = rng.permutation(np.flatnonzero(data.y == 0))[:MOST_NORMAL]
    odd = rng.permutation(np.flatnonzero(data.y == 1))[:MOST_ODD]
    known = len(normal) - round(FRESH_SHARE * len(normal))
    return Sample(data.X[normal[:known]], data.X[normal[known:]], data.X[np.sort(odd)])


class Calibrated:
    """Detectors fitted on folds of normal rows, and their calibration."""

    def __init__(self, detector: str, rows: Table, calibration: str, seed: int) -> None:
        folds = make_folds(rows.shape[0], calibration=calibration, seed=seed)
        self.detectors = _fit(detector, [rows[fold.train] for fold in folds], seed)
        held = [rows[fold.held] for fold in folds]
        raw = [each.anomaly_score(X) for each, X in zip(self.detectors, held, strict=True)]
        self.standards = [Standard.fit(scores) for scores in raw]
        self.held = [s.apply(scores) for s, scores in zip(self.standards, raw, strict=True)]
        pooled = [self._settled(z, X) for z, X in zip(self.held, held, strict=True)]
        self.tied = float(np.mean(np.concatenate([tied_rows(z) for z in self.held])))
        self.calibration = Calibration(
            np.concatenate(pooled), clean=True, kind=calibration, folds=len(folds)
        )

    def _settled(self, scores: Float[np.ndarray, " n"], rows: Table) -> Float[np.ndarray, " n"]:
        tied = tied_rows(scores)
        if len(self.detectors) == 1 or not tied.any():
            return scores
        settled = scores.copy()
        settled[tied] = settle_ties(scores[tied], self.by_fold(rows[tied]).mean(axis=0))
        return settled

    def by_fold(self, rows: Table) -> Float[np.ndarray, "folds n"]:
        pairs = zip(self.detectors, self.standards, strict=True)
        return np.stack(
            [standard.apply(detector.anomaly_score(rows)) for detector, standard in pairs]
        )

    def pvalues(self, rows: Table) -> dict[str, Float[np.ndarray, " n"]]:
        """By the mean score, as slad has them, and by counting in each fold with its detector."""
        scores = self.by_fold(rows)
        within = [
            Calibration(held, clean=True, kind="split").at_least(each)
            for held, each in zip(self.held, scores, strict=True)
        ]
        return {
            "mean": self.calibration.pvalues(scores.mean(axis=0)),
            "by fold": (1 + np.sum(within, axis=0)) / (len(self.calibration) + 1),
        }


def _fit(name: str, tables: Sequence[Table], seed: int) -> list[Detector]:
    settings = {"device": "cpu"}
    detectors = [detector_of_fold(name, seed, at, settings) for at in range(len(tables))]
    fit_detectors(detectors, tables)
    return detectors


def rates(detector: str, dataset: str, seed: int = 0) -> dict[str, Any]:
    """All calibrations of one detector on one dataset."""
    start = time.perf_counter()
    rows = sample(dataset, seed)
    checks: dict[str, Any] = {}
    for calibration in CALIBRATIONS:
        model = Calibrated(detector, rows.known, calibration, seed)
        fresh, odd = model.pvalues(rows.fresh), model.pvalues(rows.odd)
        count = len(model.calibration)
        checks[calibration] = {
            "rows": count,
            "tied": model.tied,
            "alarms": alarms(fresh["mean"], odd["mean"], count),
            "discoveries": discoveries(fresh["mean"], odd["mean"]),
        }
        if calibration == "cross":
            by_fold = alarms(fresh["by fold"], odd["by fold"], count)
            checks["by fold"] = {"rows": count, "alarms": by_fold}
    return {
        "dataset": dataset,
        "group": find(dataset).group,
        "known": rows.known.shape[0],
        "fresh": rows.fresh.shape[0],
        "odd": rows.odd.shape[0],
        "repeated": _repeated(rows.known),
        "checks": checks,
        "seconds": round(time.perf_counter() - start, 2),
    }


def _repeated(rows: Table) -> float | None:
    """The share of rows that equal another one; None for sparse tables."""
    if is_sparse(rows):
        return None
    _, place, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return float(np.mean(counts[place.reshape(-1)] > 1))


def at_hand() -> list[str]:
    """Real datasets whose files are there, each set of normal rows once."""
    root, listed = data_root(), [find(name) for name in names() if name not in SAME_ROWS]
    tables = [each for each in listed if each.kind == "table" and each.features <= WIDEST]
    real = [each for each in tables if each.group != "synthetic"]
    return [each.name for each in real if is_here(each, root)]


def draw_outside_again(detector: str, found: Iterable[dict[str, Any]]) -> None:
    """Add the rates of more draws to every calibration with a rate outside its plain interval."""
    for each in found:
        for way in CALIBRATIONS:
            check = each["checks"][way]
            if any(is_outside(alarm) for alarm in check["alarms"]):
                print(f"slad: {detector} on {each['dataset']}, more draws", file=sys.stderr)
                check["more_rates"] = [
                    _rates(detector, each["dataset"], way, seed) for seed in MORE_SEEDS
                ]


def _rates(detector: str, dataset: str, calibration: str, seed: int) -> list[float]:
    rows = sample(dataset, seed)
    pvalues = Calibrated(detector, rows.known, calibration, seed).pvalues(rows.fresh)["mean"]
    return [float(np.mean(pvalues <= level)) for level in LEVELS]


def cases(quick: bool) -> list[Case]:
    """A case for each detector."""
    settings = {
        "seed": 0,
        "levels": list(LEVELS),
        "discovery_rate": DISCOVERY_RATE,
        "interval": INTERVAL,
    }
    fewer = {"only": ["breast-cancer"]} if quick else {}
    return [
        Case(name, {"detector": name} | settings | fewer)
        for name in (DETECTORS[-2:] if quick else DETECTORS)
    ]


def run(case: Case, device: str) -> dict[str, Any]:
    detector, found = case.settings["detector"], []
    for dataset in case.settings.get("only") or at_hand():
        print(f"slad: {detector} on {dataset}", file=sys.stderr)
        found.append(rates(detector, dataset, case.settings["seed"]))
    draw_outside_again(detector, found)
    return {"datasets": found, "more_seeds": list(MORE_SEEDS)}


STUDY = CaseStudy(name="false-alarms", cases=cases, run=run)
