"""The paper's ablation: what SLAD gains over itself with one thing changed, beside the printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from slad_paper.pages.ablation_claims import claims
from slad_paper.pages.ablation_rates import METRIC, Comparison, compared, mean_rate, percent
from slad_paper.pages.claims import claims_table
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.paired import STANDARD_ERRORS
from slad_paper.pages.records import Record, datasets
from slad_paper.pages.results import Result, different_data, failures, gather, row_caps, uneven
from slad_paper.pages.verdicts import Results
from slad_paper.runner import printed
from slad_paper.runner.printed import Row
from slad_paper.runner.printed_ablation import BASE, Variant, table, variants

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CAPTION = "What SLAD gains over each variant: ours with the deviation over the seeds, and printed"
LEGEND = (
    "AUC-ROC, mean ± standard deviation over the seeds; in brackets SLAD's improvement over the "
    "variant, in percent of the variant's AUC-ROC",
    "bold (starred in text): SLAD is better, as in the paper's table",
    "SLAD is the released recipe, which made the paper's tables; a variant changes one thing of it",
    f"clearly: by more than {STANDARD_ERRORS} standard errors of the difference seed by seed",
)


def report(records: Sequence[Record]) -> Report:
    """The report of the records of this experiment."""
    rows = _rows(records)
    results = {row.name: gather(records, row.datasets) for row in rows}
    found = compared(rows, results)
    brief: list[Part] = [Heading("The paper's claims"), claims_table(claims(found))]
    for block in dict.fromkeys(each.block for each in variants()):
        mine = [each for each in variants() if each.block == block]
        brief += [Heading(f"Ablation on the {block}"), _table(rows, mine, results, found)]
    brief += [Heading("Notes"), Notes([*LEGEND, *_notes(records, rows, results)])]
    return Report(
        name="ablation",
        title="What each part of SLAD is worth: the paper's ablation",
        brief=brief,
        details=[Picture("rates", CAPTION, partial(_draw, rows, found))] if found else [],
        data={"cells": _cells(rows, results, found)},
    )


def _rows(records: Sequence[Record]) -> list[Row]:
    """The rows of the main table of which there are records."""
    seen = set(datasets(records))
    return [row for row in printed.rows() if seen & set(row.datasets)]


# -- the tables ------------------------------------------------------------------------------------


def _table(
    rows: Sequence[Row],
    mine: Sequence[Variant],
    results: Results,
    found: Sequence[Comparison],
) -> Table:
    header = ["data", "SLAD", "printed"]
    for variant in mine:
        header += [variant.name, "printed"]
    by_place = {(each.row.name, each.variant.name): each for each in found}
    lines = []
    for row in rows:
        line = [Cell(row.name), Cell(_ours(results[row.name].get(BASE)))]
        line.append(Cell(f"{table()[row.title].slad:.3f}"))
        for variant in mine:
            line.append(_cell(by_place.get((row.name, variant.name)), results[row.name], variant))
            number = table()[row.title].variants[variant.name]
            line.append(
                Cell(f"{number.auc_roc:.3f} ({percent(number.rate)})", number.rate > 0)
                if number
                else Cell("–")
            )
        lines.append(line)
    return Table(header, [*lines, _last_line(mine, found)])


def _ours(result: Result | None) -> str:
    if result is None:
        return "–"
    return result.shown(METRIC) if result.ok else result.why()


def _cell(comparison: Comparison | None, results: Mapping[str, Result], variant: Variant) -> Cell:
    result = results.get(variant.ours)
    if comparison is not None:
        shown = f"{comparison.variant_result.shown(METRIC)} ({percent(comparison.rate)})"
        return Cell(shown, round(comparison.rate, 1) > 0)
    if result is None or not (result.runs or result.failed or result.gaps):
        return Cell("–")
    return Cell(_ours(result))


def _last_line(mine: Sequence[Variant], found: Sequence[Comparison]) -> list[Cell]:
    """Mean improvements, ours and the printed ones of the same rows."""
    cells = [Cell("mean improvement"), Cell(""), Cell("")]
    for variant in mine:
        here = [each for each in found if each.variant == variant]
        for rate in mean_rate(here):
            cells.append(Cell("–" if rate is None else percent(rate)))
    return cells


# -- notes, data, picture --------------------------------------------------------------------------


def _notes(records: Sequence[Record], rows: Sequence[Row], results: Results) -> list[str]:
    notes = [f"{each.name}: {each.about} ({each.ours})" for each in variants()]
    notes.append(
        "mean improvement: over the rows that have a number here; printed: over those of the same "
        "rows that the paper has one for"
    )
    caps = [f"{count:,}" for count in row_caps(records)]
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
    notes += failures(records)
    notes += [f"fewer runs: {line}" for line in uneven(results)]
    notes += [f"{name}: {what}" for name, what in different_data(records).items()]
    away = [row.name for row in printed.rows() if row not in rows]
    if away:
        notes.append(f"no records, so not shown: {', '.join(away)}")
    return notes


def _cells(
    rows: Sequence[Row], results: Results, found: Sequence[Comparison]
) -> list[dict[str, Value]]:
    """One line for each row and variant, in full precision."""
    by_place = {(each.row.name, each.variant.name): each for each in found}
    lines: list[dict[str, Value]] = []
    for row in rows:
        for variant in variants():
            result = results[row.name].get(variant.ours)
            each = by_place.get((row.name, variant.name))
            number = table()[row.title].variants[variant.name]
            lines.append(
                {
                    "dataset": row.name,
                    "variant": variant.name,
                    "detector": variant.ours,
                    "runs": len(result.runs) if result else 0,
                    "mean": result.mean(METRIC) if result and result.ok else None,
                    "std": result.std(METRIC) if result and result.ok else None,
                    "improvement_percent": each.rate if each else None,
                    "clear": None if each is None else str(each.clear).lower(),
                    "printed": number.auc_roc if number else None,
                    "printed_improvement_percent": number.rate if number else None,
                }
            )
    return lines


def _draw(rows: Sequence[Row], found: Sequence[Comparison]) -> Figure:
    from slad_paper.pages.ablation_picture import draw

    return draw([row.name for row in rows], found)
