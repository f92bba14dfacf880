"""Figures of the main table: how far our numbers are from the printed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slad_paper.pages import pictures
from slad_paper.pages.heat_map import Panel as MapPanel
from slad_paper.pages.heat_map import heat_map
from slad_paper.pages.results import Result, Results
from slad_paper.pages.verdicts import beyond
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS, Printed, Row

MARKERS = "os^Dv"
"""Of each detector that is compared with the same printed method."""


# -- dots and whiskers -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Panel:
    """One printed method under one metric: row -> printed, and detector -> row -> ours."""

    title: str
    metric: str
    printed: Mapping[str, Printed]
    ours: Mapping[str, Mapping[str, Result]]


def draw(rows: Sequence[Row], names: Sequence[str], results: Results) -> pictures.Figure:
    """A panel for each printed method that we have, and metric.

    Differences are shown, since a printed deviation of 0.001 is no width on an axis from 0 to 1.
    """
    compared = [name for name in names if printed.compared_with(name)]
    shown = [row for row in rows if any(results[row.name][name].ok for name in compared)]
    of_methods = {
        method: [name for name in compared if printed.compared_with(name) == method]
        for method in printed.methods()
    }
    lines = [
        [_panel(method, metric, shown, mine, results) for metric in METRICS]
        for method, mine in of_methods.items()
        if mine
    ]
    # Inches: a line for each dataset and detector, and room for titles, ticks and the legend.
    heights = [
        0.75 + 0.25 * (len(line[0].ours) > 1) + len(shown) * (0.16 + 0.06 * len(line[0].ours))
        for line in lines
    ]
    figure = pictures.new_figure(5.2 * len(METRICS) + 0.6, sum(heights))
    parts = figure.subfigures(len(lines), 1, height_ratios=heights, squeeze=False)[:, 0]
    for part, line in zip(parts, lines, strict=True):
        axes = part.subplots(1, len(line), sharey=True, squeeze=False)[0]
        for axis, panel in zip(axes, line, strict=True):
            _draw_panel(axis, panel, [row.name for row in shown])
        if len(line[0].ours) > 1:
            pictures.one_legend(part, axes, loc="outside lower center", ncols=len(line[0].ours) + 1)
    return figure


def _panel(
    method: str, metric: str, rows: Sequence[Row], names: Sequence[str], results: Results
) -> Panel:
    numbers = {row.name: row.printed(metric, method) for row in rows}
    ours = {
        name: {row.name: result for row in rows if (result := results[row.name][name]).ok}
        for name in names
    }
    title = f"{method if len(names) > 1 else names[0]}: {METRICS[metric]}"
    return Panel(title, metric, {row: each for row, each in numbers.items() if each}, ours)


def _draw_panel(axis: pictures.Axes, panel: Panel, rows: Sequence[str]) -> None:
    axis.set_title(f"{panel.title}, ours minus printed")
    pictures.named_rows(axis, rows)
    axis.axvline(0, color=pictures.INK, lw=1)
    reach = [-0.005, 0.005]
    count = len(panel.ours)
    shifts = np.linspace(-0.27, 0.27, count) if count > 1 else np.zeros(1)
    for at, (name, results) in enumerate(panel.ours.items()):
        shown = {row: ours for row, ours in results.items() if row in panel.printed}
        places = [rows.index(row) + shifts[at] for row in shown]
        far = [ours.mean(panel.metric) - panel.printed[row].mean for row, ours in shown.items()]
        spread = [ours.std(panel.metric) or 0.0 for ours in shown.values()]
        look: dict[str, Any] = {
            "fmt": MARKERS[at % len(MARKERS)],
            "color": pictures.PALETTE[at % len(MARKERS)],
        }
        axis.errorbar(far, places, xerr=spread, **look, ms=4.2, lw=1.1, label=name)
        reach += [x + sign * std for x, std in zip(far, spread, strict=True) for sign in (1, -1)]
    _draw_printed(axis, panel.printed, rows)
    # The printed deviations may be far wider than our distances: bands are cut off, dots are not.
    margin = 0.04 * (max(reach) - min(reach))
    axis.set_xlim(min(reach) - margin, max(reach) + margin)


def _draw_printed(axis: pictures.Axes, numbers: Mapping[str, Printed], rows: Sequence[str]) -> None:
    """A band of two deviations about zero, and the number itself at the right of each row."""
    beside: dict[str, Any] = {"textcoords": "offset points", "fontsize": 8, "color": pictures.GREY}
    axis.annotate("printed", (1, 1), (5, 6), xycoords="axes fraction", **beside)
    label: str | None = "within 2 printed std"
    for at, row in enumerate(rows):
        number = numbers.get(row)
        if number:
            ends = [at - 0.4, at + 0.4]
            look: dict[str, Any] = {"color": pictures.BAND, "lw": 0, "zorder": 1.5}
            axis.fill_betweenx(ends, -2 * number.std, 2 * number.std, **look, label=label)
            label = None
        text = f"{number.mean:.3f}" if number else "none"
        where = ("axes fraction", "data")
        axis.annotate(text, (1, at), (5, 0), xycoords=where, va="center", **beside)


# -- all at a glance -------------------------------------------------------------------------------

FAINTEST = 0.05
"""A difference beyond the deviations is coloured as if it were at least so large, to be visible."""


def draw_map(rows: Sequence[Row], names: Sequence[str], results: Results) -> pictures.Figure:
    """Ours minus the printed means, a line for each detector; coloured where beyond deviations."""
    shown = [row for row in rows if any(results[row.name][name].ok for name in names)]
    maps = [_map_panel(metric, shown, names, results) for metric in METRICS]
    labels = [f"{name} ({printed.compared_with(name)})" for name in names]
    columns = [row.name for row in shown]
    return heat_map(maps, labels, columns, reach=(-0.2, 0.2), shades="below and above")


def _map_panel(
    metric: str, rows: Sequence[Row], names: Sequence[str], results: Results
) -> MapPanel:
    colours = np.full((len(names), len(rows)), np.nan)
    texts = [["–"] * len(rows) for _ in names]
    for line, name in enumerate(names):
        for column, row in enumerate(rows):
            number = row.printed(metric, printed.compared_with(name) or "")
            result = results[row.name][name]
            if number and result.ok:
                far = result.mean(metric) - number.mean
                shade = np.copysign(max(abs(far), FAINTEST), far)
                colours[line, column] = shade if beyond(result.mean(metric), number) else 0.0
                texts[line][column] = f"{far:+.2f}".replace("0.", ".") if abs(far) >= 0.005 else "0"
    return MapPanel(f"{METRICS[metric]}, ours minus printed", colours, texts)
