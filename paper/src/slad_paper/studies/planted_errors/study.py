"""Every detector on every table: how many of the planted errors are among the strangest rows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.stats import rankdata

from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.model import TableDetector
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.planted_errors.plants import EACH, KINDS, Error, plant
from slad_paper.studies.planted_errors.sources import MOST_ROWS, TABLES, drawn

DETECTORS = ("knn-5", "lof", "ecod", "iforest", "neighbor-scale", "learned-signals")
"""A new one is added here; the records of the others stay."""
SEEDS = (0, 1, 2)
"""Each draws the rows, the errors and what the detector draws."""


def cases(quick: bool) -> list[Case]:
    """A case for each table and detector."""
    tables = list(TABLES)[1:3] if quick else list(TABLES)
    detectors = DETECTORS[:2] if quick else DETECTORS
    seeds = list(SEEDS[:1] if quick else SEEDS)
    settings = {"rows": 400 if quick else MOST_ROWS, "each": EACH, "seeds": seeds}
    return [
        Case(
            f"{table}-{detector}",
            {"table": table, "detector": detector} | settings,
            packages=(TABLES[table].source.package,),
        )
        for detector in detectors
        for table in tables
    ]


def spoilt(table: str, seed: int, most: int = MOST_ROWS) -> tuple[pa.Table, list[Error]]:
    """The rows of a draw with their errors, the same for every detector."""
    rng = Streams(seed).numpy(f"planted errors, {table}")
    return plant(drawn(table, seed, most), TABLES[table].units, rng)


def run(case: Case, device: str) -> dict[str, Any]:
    """What a detector finds in the draws of a table."""
    name, draws = case.settings["table"], []
    for seed in case.settings["seeds"]:
        frame, errors = spoilt(name, seed, case.settings["rows"])
        start = time.perf_counter()
        model = TableDetector(
            case.settings["detector"], own_rows=True, device=device, random_state=seed
        )
        scores = model.fit(frame).judge_own().scores
        seconds = round(time.perf_counter() - start, 2)
        draws.append(
            {"seed": seed, "rows": frame.num_rows, "seconds": seconds} | measured(scores, errors)
        )
    table = TABLES[name]
    return {
        "source": f"{table.source.package}: {table.source.member or table.source.file}",
        "version": version(table.source.package),
        "licence": table.licence,
        "about": table.about,
        "columns": sum(each.used for each in model.plan_),
        "draws": draws,
    }


def measured(scores: Float[np.ndarray, " n"], errors: Sequence[Error]) -> dict[str, Any]:
    """Precision at k, the number of errors; of each kind the part found, and all places.

    Rows that tie with the k-th count as drawn at random. A place is the part of the rows that is
    stranger, from 0 to 1.
    """
    rows = np.array([error.row for error in errors])
    border = np.sort(scores)[-len(rows)]
    above, tied = scores > border, scores == border
    found = above + tied * (len(rows) - above.sum()) / tied.sum()
    places = (rankdata(-scores) - 1) / len(scores)
    kinds = {
        kind: rows[[error.kind == kind for error in errors]]
        for kind in KINDS
        if any(error.kind == kind for error in errors)
    }
    return {
        "errors": {kind: len(mine) for kind, mine in kinds.items()},
        "precision": float(found[rows].mean()),
        "found": {kind: float(found[mine].mean()) for kind, mine in kinds.items()},
        "places": {kind: sorted(places[mine].round(4).tolist()) for kind, mine in kinds.items()},
    }


STUDY = CaseStudy(name="planted-errors", cases=cases, run=run)
