"""The main table: the paper's ten rows, ours beside the printed numbers of the same method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from slad.experiments import printed
from slad.experiments.printed import METRICS, Printed, Row
from slad.reports.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad.reports.records import Record, datasets, detectors
from slad.reports.results import Result, different_data, failures, gather, is_best, row_caps, uneven

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEVIATIONS = 2
WORDS = {"": "", "↑": "above", "↓": "below"}
ROUNDING = 0.0005
"""Half a unit of the last printed digit."""

LEGEND = (
    "mean ± standard deviation over the runs of a cell; no ± where there is a single run",
    "bold (starred in text): the best of our detectors in its row",
    f"↑ ↓: above or below the printed mean of the same method by more than {DEVIATIONS} of its "
    "printed standard deviations (and half a unit of its last digit)",
    "printed: the numbers of Xu et al., ICML 2023; OOM: out of memory there",
)

CAPTION = "Ours minus the printed numbers; whiskers: one standard deviation of ours"

Results = Mapping[str, Mapping[str, Result]]
"""Name of a row -> detector -> result."""


def report(records: Sequence[Record]) -> Report:
    """The report of the records of this experiment."""
    names = _ordered(detectors(records))
    rows = printed.rows()
    results = {row.name: gather(records, row.datasets) for row in rows}
    brief: list[Part] = []
    for metric, title in METRICS.items():
        brief += [Heading(title), _table(rows, names, results, metric)]
    brief += [Heading("Notes"), Notes([*LEGEND, *_notes(records, rows, names, results)])]
    if any(
        result.ok and printed.compared_with(name)
        for by_detector in results.values()
        for name, result in by_detector.items()
    ):
        brief.append(Picture("printed", CAPTION, partial(_draw, rows, names, results)))
    return Report(
        name="effectiveness",
        title="Detection accuracy on the paper's datasets",
        brief=brief,
        data={"cells": _cells(rows, names, results)},
    )


def beyond(ours: float, number: Printed) -> str:
    """An arrow where ours is further from a printed mean than its deviation explains."""
    distance = ours - number.mean
    if abs(distance) <= DEVIATIONS * number.std + ROUNDING:
        return ""
    return "↑" if distance > 0 else "↓"


def _ordered(names: Sequence[str]) -> list[str]:
    """Detectors with a printed counterpart first, in the paper's order."""
    methods, known = [*printed.methods(), None], list(printed.compared())

    def place(name: str) -> tuple[int, int, str]:
        base = name.partition("[")[0]
        own = known.index(base) if base in known else len(known)
        return methods.index(printed.compared_with(name)), own, name

    return sorted(names, key=place)


# -- the table -------------------------------------------------------------------------------------


def _table(rows: Sequence[Row], names: Sequence[str], results: Results, metric: str) -> Table:
    """A column for each detector; before the first of a printed method, that method's column."""
    columns = _columns(names)
    body = [[Cell(row.name), *_cells_of(row, columns, results[row.name], metric)] for row in rows]
    shared = _shared(rows, names, results)
    if shared:
        body.append(
            [Cell(f"average of {len(shared)}"), *_averages(shared, columns, results, metric)]
        )
    header = [name if ours else f"{name} printed" for name, ours in columns]
    return Table(["dataset", *header], body)


def _columns(names: Sequence[str]) -> list[tuple[str, bool]]:
    """Names of columns in order, and whether each is a detector of ours or a printed method."""
    columns: list[tuple[str, bool]] = []
    for name in names:
        method = printed.compared_with(name)
        if method and (method, False) not in columns:
            columns.append((method, False))
        columns.append((name, True))
    return columns


def _cells_of(
    row: Row, columns: Sequence[tuple[str, bool]], results: Mapping[str, Result], metric: str
) -> list[Cell]:
    cells = []
    for name, ours in columns:
        if not ours:
            cells.append(Cell(_printed(row.printed(metric, name))))
        elif results[name].ok:
            text = f"{results[name].shown(metric)} {_mark(row, name, results[name], metric)}"
            cells.append(Cell(text.rstrip(), is_best(results, name, metric)))
        else:
            cells.append(Cell(_absent(row, results, name)))
    return cells


def _printed(number: Printed | None) -> str:
    return printed.OUT_OF_MEMORY if number is None else f"{number.mean:.3f} ± {number.std:.3f}"


def _mark(row: Row, name: str, result: Result, metric: str) -> str:
    method = printed.compared_with(name)
    number = row.printed(metric, method) if method else None
    return beyond(result.mean(metric), number) if number and result.ok else ""


def _absent(row: Row, results: Mapping[str, Result], name: str) -> str:
    anything = any(result.runs or result.failed or result.gaps for result in results.values())
    return results[name].why() if anything or row.available else "not available"


def _shared(rows: Sequence[Row], names: Sequence[str], results: Results) -> list[Row]:
    """The rows on which every detector has a number, of those detectors that have any."""
    some = [name for name in names if any(results[row.name][name].ok for row in rows)]
    return [row for row in rows if some and all(results[row.name][name].ok for name in some)]


def _averages(
    rows: Sequence[Row], columns: Sequence[tuple[str, bool]], results: Results, metric: str
) -> list[Cell]:
    """Means over the same rows for all columns, or they could not be compared."""
    averages: list[float | None] = []
    for name, ours in columns:
        if ours:
            cells = [results[row.name][name] for row in rows]
            numbers = [cell.mean(metric) for cell in cells if cell.ok]
        else:
            printed_cells = [row.printed(metric, name) for row in rows]
            numbers = [number.mean for number in printed_cells if number]
        averages.append(sum(numbers) / len(numbers) if len(numbers) == len(rows) else None)
    shown = ["–" if average is None else f"{average:.3f}" for average in averages]
    best = max(text for text, (_, ours) in zip(shown, columns, strict=True) if ours and text != "–")
    return [
        Cell(text, ours and text == best) for text, (_, ours) in zip(shown, columns, strict=True)
    ]


# -- notes, data, picture --------------------------------------------------------------------------


def _notes(
    records: Sequence[Record], rows: Sequence[Row], names: Sequence[str], results: Results
) -> list[str]:
    notes = []
    shared = _shared(rows, names, results)
    if shared:
        notes.append(f"the average is over the rows all have: {', '.join(r.name for r in shared)}")
    caps = [f"{rows:,}" for rows in row_caps(records)]
    if caps:
        notes.append(
            f"runs took at most {' or '.join(caps)} rows of a dataset, the paper all: not to be "
            "compared with its numbers"
        )
    notes += [
        f"{row.name}: our data are {row.note}, not the paper's file; its printed numbers are for "
        "orientation"
        for row in rows
        if row.note
    ]
    notes += [f"failed: {line}" for line in failures(records)]
    notes += [f"fewer runs: {line}" for line in uneven(results)]
    notes += [f"{name}: {what}" for name, what in different_data(records).items()]
    known = {name for row in rows for name in row.datasets}
    others = [name for name in datasets(records) if name not in known]
    if others:
        notes.append(f"no row of the paper's table, so not shown: {', '.join(others)}")
    return notes


def _cells(rows: Sequence[Row], names: Sequence[str], results: Results) -> list[dict[str, Value]]:
    """One line for each detector, row and metric, in full precision."""
    lines: list[dict[str, Value]] = []
    for row in rows:
        for name in names:
            result, method = results[row.name][name], printed.compared_with(name)
            for metric in METRICS:
                number = row.printed(metric, method) if method else None
                lines.append(
                    {
                        "dataset": row.name,
                        "detector": name,
                        "metric": metric,
                        "runs": len(result.runs),
                        "mean": result.mean(metric) if result.ok else None,
                        "std": result.std(metric) if result.ok else None,
                        "printed_method": method,
                        "printed_mean": number.mean if number else None,
                        "printed_std": number.std if number else None,
                        "beyond": WORDS[_mark(row, name, result, metric)],
                        "absent": None if result.ok else _absent(row, results[row.name], name),
                    }
                )
    return lines


def _draw(rows: Sequence[Row], names: Sequence[str], results: Results) -> Figure:
    from slad.reports.printed_picture import draw

    return draw(rows, names, results)
