"""The tuning suite: standings over its sources, by kind of task, and repeated halvings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from slad_paper.datasets.suite import Task, task
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, Value
from slad_paper.pages.halvings import Comparison, compared, halving_parts, halving_rows
from slad_paper.pages.records import Record, datasets, detectors
from slad_paper.pages.results import Results, failures, gather, row_caps, uneven, unranked
from slad_paper.pages.standing_pictures import overviews
from slad_paper.pages.standings import (
    Standings,
    difference_parts,
    friedman_line,
    pair_rows,
    standings_of,
    summary_rows,
    summary_table,
)
from slad_paper.pages.tables import long, marked, table
from slad_paper.runner.halving import Scores, repeated_halvings
from slad_paper.runner.printed import METRICS

REFERENCE = "knn-1"
"""The nearest neighbour, in whatever scaling: what a new detector has to beat."""
FEWEST_SOURCES = 4
"""For a halving to mean anything."""


def report(records: Sequence[Record]) -> Report:
    """The report of this experiment's records."""
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
        brief += [Heading("Chosen on one half, evaluated on the other"), *halving_parts(halvings)]
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


def _halvings(names: Sequence[str], ranked: Sequence[Task], by_task: Results) -> list[Comparison]:
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
    return [compared(each) for each in repeated_halvings(scores, reference)]


def _details(
    standings: Sequence[Standings], names: Sequence[str], ranked: Sequence[Task], by_task: Results
) -> list[Part]:
    details = overviews(standings, "sources")
    for metric, title in METRICS.items():
        heading = f"{title} by kind of task: means over the tasks"
        details += [Heading(heading), _by_kind(metric, names, ranked, by_task)]
    return details + difference_parts(standings, "tuning", "sources")


def kind_of(each: Task) -> str:
    """The kind of a task, in the words of the table."""
    if each.source == "fashion-mnist":
        return "held-out classes: images"
    if "vaderSentiment" in each.origin:
        return "held-out classes: texts"
    if each.kind != "class":
        return f"planted: {each.kind}"
    return "held-out classes: mixed" if each.mixed else "held-out classes: numbers"


def _by_kind(metric: str, names: Sequence[str], ranked: Sequence[Task], by_task: Results) -> Table:
    rows = []
    for kind in sorted({kind_of(each) for each in ranked}):
        mine = [by_task[each.name] for each in ranked if kind_of(each) == kind]
        means = [float(np.mean([here[name].mean(metric) for here in mine])) for name in names]
        rows.append([kind, len(mine), *marked(means)])
    return table(["kind of task", "tasks", *names], rows, numbers=True)


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
        "no source is ADBench's or the paper's except Fashion-MNIST, which ADBench has as "
        "embeddings and which is here as pixels and principal components (paper/docs/suite.md)",
        "the paper does not use this suite: it serves to choose what the paper leaves open",
    ]
    notes += [f"runs used at most {rows:,} rows of a task" for rows in row_caps(records)]
    for why in dict.fromkeys(left_out.values()):
        rows = [name for name, reason in left_out.items() if reason == why]
        notes.append(f"left out ({why}): {', '.join(rows)}")
    by_task = {each.name: gather(records, [each.name]) for each in every}
    return [*notes, *failures(records), *(f"fewer runs: {line}" for line in uneven(by_task))]


def _cells(every: Sequence[Task], by_task: Results) -> list[dict[str, Value]]:
    """A row for each detector, task and metric."""
    return long(
        "task source kind detector metric runs mean std",
        (
            (each.name, each.source, kind_of(each), name, metric, *result.numbers(metric))
            for each in every
            for name, result in by_task[each.name].items()
            for metric in METRICS
        ),
    )
