"""The tuning suite: standings over its sources, by kind of task, and repeated halvings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from slad_paper.datasets.suite import Task, task
from slad_paper.pages.document import Cell, Heading, Notes, Part, Report, Table, Value
from slad_paper.pages.halvings import Judged, halving_parts, halving_rows, judged
from slad_paper.pages.records import Record, datasets, detectors
from slad_paper.pages.results import Result, failures, gather, row_caps, uneven, unranked
from slad_paper.pages.standings import (
    Standings,
    difference_parts,
    friedman_line,
    pair_rows,
    pictures,
    standings_of,
    summary_rows,
    summary_table,
)
from slad_paper.runner.halving import Scores, repeated_halvings
from slad_paper.runner.printed import METRICS

REFERENCE = "knn-1"
"""The nearest neighbour, in whatever scaling: what a newcomer has to beat."""
FEWEST_SOURCES = 4
"""For a halving to mean anything."""

Results = Mapping[str, Mapping[str, Result]]
"""Task or source -> detector -> result."""


def report(records: Sequence[Record]) -> Report:
    """The report of the records of this experiment."""
    names, every = detectors(records), [task(name) for name in datasets(records)]
    by_task = {each.name: gather(records, [each.name]) for each in every}
    left_out = unranked(records, by_task)
    ranked = [each for each in every if each.name not in left_out]
    sources = list(dict.fromkeys(each.source for each in ranked))
    by_source = {
        source: gather(records, [each.name for each in ranked if each.source == source])
        for source in sources
    }
    standings = (
        [standings_of(metric, names, sources, by_source) for metric in METRICS] if sources else []
    )
    halvings = _halvings(names, ranked, by_task)
    brief: list[Part] = []
    for standing in standings:
        brief += [Heading(f"{standing.title} over {len(sources)} sources"), summary_table(standing)]
        brief.append(Notes([friedman_line(standing)]))
    if halvings:
        brief += [Heading("Chosen on one half, judged on the other"), *halving_parts(halvings)]
    brief += [Heading("Notes"), Notes(_notes(records, names, every, ranked, left_out))]
    return Report(
        name="tuning",
        title="Detection accuracy on the tuning suite",
        brief=brief,
        details=_details(standings, names, ranked, by_task),
        data={
            "cells": _cells(every, by_task),
            "summary": summary_rows(standings),
            "pairs": pair_rows(standings),
            "halvings": halving_rows(halvings),
        },
    )


def _halvings(names: Sequence[str], ranked: Sequence[Task], by_task: Results) -> list[Judged]:
    """Repeated halvings against the nearest neighbour; none where there is nothing to choose."""
    reference = [name for name in names if name.partition("[")[0] == REFERENCE]
    sources = {each.source for each in ranked}
    if not reference or len(reference) == len(names) or len(sources) < FEWEST_SOURCES:
        return []
    values = {
        metric: np.array(
            [[by_task[each.name][name].mean(metric) for name in names] for each in ranked]
        )
        for metric in METRICS
    }
    scores = Scores(tuple(names), tuple(each.source for each in ranked), values)
    return [judged(each) for each in repeated_halvings(scores, reference)]


# -- tables ----------------------------------------------------------------------------------------


def _details(
    standings: Sequence[Standings],
    names: Sequence[str],
    ranked: Sequence[Task],
    by_task: Results,
) -> list[Part]:
    details = pictures(standings, "sources")
    for metric, title in METRICS.items():
        heading = f"{title} by kind of task: means over the tasks"
        details += [Heading(heading), _by_kind(metric, names, ranked, by_task)]
    return details + difference_parts(standings, "tuning", "sources")


def kind_of(each: Task) -> str:
    """What sort of task it is, in the words of the table."""
    if each.source == "fashion-mnist":
        return "held-out classes: images"
    if "vaderSentiment" in each.origin:
        return "held-out classes: texts"
    if each.kind != "class":
        return f"planted: {each.kind}"
    return "held-out classes: mixed" if each.mixed else "held-out classes: numbers"


def _by_kind(metric: str, names: Sequence[str], ranked: Sequence[Task], by_task: Results) -> Table:
    kinds = sorted({kind_of(each) for each in ranked})
    rows = []
    for kind in kinds:
        mine = [each.name for each in ranked if kind_of(each) == kind]
        means = [
            float(np.mean([by_task[row][name].mean(metric) for row in mine])) for name in names
        ]
        best = max(round(mean, 3) for mean in means)
        cells = [Cell(f"{mean:.3f}", round(mean, 3) == best) for mean in means]
        rows.append([Cell(kind), Cell(str(len(mine))), *cells])
    return Table(["kind of task", "tasks", *names], rows, numbers=True)


# -- notes -----------------------------------------------------------------------------------------


def _notes(
    records: Sequence[Record],
    names: Sequence[str],
    every: Sequence[Task],
    ranked: Sequence[Task],
    left_out: Mapping[str, str],
) -> list[str]:
    notes = [
        f"{len(every)} tasks of {len({each.source for each in every})} sources have records; "
        f"{len(ranked)} are counted, those on which each of the {len(names)} detectors has a "
        "result. A source counts once, as the mean of its tasks; where tests and pictures say "
        "dataset, they mean a source",
        "no source is ADBench's or the paper's but Fashion-MNIST, which ADBench has as embeddings "
        "and which is here as pixels and principal components (docs/suite.md)",
        "the paper says nothing of this suite: what it leaves open is chosen here",
    ]
    notes += [f"runs took at most {rows:,} rows of a task" for rows in row_caps(records)]
    for why in dict.fromkeys(left_out.values()):
        rows = [name for name, reason in left_out.items() if reason == why]
        notes.append(f"left out ({why}): {', '.join(rows)}")
    notes += failures(records)
    table = {each.name: gather(records, [each.name]) for each in every}
    return notes + [f"fewer runs: {line}" for line in uneven(table)]


def _cells(every: Sequence[Task], by_task: Results) -> list[dict[str, Value]]:
    """One line for each detector, task and metric, in full precision."""
    return [
        {
            "task": each.name,
            "source": each.source,
            "kind": kind_of(each),
            "detector": name,
            "metric": metric,
            "runs": len(result.runs),
            "mean": result.mean(metric) if result.ok else None,
            "std": result.std(metric) if result.ok else None,
        }
        for each in every
        for name, result in by_task[each.name].items()
        for metric in METRICS
    ]
