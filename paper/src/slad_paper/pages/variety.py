"""More and more classes among the normal rows: AUC-ROC, and how much of it is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import t as student

from slad_paper.datasets.classes import of_table
from slad_paper.pages.claims import Claim, claims_table
from slad_paper.pages.curves import Panel, curves
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.records import Record, detectors
from slad_paper.pages.results import failures
from slad_paper.runner import printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    """The report of the records of this experiment."""
    found = {name: _points(records, name) for name in printed.ordered(detectors(records))}
    found = {name: points for name, points in found.items() if points}
    brief: list[Part] = [
        Heading("The paper's claims"),
        claims_table(_claims(found)),
        Heading("AUC-ROC by number of normal classes"),
        _table(found),
        Notes([*_about(records), *_fewer(found), *failures(records)]),
    ]
    details: list[Part] = [Picture("curves", CAPTION, partial(_draw, found))]
    return Report(
        name="variety",
        title="Complicated normal data: Fashion-MNIST with one to nine normal classes",
        brief=brief,
        details=details,
        data={"points": _rows(found)},
    )


def _fewer(found: Found) -> list[str]:
    """Who has fewer runs than others."""
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


def _decline(points: Mapping[int, Point]) -> float | None:
    """What is lost of the AUC-ROC of one class, with the most classes there are."""
    most = max(points)
    return 1 - points[most].mean / points[1].mean if 1 in points and most > 1 else None


def _table(found: Found) -> Table:
    ks = sorted({k for points in found.values() for k in points})
    best = {
        k: max(round(points[k].mean, 3) for points in found.values() if k in points) for k in ks
    }
    rows = []
    for name, points in found.items():
        cells = [Cell(name)]
        for k in ks:
            mean = points[k].mean if k in points else None
            cells.append(
                Cell("–") if mean is None else Cell(f"{mean:.3f}", round(mean, 3) == best[k])
            )
        lost = _decline(points)
        rows.append([*cells, Cell("–" if lost is None else f"{lost:.1%}")])
    return Table(["detector", *map(str, ks), "lost"], rows, numbers=True)


def _claims(found: Found) -> list[Claim]:
    """What the paper's section on complicated normal data says, as far as there are records."""
    lost = {name: _decline(points) for name, points in found.items()}
    known = {name: each for name, each in lost.items() if each is not None}
    last = {name: points[max(points)] for name, points in found.items()}
    claims = []
    for name in printed.RECIPES:
        if name in known:
            claims.append(
                Claim.judged(
                    f"SLAD loses about 10 % and still has over 0.8 with nine classes ({name} here)",
                    [known[name] <= 0.15, last[name].mean > 0.8],
                    f"loses {known[name]:.1%}, {last[name].mean:.3f} with {max(found[name])}",
                )
            )
    if generative := [name for name in GENERATIVE if name in known]:
        claims.append(
            Claim.judged(
                "generative models lose over 30 %",
                [known[name] > 0.3 for name in generative],
                _listed(known, generative),
            )
        )
    contrastive = [name for name in ("slad-released", *CONTRASTIVE) if name in known]
    others = [name for name in (*ONE_CLASS, "iforest") if name in known]
    if contrastive and others:
        worst = max(known[name] for name in contrastive)
        claims.append(
            Claim.judged(
                "SLAD, ICL, NeuTraL and GOAD handle more classes better than the others",
                [known[name] > worst for name in others],
                f"{_listed(known, contrastive)}; {_listed(known, others)}",
            )
        )
    if "slad-released" in last and (rivals := [name for name in CONTRASTIVE if name in last]):
        claims.append(
            Claim.judged(
                "SLAD is above its contrastive counterparts",
                [last["slad-released"].mean > last[name].mean for name in rivals],
                "with the most classes: "
                + ", ".join(f"{name} {last[name].mean:.3f}" for name in ("slad-released", *rivals)),
            )
        )
    return claims


def _listed(lost: Mapping[str, float], names: Sequence[str]) -> str:
    return "lost: " + ", ".join(f"{name} {lost[name]:.1%}" for name in names)


def _about(records: Sequence[Record]) -> list[str]:
    tables = len({(record.dataset, record.seeds[0]) for record in records})
    return [
        f"{tables} tables: a number of normal classes, a strange class and a split each; 784 "
        "pixels, 2,000 normal rows of which half train, whatever the number of classes (the paper "
        "does not say its own)",
        "lost: 1 - AUC-ROC with the most classes / AUC-ROC with one",
        "the combination of k + 1 classes holds that of k; intervals are over the combinations, "
        "after the mean over the seeds of each",
    ]


def _draw(found: Found) -> Figure:
    ks = sorted({k for points in found.values() for k in points})
    means = {name: [_mean(points, k) for k in ks] for name, points in found.items()}
    full = {name: points for name, points in found.items() if list(points) == ks}
    bands = {
        name: ([points[k].low for k in ks], [points[k].high for k in ks])
        for name, points in full.items()
        if name == "slad-released"
    }
    lost = {
        name: [100 * (1 - points[k].mean / points[1].mean) for k in ks]
        for name, points in full.items()
        if 1 in points
    }
    panels = [
        Panel("AUC-ROC", ks, means, bands, "mean over the tables"),
        Panel("Lost against one class", ks, lost, y_label="%"),
    ]
    return curves(panels, x_label="normal classes", height=4.2)


def _mean(points: Mapping[int, Point], k: int) -> float | None:
    return points[k].mean if k in points else None


def _rows(found: Found) -> list[dict[str, Value]]:
    return [
        {
            "detector": name,
            "classes": k,
            METRIC: point.mean,
            "low": point.low,
            "high": point.high,
            "runs": point.tables,
        }
        for name, points in found.items()
        for k, point in points.items()
    ]
