"""ADBench: average ranks and first places over its datasets, with the tests that go with ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from slad.datasets import catalog
from slad.experiments import printed
from slad.experiments.printed import METRICS, Standing
from slad.reports.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value, plain
from slad.reports.records import Record, datasets, detectors
from slad.reports.results import (
    Result,
    different_data,
    failures,
    gather,
    is_best,
    row_caps,
    uneven,
)
from slad.reports.standings import (
    COLUMNS,
    P_VALUES,
    Standings,
    draw_ranks,
    draw_strips,
    friedman_line,
    p_value_table,
    pair_rows,
    standings_of,
    summary_rows,
    summary_table,
)

Results = Mapping[str, Mapping[str, Result]]
"""Dataset -> detector -> result."""


def report(records: Sequence[Record]) -> Report:
    """The report of the records of this experiment."""
    names, every = detectors(records), datasets(records)
    results = {dataset: gather(records, [dataset]) for dataset in every}
    left_out = _left_out(records, results)
    ranked = [dataset for dataset in every if dataset not in left_out]
    standings = (
        [standings_of(metric, names, ranked, results) for metric in METRICS] if ranked else []
    )
    brief: list[Part] = []
    for standing in standings:
        brief += [Heading(standing.title), summary_table(standing)]
        brief.append(Notes([friedman_line(standing)]))
    brief += [Heading("Notes"), Notes(_notes(records, names, every, ranked, left_out, results))]
    brief += [
        Heading("The paper's table, for orientation only"),
        _printed(),
        Notes(_warning(names)),
    ]
    return Report(
        name="adbench",
        title="Detection accuracy on ADBench",
        brief=brief,
        details=_details(records, standings, names, every, results),
        data={
            "cells": _cells(ranked, results),
            "summary": summary_rows(standings),
            "pairs": pair_rows(standings),
        },
    )


def _left_out(records: Sequence[Record], results: Results) -> dict[str, str]:
    """Datasets that cannot be ranked, each with the reason."""
    left_out = different_data(records)
    for dataset, by_detector in results.items():
        absent = [f"{name} {result.why()}" for name, result in by_detector.items() if not result.ok]
        if absent:
            left_out[dataset] = "; ".join(absent)
    return left_out


# -- tables ----------------------------------------------------------------------------------------


def _printed() -> Table:
    header = [name for title in METRICS.values() for name in (f"{title} avg. rank", *COLUMNS[1:-1])]
    table = printed.adbench()
    rows = []
    for method in sorted(table, key=lambda method: table[method]["auc_roc"].rank):
        cells = [text for metric in METRICS for text in _printed_cells(table[method][metric])]
        rows.append(plain([method, *cells]))
    return Table(["method", *header], rows, numbers=True)


def _printed_cells(number: Standing) -> list[str]:
    shares = f"{number.top2_percent:.1f}", f"{number.top4_percent:.1f}"
    return [f"{number.rank:.2f}", str(number.top2), shares[0], str(number.top4), shares[1]]


def _details(
    records: Sequence[Record],
    standings: Sequence[Standings],
    names: Sequence[str],
    every: Sequence[str],
    results: Results,
) -> list[Part]:
    details: list[Part] = []
    for standing in standings:
        if len(standing.names) > 1:
            name = standing.metric.replace("_", "-")
            caption = f"{standing.title}: average ranks; a bar joins what does not differ"
            details.append(Picture(f"ranks-{name}", caption, partial(draw_ranks, standing)))
    if standings:
        draw = partial(draw_strips, standings)
        details.append(Picture("values", "AUC over the datasets, a dot each", draw))
    for standing in standings:
        if len(standing.names) > 1:
            details.append(Heading(f"{standing.title}: is the difference chance?"))
            details += [p_value_table(standing), Notes([P_VALUES])]
    for metric, title in METRICS.items():
        details += [Heading(f"{title} on each dataset"), _each(metric, names, every, results)]
    notes = {record.dataset: record.note for record in records if record.note}
    about = [f"{dataset}: {notes[dataset]}" for dataset in every if dataset in notes]
    return [*details, Heading("About the data"), Notes(about)] if about else details


def _each(metric: str, names: Sequence[str], every: Sequence[str], results: Results) -> Table:
    rows = []
    for dataset in every:
        cells = [Cell(dataset)]
        for name in names:
            result = results[dataset][name]
            text = result.shown(metric) if result.ok else result.why()
            cells.append(Cell(text, is_best(results[dataset], name, metric)))
        rows.append(cells)
    return Table(["dataset", *names], rows)


# -- notes -----------------------------------------------------------------------------------------


def _notes(
    records: Sequence[Record],
    names: Sequence[str],
    every: Sequence[str],
    ranked: Sequence[str],
    left_out: Mapping[str, str],
    results: Results,
) -> list[str]:
    total = printed.adbench_datasets()
    notes = [
        f"{len(every)} of the {total} datasets of ADBench have records; {len(ranked)} are ranked, "
        f"those on which each of the {len(names)} detectors has a result",
        "avg. rank: mean place over these datasets, by the mean over the runs on each; detectors "
        "that tie share the average of their places",
        "columns #top2 and %top2: datasets with a place of 2 or better, and their share; mean: "
        "mean over the same datasets",
    ]
    absent = [name for name in catalog.names("adbench") if name not in every]
    if absent:
        notes.append(f"without records: {', '.join(absent)}")
    caps = [f"{rows:,}" for rows in row_caps(records)]
    if caps:
        notes.append(f"runs took at most {' or '.join(caps)} rows of a dataset")
    for why in dict.fromkeys(left_out.values()):
        rows = [dataset for dataset, reason in left_out.items() if reason == why]
        notes.append(f"left out of the ranks ({why}): {', '.join(rows)}")
    notes += [f"failed: {line}" for line in failures(records)]
    return notes + [f"fewer runs: {line}" for line in uneven(results)]


def _warning(names: Sequence[str]) -> list[str]:
    table = printed.adbench()
    sums = [f"{sum(numbers[metric].rank for numbers in table.values()):.2f}" for metric in METRICS]
    return [
        f"not to be compared with ours number by number: these are ranks among {len(table)} other "
        f"detectors (ours are {len(names)}) and over all {printed.adbench_datasets()} datasets",
        f"its average ranks add up to {' and '.join(sums)}, where {len(table)} detectors without "
        f"gaps have {len(table) * (len(table) + 1) / 2:g}: how it ranked ties or failures is not "
        "said",
    ]


def _cells(ranked: Sequence[str], results: Results) -> list[dict[str, Value]]:
    """One line for each detector, dataset and metric, in full precision."""
    return [
        {
            "dataset": dataset,
            "detector": name,
            "metric": metric,
            "runs": len(result.runs),
            "mean": result.mean(metric) if result.ok else None,
            "std": result.std(metric) if result.ok else None,
            "ranked": int(dataset in ranked),
            "absent": None if result.ok else result.why(),
        }
        for dataset, by_detector in results.items()
        for name, result in by_detector.items()
        for metric in METRICS
    ]
