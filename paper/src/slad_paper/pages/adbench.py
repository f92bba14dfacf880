"""ADBench: average ranks and first places over its datasets, with tests of the ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from slad_paper.datasets import catalog
from slad_paper.pages import printed_ranks, table_claims
from slad_paper.pages.claims import claims_table
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, Value
from slad_paper.pages.records import Record, datasets, detectors
from slad_paper.pages.results import (
    Results,
    best_cells,
    failures,
    gather,
    row_caps,
    uneven,
    unranked,
)
from slad_paper.pages.standing_pictures import maps, overviews
from slad_paper.pages.standings import (
    LARGEST_MATRIX,
    Standings,
    difference_parts,
    friedman_line,
    pair_rows,
    standings_of,
    summary_rows,
    summary_table,
)
from slad_paper.pages.tables import long, table
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS

PAPER, OTHERS = ": the paper's methods", ": the others"


def report(records: Sequence[Record]) -> Report:
    """The report of this experiment's records."""
    names, every = printed.ordered(detectors(records)), datasets(records)
    results = {dataset: gather(records, [dataset]) for dataset in every}
    left_out = unranked(records, results)
    ranked = [dataset for dataset in every if dataset not in left_out]
    standings = (
        [standings_of(metric, names, ranked, results) for metric in METRICS] if ranked else []
    )
    brief: list[Part] = []
    for standing in standings:
        brief += [Heading(standing.title), summary_table(standing)]
        brief.append(Notes([friedman_line(standing)]))
    brief += [Heading("Notes"), Notes(_notes(records, names, ranked, left_out, results))]
    brief += printed_ranks.parts(names, results)
    if claims := table_claims.of_adbench(names, results):
        brief += [Heading("The paper's claims"), claims_table(claims)]
    return Report(
        name="adbench",
        title="Detection accuracy on ADBench",
        brief=brief,
        details=_details(records, standings, names, ranked, results),
        data={
            "cells": _cells(ranked, results),
            "summary": summary_rows(standings),
            "pairs": pair_rows(standings),
        },
    )


def _details(
    records: Sequence[Record],
    standings: Sequence[Standings],
    names: Sequence[str],
    ranked: Sequence[str],
    results: Results,
) -> list[Part]:
    details = [*overviews(standings, "datasets"), *maps(standings, ranked)]
    details += difference_parts(standings, "adbench", "datasets")
    for metric, title in METRICS.items():
        for which, some in _blocks(names).items():
            heading = f"{title} on each dataset{which}"
            details += [Heading(heading), _each(metric, some, results)]
    notes = {record.dataset: record.note for record in records if record.note}
    about = [f"{dataset}: {notes[dataset]}" for dataset in results if dataset in notes]
    return [*details, Heading("About the data"), Notes(about)] if about else details


def _blocks(names: Sequence[str]) -> dict[str, list[str]]:
    """The columns of one table, or of two where they are many: the paper's methods first."""
    if len(names) <= LARGEST_MATRIX:
        return {"": list(names)}
    paper = [name for name in names if printed.compared_with(name)]
    others = [name for name in names if name not in paper]
    return {title: some for title, some in ((PAPER, paper), (OTHERS, others)) if some}


def _each(metric: str, names: Sequence[str], results: Results) -> Table:
    rows = ([dataset, *best_cells(here, names, metric)] for dataset, here in results.items())
    return table(["dataset", *names], rows)


def _notes(
    records: Sequence[Record],
    names: Sequence[str],
    ranked: Sequence[str],
    left_out: Mapping[str, str],
    results: Results,
) -> list[str]:
    notes = [
        f"{len(results)} of the {printed.adbench_datasets()} datasets of ADBench have records; "
        f"{len(ranked)} are ranked, those on which each of the {len(names)} detectors has a result",
        "avg. rank: mean place over these datasets, by the mean over the runs on each; detectors "
        "that tie share the average of their places",
        "columns #top2 and %top2: datasets with a place of 2 or better, and their percentage; "
        "mean: mean over the same datasets",
    ]
    absent = [name for name in catalog.names("adbench") if name not in results]
    if absent:
        notes.append(f"without records: {', '.join(absent)}")
    caps = [f"{rows:,}" for rows in row_caps(records)]
    if caps:
        notes.append(f"runs used at most {' or '.join(caps)} rows of a dataset")
    for why in dict.fromkeys(left_out.values()):
        rows = [dataset for dataset, reason in left_out.items() if reason == why]
        notes.append(f"left out of the ranks ({why}): {', '.join(rows)}")
    return [*notes, *failures(records), *(f"fewer runs: {line}" for line in uneven(results))]


def _cells(ranked: Sequence[str], results: Results) -> list[dict[str, Value]]:
    """A row for each detector, dataset and metric."""
    return long(
        "dataset detector metric runs mean std ranked absent",
        (
            (
                *(dataset, name, metric, *result.numbers(metric), int(dataset in ranked)),
                None if result.ok else result.why(),
            )
            for dataset, by_detector in results.items()
            for name, result in by_detector.items()
            for metric in METRICS
        ),
    )
