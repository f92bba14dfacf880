"""Our deep detectors beside other implementations of the same methods, and beside the paper."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from slad.core.errors import DataError
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, Value
from slad_paper.pages.effectiveness import LEGEND, main_table
from slad_paper.pages.records import Record, datasets, detectors, natural, read
from slad_paper.pages.results import Result, failures, gather
from slad_paper.pages.tables import NOTHING, long, marked, table
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS
from slad_paper.runner.records import PEER, REFERENCE, flat_records

TOLERANCE = 0.05
"""A mean that is further below the figure is named."""
MANY = 10
"""Datasets from which on a mean over them says something."""

PEER_STUDY = "rivals-peer"


@dataclass(frozen=True)
class Pair:
    """Ours and the reference on one dataset, where both have a number."""

    detector: str
    dataset: str
    ours: Result
    reference: Mapping[str, Any]
    peer: Sequence[Mapping[str, Any]] = ()
    """Runs of the reference's code on our rows."""

    def theirs(self, metric: str) -> float:
        return float(self.reference[metric])

    def difference(self, metric: str) -> float:
        return self.ours.mean(metric) - self.theirs(metric)

    def of_peer(self, metric: str) -> float:
        return fmean(run[metric] for run in self.peer)

    def shown_of_peer(self, metric: str) -> str:
        """Every run: they are few, and how far apart they are matters."""
        return ", ".join(f"{run[metric]:.3f}" for run in self.peer) or NOTHING


def report(records: Sequence[Record]) -> Report:
    """The report of this experiment's records, with the reference kept beside them."""
    folder, reference = _reference(records)
    names = printed.ordered(detectors(records))
    results = {dataset: gather(records, [dataset]) for dataset in datasets(records)}
    methods = {name: reference["compared"].get(name.partition("[")[0]) for name in names}
    figures = {(line["detector"], line["dataset"]): line for line in reference["figures"]}
    peers = _peers(folder)
    pairs = [
        Pair(name, dataset, by_detector[name], figures[at], peers.get(at, ()))
        for name in names
        for dataset, by_detector in results.items()
        for at in [(methods[name], dataset)]
        if by_detector[name].ok and at in figures
    ]
    every = {name: sum(method == methods[name] for method, _ in figures) for name in names}
    brief: list[Part] = [
        Notes([*_about(reference["note"]), *failures(records)]),
        Heading("Means over the datasets that both have"),
        _means(every, pairs),
        *_against_peer(pairs),
        Heading(f"More than {TOLERANCE} below the reference"),
        *_below(pairs),
        *_paper(folder.parent / "effectiveness", names),
    ]
    return Report(
        name="rivals",
        title="The paper's rivals: ours against other implementations",
        brief=brief,
        details=_each(names, pairs),
        data={"cells": _cells(pairs)},
    )


def _reference(records: Sequence[Record]) -> tuple[Path, dict[str, Any]]:
    """The folder of the records, and the figures beside them."""
    for folder in dict.fromkeys(record.path.parents[1] for record in records):
        path = folder / REFERENCE
        if path.exists():
            content: dict[str, Any] = json.loads(path.read_text("utf-8"))
            return folder, content
    raise DataError(
        f"{records[0].path.parents[1]} holds no {REFERENCE}: give the figures to compare with, by "
        "SLAD_REFERENCE=FILE.csv slad reproduce rivals"
    )


def _peers(folder: Path) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Runs of the reference's code on our rows, by method and dataset."""
    path = folder / PEER
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    runs = json.loads(path.read_text("utf-8"))["runs"] if path.exists() else []
    for run in [*runs, *flat_records(folder.with_name(PEER_STUDY))]:
        found.setdefault((run["detector"], run["dataset"]), []).append(run)
    return found


def _about(note: str) -> list[str]:
    return [
        f"reference: {note}",
        "ours: the defaults of each detector (except for the parameters in brackets), the split of "
        "seed 42, at most 10,000 rows of a set, mean over two model seeds",
        "the reference is one draw: on small tables a difference of a few hundredths is chance",
    ]


def _means(every: Mapping[str, int], pairs: Sequence[Pair]) -> Table:
    """`every`: on how many datasets each detector's reference has a figure."""
    header = ["detector", "datasets", "of"]
    for title in METRICS.values():
        header += [f"{title} ours", "reference", "difference"]
    lines = []
    for name, count in every.items():
        mine = [pair for pair in pairs if pair.detector == name]
        cells: list[Any] = [name, len(mine), count]
        for metric in METRICS if mine else ():
            ours = sum(pair.ours.mean(metric) for pair in mine) / len(mine)
            theirs = sum(pair.theirs(metric) for pair in mine) / len(mine)
            cells += [*marked([ours, theirs]), f"{ours - theirs:+.3f}"]
        lines.append(cells + [None] * (len(header) - len(cells)))
    return table(header, lines, numbers=True)


def _against_peer(pairs: Sequence[Pair]) -> list[Part]:
    """Means over the datasets on which the reference's code itself has run on our rows."""
    notes = []
    for name in dict.fromkeys(pair.detector for pair in pairs):
        mine = [pair for pair in pairs if pair.detector == name and pair.peer]
        if len(mine) < max(MANY, sum(pair.detector == name for pair in pairs)):
            continue
        words = ", ".join(
            f"{title} {fmean(pair.ours.mean(metric) - pair.of_peer(metric) for pair in mine):+.4f}"
            for metric, title in METRICS.items()
        )
        seeds = len(mine[0].peer)
        notes.append(
            f"{name} against the reference's code on the very same {len(mine)} tables, {seeds} "
            f"seeds each: {words}"
        )
    return [Notes(notes)] if notes else []


def _below(pairs: Sequence[Pair]) -> list[Part]:
    found = [
        (pair.difference(metric), pair, metric)
        for pair in pairs
        for metric in METRICS
        if pair.difference(metric) < -TOLERANCE
    ]
    counts = f"{len(found)} of {len(METRICS) * len(pairs)} comparisons"
    if not found:
        return [Notes([f"none: {counts}"])]
    lines = [
        [
            *(pair.detector, pair.dataset, METRICS[metric], pair.ours.shown(metric)),
            *(f"{pair.reference[metric]:.3f}", f"{difference:+.3f}"),
            *(pair.shown_of_peer(metric), pair.reference["train_rows"]),
        ]
        for difference, pair, metric in sorted(found, key=lambda each: each[0])
    ]
    header = ["detector", "dataset", "metric", "ours", "reference", "difference"]
    header += ["its code on our rows", "training rows"]
    legend = "its code on our rows: DeepOD with the paper's settings, one figure a model seed"
    return [table(header, lines), Notes([counts, legend])]


def _paper(folder: Path, names: Sequence[str]) -> list[Part]:
    """The main table's lines of these methods, ours from the records of that experiment."""
    mine = (
        [record for record in read(folder) if record.detector in names] if folder.is_dir() else []
    )
    parts: list[Part] = []
    for metric, title in METRICS.items() if mine else ():
        parts += [Heading(f"The paper's main table, {title}"), main_table(mine, metric)]
    return [*parts, Notes([*LEGEND, "details: effectiveness.md"])] if mine else []


def _each(names: Sequence[str], pairs: Sequence[Pair]) -> list[Part]:
    by_place = {(pair.detector, pair.dataset): pair for pair in pairs}
    every = sorted({pair.dataset for pair in pairs}, key=natural)

    def shown(name: str, dataset: str, metric: str) -> str | None:
        if (pair := by_place.get((name, dataset))) is None:
            return None
        mark = " ↓" if pair.difference(metric) < -TOLERANCE else ""
        return f"{pair.ours.mean(metric):.3f}, {pair.reference[metric]:.3f}{mark}"

    parts: list[Part] = []
    for metric, title in METRICS.items():
        rows = [[dataset, *(shown(name, dataset, metric) for name in names)] for dataset in every]
        parts.append(Heading(f"{title} on each dataset: ours, reference"))
        parts.append(table(["dataset", *names], rows))
    return parts


def _cells(pairs: Sequence[Pair]) -> list[dict[str, Value]]:
    """A row for each detector, dataset and metric."""
    return long(
        "detector dataset metric runs mean std reference difference its_code_on_our_rows "
        "train_rows features",
        (
            (
                *(pair.detector, pair.dataset, metric, *pair.ours.numbers(metric)),
                *(pair.theirs(metric), pair.difference(metric)),
                pair.of_peer(metric) if pair.peer else None,
                *(pair.reference["train_rows"], pair.reference["features"]),
            )
            for pair in pairs
            for metric in METRICS
        ),
    )
