"""The main table: the paper's datasets, ours beside the printed numbers of the same method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from slad_paper.pages import table_claims
from slad_paper.pages.claims import claims_table
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.records import Record, datasets, detectors
from slad_paper.pages.results import (
    Result,
    different_data,
    failures,
    gather,
    is_best,
    row_caps,
    uneven,
)
from slad_paper.pages.verdicts import (
    DEVIATIONS,
    WORDS,
    Results,
    mark,
    verdict_of,
    verdict_parts,
)
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS, Printed, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHALLOW = "iForest"
EPOCHS = (
    "the paper tried 10, 20, 50 and 100 epochs for the deep methods and printed good ones for each "
    "of three groups of datasets; ours train as long on every dataset (slad-released as its "
    "authors' code does)"
)
LEGEND = (
    "mean ± standard deviation over the runs of a cell; no ± where there is a single run",
    "bold (starred in text): the best of our detectors in its column",
    f"↑ ↓: above or below the printed mean of the same method by more than {DEVIATIONS} of its "
    "printed standard deviations (and half a unit of its last digit)",
    "printed: the numbers of Xu et al., ICML 2023; OOM: out of memory",
)

MAP = "Ours minus the printed means; white: within two printed deviations"
CAPTION = "Ours minus the printed means; whiskers: our deviation, grey: two printed ones"


def report(records: Sequence[Record]) -> Report:
    """The report of the records of this experiment."""
    names, rows, results = _gathered(records)
    brief: list[Part] = []
    for metric, title in METRICS.items():
        brief += [Heading(title), _table(names, rows, results, metric)]
    compared = [
        name
        for name in names
        if printed.compared_with(name) and any(results[row.name][name].ok for row in rows)
    ]
    details: list[Part] = []
    if compared:
        brief += verdict_parts([verdict_of(name, rows, results) for name in compared])
        brief.append(Picture("verdicts", MAP, partial(_draw_map, rows, compared, results)))
        details.append(Picture("printed", CAPTION, partial(_draw, rows, names, results)))
    if claims := table_claims.of_main_table(rows, results, names):
        brief += [Heading("The paper's claims"), claims_table(claims)]
    brief += [Heading("Notes"), Notes([*LEGEND, *_notes(records, rows, names, results)])]
    return Report(
        name="effectiveness",
        title="Detection accuracy on the paper's datasets",
        brief=brief,
        details=details,
        data={"cells": _cells(rows, names, results)},
    )


def main_table(records: Sequence[Record], metric: str) -> Table:
    """The table of one metric alone."""
    return _table(*_gathered(records), metric)


def _gathered(records: Sequence[Record]) -> tuple[list[str], list[Row], Results]:
    """Detectors in order, the rows that can be had, and what the records say of both."""
    seen = set(datasets(records))
    rows = [row for row in printed.rows() if row.available or seen & set(row.datasets)]
    results = {row.name: gather(records, row.datasets) for row in rows}
    return printed.ordered(detectors(records)), rows, results


# -- the table -------------------------------------------------------------------------------------


def _table(names: Sequence[str], rows: Sequence[Row], results: Results, metric: str) -> Table:
    """A line for each detector; before the first of a printed method, that method's line."""
    lines = _lines(names)
    columns = [[Cell(_name(line)) for line in lines]]
    columns += [_cells_of(row, lines, results[row.name], metric) for row in rows]
    header = ["detector", *(row.name for row in rows)]
    shared = _shared(rows, names, results)
    if shared:
        columns.append(_averages(shared, lines, results, metric))
        header.append(f"average of {len(shared)}")
    return Table(header, list(zip(*columns, strict=True)))


Line = tuple[str, bool]
"""A name, and whether it is a detector of ours or a printed method."""


def _lines(names: Sequence[str]) -> list[Line]:
    lines: list[Line] = []
    for name in names:
        method = printed.compared_with(name)
        if method and (method, False) not in lines:
            lines.append((method, False))
        lines.append((name, True))
    return lines


def _name(line: Line) -> str:
    name, ours = line
    return name if ours else f"{name} printed"


def _cells_of(
    row: Row, lines: Sequence[Line], results: Mapping[str, Result], metric: str
) -> list[Cell]:
    cells = []
    for name, ours in lines:
        if not ours:
            cells.append(Cell(_printed(row.printed(metric, name))))
        elif results[name].ok:
            text = f"{results[name].shown(metric)} {mark(row, name, results[name], metric)}"
            cells.append(Cell(text.rstrip(), is_best(results, name, metric)))
        else:
            cells.append(Cell(results[name].why()))
    return cells


def _printed(number: Printed | None) -> str:
    return printed.OUT_OF_MEMORY if number is None else str(number)


def _shared(rows: Sequence[Row], names: Sequence[str], results: Results) -> list[Row]:
    """The rows on which every detector has a number, of those detectors that have any."""
    some = [name for name in names if any(results[row.name][name].ok for row in rows)]
    return [row for row in rows if some and all(results[row.name][name].ok for name in some)]


def _averages(
    rows: Sequence[Row], lines: Sequence[Line], results: Results, metric: str
) -> list[Cell]:
    """Means over the same rows for all lines, or they could not be compared."""
    averages: list[float | None] = []
    for name, ours in lines:
        if ours:
            cells = [results[row.name][name] for row in rows]
            numbers = [cell.mean(metric) for cell in cells if cell.ok]
        else:
            printed_cells = [row.printed(metric, name) for row in rows]
            numbers = [number.mean for number in printed_cells if number]
        averages.append(sum(numbers) / len(numbers) if len(numbers) == len(rows) else None)
    shown = ["–" if average is None else f"{average:.3f}" for average in averages]
    best = max(text for text, (_, ours) in zip(shown, lines, strict=True) if ours and text != "–")
    return [Cell(text, ours and text == best) for text, (_, ours) in zip(shown, lines, strict=True)]


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
    remarks = {method: printed.remark(method) for method, ours in _lines(names) if not ours}
    notes += [f"{method}: {remark}" for method, remark in remarks.items() if remark]
    if remarks.keys() - {printed.OURS, SHALLOW}:
        notes.append(EPOCHS)
    notes += failures(records)
    notes += [f"fewer runs: {line}" for line in uneven(results)]
    notes += [f"{name}: {what}" for name, what in different_data(records).items()]
    away = [row.name for row in printed.rows() if row.name not in results]
    if away:
        notes.append(f"not available, so not shown: {', '.join(away)}")
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
                        "beyond": WORDS[mark(row, name, result, metric)],
                        "absent": None if result.ok else result.why(),
                    }
                )
    return lines


def _draw(rows: Sequence[Row], names: Sequence[str], results: Results) -> Figure:
    from slad_paper.pages.printed_picture import draw

    return draw(rows, names, results)


def _draw_map(rows: Sequence[Row], names: Sequence[str], results: Results) -> Figure:
    from slad_paper.pages.printed_picture import draw_map

    return draw_map(rows, names, results)
