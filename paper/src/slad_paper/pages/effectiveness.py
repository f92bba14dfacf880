"""The main table: the paper's datasets, ours beside the printed numbers of the same method."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from slad_paper.pages import table_claims
from slad_paper.pages.claims import claims_table
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.printed_picture import draw, draw_map
from slad_paper.pages.records import Record, datasets, detectors
from slad_paper.pages.results import Results, best_cells, gather_rows, main_table_notes, run_notes
from slad_paper.pages.tables import NOTHING, long, table
from slad_paper.pages.verdicts import DEVIATIONS, WORDS, mark, verdict_of, verdict_parts
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS, Row

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
    """The report of this experiment's records."""
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
        brief.append(Picture("verdicts", MAP, partial(draw_map, rows, compared, results)))
        details.append(Picture("printed", CAPTION, partial(draw, rows, names, results)))
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
    """Detectors in order, the available rows, and the results of both."""
    seen = set(datasets(records))
    rows = [row for row in printed.rows() if row.available or seen & set(row.datasets)]
    return printed.ordered(detectors(records)), rows, gather_rows(records, rows)


# -- the table -------------------------------------------------------------------------------------

Line = tuple[str, bool]
"""A name, and whether it is one of our detectors or a printed method."""


def _table(names: Sequence[str], rows: Sequence[Row], results: Results, metric: str) -> Table:
    """A line for each detector; before the first of a printed method, that method's line."""
    lines = _lines(names)
    columns: list[list[Cell]] = [_cells_of(row, lines, results, metric) for row in rows]
    header = ["detector", *(row.name for row in rows)]
    if shared := _shared(rows, names, results):
        columns.append(_averages(shared, lines, results, metric))
        header.append(f"average of {len(shared)}")
    titles = [name if ours else f"{name} printed" for name, ours in lines]
    return table(header, zip(titles, *columns, strict=True))


def _lines(names: Sequence[str]) -> list[Line]:
    lines: list[Line] = []
    for name in names:
        method = printed.compared_with(name)
        if method and (method, False) not in lines:
            lines.append((method, False))
        lines.append((name, True))
    return lines


def _cells_of(row: Row, lines: Sequence[Line], results: Results, metric: str) -> list[Cell]:
    here = results[row.name]
    ours = [name for name, is_ours in lines if is_ours]
    shown = dict(zip(ours, best_cells(here, ours, metric), strict=True))
    cells = []
    for name, is_ours in lines:
        if is_ours:
            text = f"{shown[name].text} {mark(row, name, here[name], metric)}"
            cells.append(Cell(text.rstrip(), shown[name].best))
        else:
            cells.append(Cell(str(row.printed(metric, name) or printed.OUT_OF_MEMORY)))
    return cells


def _shared(rows: Sequence[Row], names: Sequence[str], results: Results) -> list[Row]:
    """The rows on which every detector has a number, of those detectors that have any."""
    some = [name for name in names if any(results[row.name][name].ok for row in rows)]
    return [row for row in rows if some and all(results[row.name][name].ok for name in some)]


def _averages(
    rows: Sequence[Row], lines: Sequence[Line], results: Results, metric: str
) -> list[Cell]:
    """Means over the same rows for all lines, or they could not be compared."""
    shown = []
    for name, ours in lines:
        if ours:
            cells = [results[row.name][name] for row in rows]
            numbers = [cell.mean(metric) for cell in cells if cell.ok]
        else:
            printed_cells = [row.printed(metric, name) for row in rows]
            numbers = [number.mean for number in printed_cells if number]
        complete = len(numbers) == len(rows)
        shown.append(f"{sum(numbers) / len(numbers):.3f}" if complete else NOTHING)
    best = max(
        text for text, (_, ours) in zip(shown, lines, strict=True) if ours and text != NOTHING
    )
    return [Cell(text, ours and text == best) for text, (_, ours) in zip(shown, lines, strict=True)]


# -- notes and data --------------------------------------------------------------------------------


def _notes(
    records: Sequence[Record], rows: Sequence[Row], names: Sequence[str], results: Results
) -> list[str]:
    notes = []
    if shared := _shared(rows, names, results):
        notes.append(f"the average is over the rows all have: {', '.join(r.name for r in shared)}")
    notes += main_table_notes(records, rows)
    remarks = {method: printed.remark(method) for method, ours in _lines(names) if not ours}
    notes += [f"{method}: {remark}" for method, remark in remarks.items() if remark]
    if remarks.keys() - {printed.OURS, SHALLOW}:
        notes.append(EPOCHS)
    notes += run_notes(records, results)
    if away := [row.name for row in printed.rows() if row.name not in results]:
        notes.append(f"not available, so not shown: {', '.join(away)}")
    known = {name for row in rows for name in row.datasets}
    if others := [name for name in datasets(records) if name not in known]:
        notes.append(f"no row of the paper's table, so not shown: {', '.join(others)}")
    return notes


def _cells(rows: Sequence[Row], names: Sequence[str], results: Results) -> list[dict[str, Value]]:
    """A row for each detector, row of the table and metric."""
    found = []
    for row in rows:
        for name in names:
            result, method = results[row.name][name], printed.compared_with(name)
            for metric in METRICS:
                number = row.printed(metric, method) if method else None
                theirs = (number.mean, number.std) if number else (None, None)
                beyond = WORDS[mark(row, name, result, metric)]
                absent = None if result.ok else result.why()
                numbers = result.numbers(metric)
                found.append((row.name, name, metric, *numbers, method, *theirs, beyond, absent))
    return long(
        "dataset detector metric runs mean std printed_method printed_mean printed_std beyond "
        "absent",
        found,
    )
