"""The paper's ablation: what SLAD gains over itself with one thing changed, beside the printed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from slad_paper.pages import pictures
from slad_paper.pages.ablation_claims import claims
from slad_paper.pages.ablation_rates import METRIC, Comparison, compared, mean_rate, percent
from slad_paper.pages.claims import claims_table
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.paired import STANDARD_ERRORS
from slad_paper.pages.records import Record
from slad_paper.pages.results import (
    Result,
    Results,
    gather_rows,
    main_rows,
    main_table_notes,
    missing_rows,
    run_notes,
)
from slad_paper.pages.tables import NOTHING, long, table
from slad_paper.runner.printed import Row
from slad_paper.runner.printed_ablation import BASE, Variant, variants
from slad_paper.runner.printed_ablation import table as printed_table

CAPTION = "What SLAD gains over each variant: ours with the deviation over the seeds, and printed"
LEGEND = (
    "AUC-ROC, mean ± standard deviation over the seeds; in brackets SLAD's improvement over the "
    "variant, in percent of the variant's AUC-ROC",
    "bold (starred in text): SLAD is better, as in the paper's table",
    "SLAD is the released recipe, which made the paper's tables; a variant changes one thing of it",
    f"clearly: by more than {STANDARD_ERRORS} standard errors of the difference seed by seed",
)


def report(records: Sequence[Record]) -> Report:
    """The report of this experiment's records."""
    rows = main_rows(records)
    results = gather_rows(records, rows)
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


def _table(
    rows: Sequence[Row], mine: Sequence[Variant], results: Results, found: Sequence[Comparison]
) -> Table:
    header = ["data", "SLAD", "printed"]
    header += [word for variant in mine for word in (variant.name, "printed")]
    by_place = {(each.row.name, each.variant.name): each for each in found}
    lines = []
    for row in rows:
        here, numbers = results[row.name], printed_table()[row.title]
        line = [_shown(here.get(BASE)), Cell(f"{numbers.slad:.3f}")]
        for variant in mine:
            each = by_place.get((row.name, variant.name))
            line.append(_shown(here.get(variant.ours), each.rate if each else None))
            number = numbers.variants[variant.name]
            text = f"{number.auc_roc:.3f} ({percent(number.rate)})" if number else NOTHING
            line.append(Cell(text, number is not None and number.rate > 0))
        lines.append([row.name, *line])
    last = [
        None if rate is None else percent(rate)
        for variant in mine
        for rate in mean_rate([each for each in found if each.variant == variant])
    ]
    return table(header, [*lines, ["mean improvement", "", "", *last]])


def _shown(result: Result | None, rate: float | None = None) -> Cell:
    if result is None or not result.tried:
        return Cell(NOTHING)
    if rate is None:
        return Cell(result.shown(METRIC))
    return Cell(f"{result.shown(METRIC)} ({percent(rate)})", round(rate, 1) > 0)


def _notes(records: Sequence[Record], rows: Sequence[Row], results: Results) -> list[str]:
    return [
        *(f"{each.name}: {each.about} ({each.ours})" for each in variants()),
        "mean improvement: over the rows that have a number here; printed: over those of the same "
        "rows that the paper has one for",
        *main_table_notes(records, rows),
        *run_notes(records, results),
        *missing_rows(rows),
    ]


def _cells(
    rows: Sequence[Row], results: Results, found: Sequence[Comparison]
) -> list[dict[str, Value]]:
    """A row for each dataset and variant."""
    by_place = {(each.row.name, each.variant.name): each for each in found}
    cells = []
    for row in rows:
        for variant in variants():
            result = results[row.name].get(variant.ours)
            each = by_place.get((row.name, variant.name))
            number = printed_table()[row.title].variants[variant.name]
            ours = result.numbers(METRIC) if result else (0, None, None)
            gain = (each.rate, str(each.clear).lower()) if each else (None, None)
            theirs = (number.auc_roc, number.rate) if number else (None, None)
            cells.append((row.name, variant.name, variant.ours, *ours, *gain, *theirs))
    return long(
        "dataset variant detector runs mean std improvement_percent clear printed "
        "printed_improvement_percent",
        cells,
    )


# -- picture ---------------------------------------------------------------------------------------

LINEAR_TO = 5
"""Percent from which on the axis is logarithmic: most rates are small, a few are not."""
X_LABEL = "SLAD over the variant, % of the variant's AUC-ROC (logarithmic beyond 5)"
TICKS = (-100, -20, -5, -2, 0, 2, 5, 20, 100)


def _draw(rows: Sequence[Row], found: Sequence[Comparison]) -> pictures.Figure:
    """A panel for each variant; right of the line SLAD is better."""
    shown = [each for each in variants() if any(one.variant == each for one in found)]
    size = (2.9 + 1.2 / min(3, len(shown)), 0.75 + 0.24 * len(rows))
    figure, axes = pictures.panels(len(shown), 3, size, (0, 0.35), sharex=True, sharey=True)
    for axis, variant in zip(axes, shown, strict=True):
        axis.set_title(variant.name)
        mine = [each for each in found if each.variant == variant]
        _draw_panel(axis, [row.name for row in rows], mine)
    low, high = axes[0].get_xlim()
    ticks = [tick for tick in TICKS if low <= tick <= high]
    axes[0].set_xticks(ticks, [str(tick) for tick in ticks])
    axes[0].set_xticks([], minor=True)
    pictures.one_legend(figure, axes[:1], ("ours", "printed"), loc="outside upper right", ncols=2)
    figure.supxlabel(X_LABEL, fontsize=9)
    return figure


def _draw_panel(axis: pictures.Axes, rows: Sequence[str], mine: Sequence[Comparison]) -> None:
    axis.set_xscale("symlog", linthresh=LINEAR_TO)
    axis.axvline(0, color=pictures.INK, lw=1)
    pictures.named_rows(axis, rows)
    at = [rows.index(each.row.name) for each in mine]
    rates, spread = [each.rate for each in mine], [each.rates_by_seed.std() for each in mine]
    places = [place - 0.14 for place in at]
    look: dict[str, Any] = {"fmt": "o", "color": pictures.BLUE}
    axis.errorbar(rates, places, xerr=spread, **look, ms=4.6, lw=1.1, label="ours")
    numbers = [
        (each.printed.rate, place + 0.14)
        for each, place in zip(mine, at, strict=True)
        if each.printed
    ]
    theirs = zip(*numbers, strict=True) if numbers else ([], [])
    axis.plot(*theirs, "D", color=pictures.VERMILION, mfc="white", ms=4.2, label="printed")
