"""How far scores move under another seed, and whether their standard errors say so.

Every dataset is fitted with two seeds (folds and detectors), everything else alike; fresh rows are
scored by both. If errors are right, scores differ by less than two errors of the difference in
95 % of rows, and rows set aside as unsure hold most of those whose flag differs. No table of
ADBench is among the datasets, and none on which the errors were worked out.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from slad.core.typing import Float, Table
from slad.decisions import PartStandard, make_folds, make_rule, standard_errors, unsure_rows
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.false_alarms import DETECTORS, Calibrated, sample

DATASETS = ("20news_3-bert", "20news_3-roberta", *(f"fmnist-{number}" for number in range(6)))
MOST_KNOWN = 1_500
LEVEL, CONFIDENCE = 0.05, 0.9
SEEDS = (0, 1)


@dataclass(frozen=True)
class Decided:
    """Scores and flags of fresh rows under one seed."""

    scores: Float[np.ndarray, " n"]
    errors: Float[np.ndarray, " n"]
    flags: np.ndarray
    unsure: np.ndarray


def decide(detector: str, known: Table, fresh: Table, calibration: str, seed: int) -> Decided:
    model = Calibrated(detector, known, calibration, seed)
    folds = make_folds(known.shape[0], calibration=calibration, seed=seed)
    pairs = zip(model.detectors, folds, strict=True)
    standards = [
        PartStandard.fit(detector.score_parts(known[fold.held])) for detector, fold in pairs
    ]
    parts = [detector.score_parts(fresh) for detector in model.detectors]
    scores = model.by_fold(fresh).mean(axis=0)
    errors = standard_errors(parts, standards)
    pvalues = model.calibration.pvalues(scores)
    rule = make_rule("fpr", LEVEL)
    threshold = rule.threshold(scores, pvalues, model.calibration)
    return Decided(
        scores,
        errors,
        rule.flags(scores, pvalues, model.calibration),
        unsure_rows(scores, errors, threshold, CONFIDENCE),
    )


def compare(one: Decided, two: Decided) -> dict[str, Any]:
    """How far scores moved, in errors of the difference, and which flags changed."""
    changed = one.flags != two.flags
    found: dict[str, Any] = {
        "rows": len(changed),
        "flagged": int(one.flags.sum()),
        "changed": int(changed.sum()),
    }
    if np.isnan(one.errors).any():
        return found
    errors = np.hypot(one.errors, two.errors)
    moved = np.abs(one.scores - two.scores)
    return found | {
        "within_two_errors": float(np.mean(moved <= 2 * errors)),
        "typical_ratio": float(np.median(moved[errors > 0] / errors[errors > 0]) / 0.6745),
        "unsure": int(one.unsure.sum()),
        "unsure_changed": int((changed & one.unsure).sum()),
        "sure_flags": int((one.flags & ~one.unsure).sum()),
        "sure_flags_changed": int((changed & one.flags & ~one.unsure).sum()),
        "flags_changed": int((changed & one.flags).sum()),
    }


def movement(detector: str, dataset: str) -> dict[str, Any]:
    rows = sample(dataset, SEEDS[0])
    known = rows.known[:MOST_KNOWN]
    fresh = np.concatenate([rows.fresh, rows.odd[: len(rows.fresh) // 9]])
    compared = {
        calibration: compare(*(decide(detector, known, fresh, calibration, seed) for seed in SEEDS))
        for calibration in ("cross", "split")
    }
    return {"dataset": dataset, "known": len(known), **compared}


def cases(quick: bool) -> list[Case]:
    """A case for each detector."""
    settings = {"seeds": list(SEEDS), "level": LEVEL, "confidence": CONFIDENCE}
    fewer = {"only": ["breast-cancer"]} if quick else {}
    return [
        Case(name, {"detector": name} | settings | fewer, () if quick else DATASETS)
        for name in (DETECTORS[2:] if quick else DETECTORS)
    ]


def run(case: Case, device: str) -> dict[str, Any]:
    detector, found = case.settings["detector"], []
    for dataset in case.settings.get("only", DATASETS):
        print(f"slad: {detector} on {dataset}", file=sys.stderr)
        found.append(movement(detector, dataset))
    return {"datasets": found}


STUDY = CaseStudy(name="score-errors", cases=cases, run=run)
