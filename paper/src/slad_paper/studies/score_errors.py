"""Whether a score's standard error tells how far it moves under another seed.

Every dataset is fitted with two seeds (folds and detectors), everything else alike; fresh rows are
judged by both. If errors are right, scores differ by less than two errors of the difference in
95 % of rows, and rows set aside as unsure hold most of those whose flag differs. No table of
ADBench is among the datasets, and none on which the errors were worked out.

    python -m slad_paper.studies.score_errors
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from slad.core.typing import Float, Table
from slad.decisions import PartStandard, make_folds, make_rule, standard_errors, unsure_rows
from slad_paper.runner.records import environment, write_record
from slad_paper.studies.false_alarms import Judge, sample

DATASETS = ("20news_3-bert", "20news_3-roberta", *(f"fmnist-{number}" for number in range(6)))
DETECTORS = ("slad", "slad-subspaces", "knn-5", "iforest")
MOST_KNOWN = 1_500
LEVEL, CONFIDENCE = 0.05, 0.9
SEEDS = (0, 1)


@dataclass(frozen=True)
class Judged:
    """Fresh rows as one seed sees them."""

    scores: Float[np.ndarray, " n"]
    errors: Float[np.ndarray, " n"]
    flags: np.ndarray
    unsure: np.ndarray


def judged(detector: str, known: Table, fresh: Table, calibration: str, seed: int) -> Judged:
    judge = Judge(detector, known, calibration, seed)
    folds = make_folds(known.shape[0], calibration=calibration, seed=seed)
    pairs = zip(judge.members, folds, strict=True)
    standards = [PartStandard.fit(member.score_parts(known[fold.held])) for member, fold in pairs]
    parts = [member.score_parts(fresh) for member in judge.members]
    scores = judge.by_member(fresh).mean(axis=0)
    errors = standard_errors(parts, standards)
    pvalues = judge.calibration.pvalues(scores)
    rule = make_rule("fpr", LEVEL)
    threshold = rule.threshold(scores, pvalues, judge.calibration)
    return Judged(
        scores,
        errors,
        rule.flags(scores, pvalues, judge.calibration),
        unsure_rows(scores, errors, threshold, CONFIDENCE),
    )


def compare(one: Judged, two: Judged) -> dict[str, Any]:
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


def run(detector: str, dataset: str) -> dict[str, Any]:
    rows = sample(dataset, SEEDS[0])
    known = rows.known[:MOST_KNOWN]
    fresh = np.concatenate([rows.fresh, rows.odd[: len(rows.fresh) // 9]])
    compared = {
        calibration: compare(*(judged(detector, known, fresh, calibration, seed) for seed in SEEDS))
        for calibration in ("cross", "split")
    }
    return {"dataset": dataset, "known": len(known), **compared}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), help="by catalog name")
    parser.add_argument("--detectors", nargs="+", default=list(DETECTORS))
    parser.add_argument("--results", type=Path, default=Path("results/score-errors"))
    options = parser.parse_args()
    for detector in options.detectors:
        found = []
        for dataset in options.datasets:
            print(f"{detector} on {dataset} ...", file=sys.stderr)
            found.append(run(detector, dataset))
        record = {
            "experiment": "score-errors",
            "detector": detector,
            "seeds": list(SEEDS),
            "level": LEVEL,
            "confidence": CONFIDENCE,
            "datasets": found,
            "environment": environment(),
        }
        write_record(options.results / f"{detector}.json", record)


if __name__ == "__main__":
    main()
