"""More and more classes among the normal rows: AUC-ROC, and how much of it is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.stats import t as student

from slad_paper.datasets.classes import of_table
from slad_paper.pages.claims import Claim, claims_table
from slad_paper.pages.curves import Panel, curves
from slad_paper.pages.document import Heading, Notes, Picture, Report, Table
from slad_paper.pages.pictures import Figure
from slad_paper.pages.records import Record, detectors
from slad_paper.pages.results import failures
from slad_paper.pages.tables import NOTHING, comparison, long
from slad_paper.runner import printed

METRIC = "auc_roc"
ONE_CLASS = ("rca", "so-gaal", "mo-gaal", "dsvdd")
GENERATIVE = ("rca", "so-gaal", "mo-gaal", "ae")
CONTRASTIVE = ("icl", "neutral", "goad")
CAPTION = (
    "Left: mean AUC-ROC, with the 95 % interval of slad-released. Right: what of it is lost "
    "against one class"
)


@dataclass(frozen=True)
class Point:
    """A detector with k normal classes: mean, and its 95 % interval over the combinations."""

    mean: float
    low: float
    high: float
    tables: int


Found = Mapping[str, Mapping[int, Point]]
"""Detector -> number of normal classes -> point."""


def report(records: Sequence[Record]) -> Report:
    """The report of this experiment's records."""
    found = {name: _points(records, name) for name in printed.ordered(detectors(records))}
    found = {name: points for name, points in found.items() if points}
    ks = sorted({k for points in found.values() for k in points})
    return Report(
        name="variety",
        title="Complicated normal data: Fashion-MNIST with one to nine normal classes",
        brief=[
            Heading("The paper's claims"),
            claims_table(_claims(found)),
            Heading("AUC-ROC by number of normal classes"),
            _table(found, ks),
            Notes([*_about(records), *_fewer(found), *failures(records)]),
        ],
        details=[Picture("curves", CAPTION, partial(_draw, found, ks))],
        data={
            "points": long(
                "detector classes auc_roc low high runs",
                (
                    (name, k, point.mean, point.low, point.high, point.tables)
                    for name, points in found.items()
                    for k, point in points.items()
                ),
            )
        },
    )


def _fewer(found: Found) -> list[str]:
    """Detectors with fewer runs than others."""
    counts = {
        name: sum(point.tables for point in points.values()) for name, points in found.items()
    }
    most = max(counts.values(), default=0)
    return [f"{name} has {n} of {most} runs" for name, n in counts.items() if n < most]


def _points(records: Sequence[Record], name: str) -> dict[int, Point]:
    """Means over the seeds of a combination first: seeds of one table are no separate evidence."""
    values: dict[int, dict[int, list[float]]] = {}
    for record in records:
        if record.detector == name and record.metrics is not None:
            k, odd = of_table(record.dataset)
            values.setdefault(k, {}).setdefault(odd, []).append(record.metrics[METRIC])
    return {k: _point(by_table) for k, by_table in sorted(values.items())}


def _point(by_table: Mapping[int, Sequence[float]]) -> Point:
    means = np.array([np.mean(each) for each in by_table.values()])
    half = 0.0
    if len(means) > 1:
        half = float(student.ppf(0.975, len(means) - 1) * means.std(ddof=1) / np.sqrt(len(means)))
    mean = float(means.mean())
    return Point(mean, mean - half, min(1.0, mean + half), sum(map(len, by_table.values())))


def _lost(points: Mapping[int, Point], k: int) -> float | None:
    """The fraction of the AUC-ROC of one class that is lost with k classes."""
    return 1 - points[k].mean / points[1].mean if 1 in points and k in points else None


def _decline(points: Mapping[int, Point]) -> float | None:
    """The same with the most classes there are."""
    return _lost(points, max(points)) if max(points) > 1 else None


def _table(found: Found, ks: Sequence[int]) -> Table:
    def lost(name: str) -> list[str]:
        decline = _decline(found[name])
        return [NOTHING if decline is None else f"{decline:.1%}"]

    header = ["detector", *map(str, ks), "lost"]
    return comparison(
        header, {name: _means(points, ks) for name, points in found.items()}, after=lost
    )


def _means(points: Mapping[int, Point], ks: Sequence[int]) -> list[float | None]:
    return [points[k].mean if k in points else None for k in ks]


def _claims(found: Found) -> Iterator[Claim]:
    """The claims of the paper's section on complicated normal data for which there are records."""
    lost = {name: _decline(points) for name, points in found.items()}
    known = {name: each for name, each in lost.items() if each is not None}
    last = {name: points[max(points)].mean for name, points in found.items()}

    def those(names: Sequence[str]) -> list[str]:
        return [name for name in names if name in known]

    def listed(names: Sequence[str]) -> str:
        return "lost: " + ", ".join(f"{name} {known[name]:.1%}" for name in names)

    for name in those(printed.RECIPES):
        yield Claim.checked(
            f"SLAD loses about 10 % and still has over 0.8 with nine classes ({name} here)",
            [known[name] <= 0.15, last[name] > 0.8],
            f"loses {known[name]:.1%}, {last[name]:.3f} with {max(found[name])}",
        )
    if generative := those(GENERATIVE):
        parts = [known[name] > 0.3 for name in generative]
        yield Claim.checked("generative models lose over 30 %", parts, listed(generative))
    contrastive, others = those(("slad-released", *CONTRASTIVE)), those((*ONE_CLASS, "iforest"))
    if contrastive and others:
        worst = max(known[name] for name in contrastive)
        yield Claim.checked(
            "SLAD, ICL, NeuTraL and GOAD handle more classes better than the others",
            [known[name] > worst for name in others],
            f"{listed(contrastive)}; {listed(others)}",
        )
    if "slad-released" in last and (rivals := [name for name in CONTRASTIVE if name in last]):
        yield Claim.checked(
            "SLAD is above its contrastive counterparts",
            [last["slad-released"] > last[name] for name in rivals],
            "with the most classes: "
            + ", ".join(f"{name} {last[name]:.3f}" for name in ("slad-released", *rivals)),
        )


def _about(records: Sequence[Record]) -> list[str]:
    tables = len({(record.dataset, record.seeds[0]) for record in records})
    return [
        f"{tables} tables: a number of normal classes, an anomalous class and a split each; 784 "
        "pixels, 2,000 normal rows of which half train, whatever the number of classes (the paper "
        "does not say its own)",
        "lost: 1 - AUC-ROC with the most classes / AUC-ROC with one",
        "the combination of k + 1 classes holds that of k; intervals are over the combinations, "
        "after the mean over the seeds of each",
    ]


def _draw(found: Found, ks: Sequence[int]) -> Figure:
    means = {name: _means(points, ks) for name, points in found.items()}
    full = {name: points for name, points in found.items() if list(points) == ks}
    bands = {
        name: ([points[k].low for k in ks], [points[k].high for k in ks])
        for name, points in full.items()
        if name == "slad-released"
    }
    lost = {
        name: [100 * (_lost(points, k) or 0.0) for k in ks]
        for name, points in full.items()
        if 1 in points
    }
    shown = [
        Panel("AUC-ROC", ks, means, bands, "mean over the tables"),
        Panel("Lost against one class", ks, lost, y_label="%"),
    ]
    return curves(shown, x_label="normal classes", height=4.2)
