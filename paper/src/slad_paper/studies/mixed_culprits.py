"""Whether explanations of mixed tables name the column that was spoilt, through the whole model.

Rows of real tables with text, categories, times and gaps are spoilt as in the comparison of
encodings, and explained by a `TableDetector` of the other half of the table. The peer is the
z-score: columns in the order of the largest standardised feature that they are encoded to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from slad.core.seeds import Streams
from slad.model import TableDetector
from slad.tables import plan_columns
from slad_paper.runner.records import flat_records
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.encodings.plants import PLANTS, plant
from slad_paper.studies.encodings.sources import SOURCES, load
from slad_paper.studies.encodings.study import case_name

DETECTORS = ("learned-signals", "neighbor-scale", "slad-subspaces", "knn-5")
MOST_ROWS = 3000
SPOILT = 200
TABLES = [name for name, source in SOURCES.items() if not source.rare]
Names = list[list[str]]
"""For every row the columns that are named, first to last; those named together in their order."""


def cases(quick: bool) -> list[Case]:
    """A case for each table."""
    smaller = {"most_rows": 400} if quick else {}
    return [
        Case(case_name(name), {"table": name} | smaller, packages=(SOURCES[name].package,))
        for name in TABLES[: 2 if quick else None]
    ]


def run(case: Case, device: str) -> dict[str, Any]:
    """Hits of every method, by plant, on one table."""
    name, seed = case.settings["table"], 0
    rng = Streams(seed).numpy(f"mixed culprits {name}")
    frame = load(SOURCES[name])
    order = rng.permutation(frame.num_rows)[: case.settings.get("most_rows", MOST_ROWS)]
    half = len(order) // 2
    train, test = frame.take(order[:half]), frame.take(order[half:])
    plan = plan_columns(train)
    rows = rng.permutation(test.num_rows)[:SPOILT]
    spoilt, kinds = plant(test, plan, rows, rng)
    culprits = _changed(test.take(rows), spoilt.take(rows))
    models = {each: TableDetector(each, random_state=seed).fit(train) for each in DETECTORS}
    named = {f"occlusion ({each})": _by_occlusion(models[each], spoilt, rows) for each in models}
    named["z-scores"] = _by_z(models[DETECTORS[0]], spoilt.take(rows))
    hits = [_hits(method, names, culprits, kinds) for method, names in named.items()]
    return {
        "rows": {"train": train.num_rows, "spoilt": sum(c is not None for c in culprits)},
        "columns": sum(each.used for each in plan),
        "hits": [hit for of_method in hits for hit in of_method],
        "versions": {"pyarrow": pa.__version__},
    }


def _changed(before: pa.Table, after: pa.Table) -> list[str | None]:
    """The column that differs; None where the new value happens to be the old one."""
    pairs = zip(before.to_pylist(), after.to_pylist(), strict=True)
    return [next((n for n in old if old[n] != new[n]), None) for old, new in pairs]


def _by_occlusion(model: TableDetector, frame: pa.Table, rows: np.ndarray) -> Names:
    return [
        [column for reason in each.reasons for column in reason.columns]
        for each in model.explain(frame, rows)
    ]


def _by_z(model: TableDetector, frame: pa.Table) -> Names:
    member = model.members_[0]
    normal = member.encoder.transform(model.normal_)
    spread = normal.std(axis=0)
    rows = member.encoder.transform(model.conform(frame).frame)
    z = np.abs(rows - normal.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    columns = member.encoder.columns
    largest = np.stack([z[:, each.start : each.stop].max(axis=1) for each in columns], axis=1)
    return [[columns[at].name for at in order] for order in np.argsort(-largest, axis=1)]


def _hits(
    method: str, named: Names, culprits: Sequence[str | None], kinds: np.ndarray
) -> Iterator[dict[str, Any]]:
    for place, what in enumerate(PLANTS):
        mine = [row for row, c in enumerate(culprits) if kinds[row] == place and c is not None]
        if mine:
            yield {
                "method": method,
                "plant": what,
                "rows": len(mine),
                "top1": sum(culprits[row] in named[row][:1] for row in mine),
                "top3": sum(culprits[row] in named[row][:3] for row in mine),
            }


def table(folder: Path) -> Iterator[str]:
    """The records as Markdown: % of rows, mean of the tables that have the plant."""
    records = sorted(flat_records(folder), key=lambda record: TABLES.index(record["table"]))
    methods = list(dict.fromkeys(hit["method"] for record in records for hit in record["hits"]))
    yield "| % first, % among the first three | " + " | ".join(methods) + " |"
    yield "|---" + "|---:" * len(methods) + "|"
    for what in PLANTS:
        cells = [
            ", ".join(_rate(records, method, what, top) for top in ("top1", "top3"))
            for method in methods
        ]
        yield f"| {what} | " + " | ".join(cells) + " |"


def _rate(records: Sequence[dict[str, Any]], method: str, what: str, top: str) -> str:
    rates = [
        hit[top] / hit["rows"]
        for record in records
        for hit in record["hits"]
        if (hit["method"], hit["plant"]) == (method, what)
    ]
    return f"{100 * float(np.mean(rates)):.0f}" if rates else "-"


STUDY = CaseStudy(name="mixed-culprits", cases=cases, run=run)
