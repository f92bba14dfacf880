"""Every way and detector on one table; and all records as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from slad.core.seeds import Streams
from slad.detectors import is_deterministic, make
from slad.tables import ColumnPlan, plan_columns
from slad_paper.runner.metrics import auc_pr, auc_roc
from slad_paper.runner.records import flat_records
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.encodings.plants import PLANTS, plant
from slad_paper.studies.encodings.sources import SOURCES, load
from slad_paper.studies.encodings.ways import WAYS

MOST_ROWS = 3000
"""Normal rows drawn of a larger table."""
STRANGE = 0.05
"""Anomalies planted, or the most rows of a rare class, for each row of the test half."""
DETECTORS = ("neighbor-scale", "slad-subspaces", "knn-5", "iforest")
SEEDS = (0, 1, 2)

Split = tuple[pa.Table, pa.Table, np.ndarray, tuple[ColumnPlan, ...]]
"""Training rows, test rows, kind of each test row (-1: normal, else its place in PLANTS), plan."""


def split(name: str, seed: int, most: int = MOST_ROWS) -> Split:
    """Half of the normal rows to train; the other half, and the anomalies, to test."""
    source, frame = SOURCES[name], load(SOURCES[name])
    rng = Streams(seed).numpy(f"encodings {name}")
    strange = frame.slice(0, 0)
    if source.rare:
        is_rare = pc.equal(frame.column(source.rare[0]), source.rare[1])
        frame = frame.drop_columns([source.rare[0]])
        strange, frame = frame.filter(is_rare), frame.filter(pc.invert(is_rare))
    order = rng.permutation(frame.num_rows)[:most]
    half = len(order) // 2
    train, test = frame.take(pa.array(order[:half])), frame.take(pa.array(order[half:]))
    plan = plan_columns(train)
    count = round(STRANGE * test.num_rows)
    if source.rare:
        strange = strange.take(pa.array(rng.permutation(strange.num_rows)[:count]))
        kinds = np.repeat([-1, len(PLANTS)], [test.num_rows, strange.num_rows])
        return train, pa.concat_tables([test, strange]), kinds, plan
    rows = rng.permutation(test.num_rows)[:count]
    kinds = np.full(test.num_rows, -1)
    test, kinds[rows] = plant(test, plan, rows, rng)
    return train, test, kinds, plan


def case_name(table: str) -> str:
    return table.replace(" ", "-")


def cases(quick: bool) -> list[Case]:
    """A case for each table."""
    smaller = {"rows": 300, "seeds": [0]} if quick else {}
    return [
        Case(case_name(name), {"table": name} | smaller, packages=(source.package, "skrub"))
        for name, source in list(SOURCES.items())[: 2 if quick else None]
    ]


def run(case: Case, device: str) -> dict[str, Any]:
    """AUC-ROC and AUC-PR of every way, detector and seed, and AUC-ROC by plant."""
    name, runs = case.settings["table"], []
    for seed in case.settings.get("seeds", SEEDS):
        train, test, kinds, plan = split(name, seed, case.settings.get("rows", MOST_ROWS))
        for way, encode in WAYS.items():
            rows, later = encode(train, test, plan, seed)
            for detector in DETECTORS:
                seeded = {} if is_deterministic(detector) else {"random_state": seed}
                scores = make(detector, **seeded).fit(rows).anomaly_score(later)
                runs.append(
                    {"way": way, "detector": detector, "seed": seed, "features": rows.shape[1]}
                    | _measured(kinds, scores)
                )
    source = SOURCES[name]
    return {
        "source": f"{source.package} {version(source.package)}: {source.member or source.file}",
        "rare": source.rare,
        "kinds": {each.name: each.kind for each in plan},
        "rows": {
            "train": train.num_rows,
            "test": test.num_rows,
            "strange": int((kinds >= 0).sum()),
        },
        "runs": runs,
        "versions": {"skrub": version("skrub"), "pyarrow": pa.__version__},
    }


def _measured(kinds: np.ndarray, scores: np.ndarray) -> dict[str, Any]:
    by_plant = {
        plant: auc_roc(kinds[mine] >= 0, scores[mine])
        for place, plant in enumerate(PLANTS)
        if (mine := (kinds == place) | (kinds == -1)).sum() > (kinds == -1).sum()
    }
    strange = kinds >= 0
    return {
        "auc_roc": auc_roc(strange, scores),
        "auc_pr": auc_pr(strange, scores),
        "by_plant": by_plant,
    }


def table(folder: Path) -> Iterator[str]:
    """The records as Markdown: mean AUC-ROC over detectors and seeds, and AUC-PR of the means."""
    order = list(SOURCES)
    records = sorted(flat_records(folder), key=lambda record: order.index(record["table"]))
    yield "| AUC-ROC | " + " | ".join(WAYS) + " |"
    yield "|---" + "|---:" * len(WAYS) + "|"
    for record in records:
        yield _line(record["table"], [_mean([record], way, "auc_roc") for way in WAYS])
    yield _line("**mean**", [_mean(records, way, "auc_roc") for way in WAYS])
    yield _line("**mean AUC-PR**", [_mean(records, way, "auc_pr") for way in WAYS])
    for detector in DETECTORS:
        means = [_mean(records, way, "auc_roc", detector) for way in WAYS]
        yield _line(f"mean of {detector}", means)
    for plant_ in PLANTS:
        yield _line(f"{plant_}", [_mean(records, way, plant_) for way in WAYS])
    yield _line("features", [_mean(records, way, "features") for way in WAYS])


def _mean(records: list[dict[str, Any]], way: str, what: str, detector: str | None = None) -> float:
    """Of a table's runs, then of the tables, so that each counts the same."""
    means = []
    for record in records:
        runs = [
            run
            for run in record["runs"]
            if run["way"] == way and detector in (None, run["detector"])
        ]
        values = [run.get(what, run["by_plant"].get(what)) for run in runs]
        if values and None not in values:
            means.append(np.mean(values))
    return float(np.mean(means))


def _line(name: str, values: list[float]) -> str:
    return f"| {name} | " + " | ".join(f"{v:.3f}" if v < 2 else f"{v:.0f}" for v in values) + " |"


STUDY = CaseStudy(name="encodings", cases=cases, run=run)
