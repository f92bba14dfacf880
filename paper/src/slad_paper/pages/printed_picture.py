"""The picture of the main table: how far our numbers are from those the paper printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slad_paper.pages.heat_map import Panel as MapPanel
from slad_paper.pages.heat_map import heat_map
from slad_paper.pages.pictures import BAND, BLUE, GREY, INK, VERMILION, new_figure
from slad_paper.pages.verdicts import Results, beyond
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SERIES = ((BLUE, "o"), (VERMILION, "s"), ("#009e73", "^"), ("#cc79a7", "D"), ("#e69f00", "v"))
"""Colour and marker of each detector that is compared with the same printed method."""


@dataclass(frozen=True)
class Interval:
    """A mean with its standard deviation (None where there is a single run)."""

    mean: float
    std: float | None


@dataclass(frozen=True)
class Panel:
    """One printed method under one metric: row -> printed, and detector -> row -> ours."""

    title: str
    printed: Mapping[str, Interval]
    ours: Mapping[str, Mapping[str, Interval]]


def dots_and_whiskers(panels: Sequence[Sequence[Panel]], rows: Sequence[str]) -> Figure:
    """A grid of panels (method by metric): how far ours are from the printed numbers.

    Differences, since a printed deviation of 0.001 is no width on an axis from 0 to 1.
    """
    # Inches: a line for each dataset and detector, and room for titles, ticks and the legend.
    heights = [
        0.75 + 0.25 * (len(line[0].ours) > 1) + len(rows) * (0.16 + 0.06 * len(line[0].ours))
        for line in panels
    ]
    figure = new_figure(5.2 * max(map(len, panels)) + 0.6, sum(heights))
    parts = figure.subfigures(len(panels), 1, height_ratios=heights, squeeze=False)[:, 0]
    for part, line in zip(parts, panels, strict=True):
        axes = part.subplots(1, len(line), sharey=True, squeeze=False)[0]
        for axis, panel in zip(axes, line, strict=True):
            _draw_panel(axis, panel, rows)
        if len(line[0].ours) > 1:
            handles, labels = axes[0].get_legend_handles_labels()
            part.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


def _draw_panel(axis: Axes, panel: Panel, rows: Sequence[str]) -> None:
    axis.set_title(f"{panel.title}, ours minus printed")
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.set_yticks(range(len(rows)), rows)
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x")
    axis.spines["left"].set_visible(False)
    axis.axvline(0, color=INK, lw=1)
    reach = [-0.005, 0.005]
    for (name, results), (shift, colour, marker) in zip(
        panel.ours.items(), _series(len(panel.ours)), strict=True
    ):
        shown = {row: ours for row, ours in results.items() if row in panel.printed}
        at = [rows.index(row) + shift for row in shown]
        far = [ours.mean - panel.printed[row].mean for row, ours in shown.items()]
        spread = [ours.std or 0.0 for ours in shown.values()]
        axis.errorbar(far, at, xerr=spread, fmt=marker, color=colour, ms=4.2, lw=1.1, label=name)
        reach += [x + std for x, std in zip(far, spread, strict=True)]
        reach += [x - std for x, std in zip(far, spread, strict=True)]
    _draw_printed(axis, panel.printed, rows)
    # The printed deviations may be far wider than our distances: bands are cut off, dots are not.
    margin = 0.04 * (max(reach) - min(reach))
    axis.set_xlim(min(reach) - margin, max(reach) + margin)


def _draw_printed(axis: Axes, printed: Mapping[str, Interval], rows: Sequence[str]) -> None:
    """A band of two deviations about zero, and the number itself at the right of each row."""
    beside: dict[str, Any] = {"textcoords": "offset points", "fontsize": 8, "color": GREY}
    axis.annotate("printed", (1, 1), (5, 6), xycoords="axes fraction", **beside)
    label: str | None = "within 2 printed std"
    for at, row in enumerate(rows):
        number = printed.get(row)
        if number:
            band = 2 * (number.std or 0.0)
            axis.fill_betweenx(
                [at - 0.4, at + 0.4], -band, band, color=BAND, lw=0, zorder=1.5, label=label
            )
            label = None
        text = f"{number.mean:.3f}" if number else "none"
        where = ("axes fraction", "data")
        axis.annotate(text, (1, at), (5, 0), xycoords=where, va="center", **beside)


def _series(count: int) -> list[tuple[float, str, str]]:
    """For each detector of a panel its shift off the middle of a row, colour and marker."""
    shifts = np.linspace(-0.27, 0.27, count) if count > 1 else np.zeros(1)
    return [(float(shift), *SERIES[at % len(SERIES)]) for at, shift in enumerate(shifts)]


def draw(rows: Sequence[Row], names: Sequence[str], results: Results) -> Figure:
    """Ours against the printed number, for every method that the paper printed and we have."""
    compared = [name for name in names if printed.compared_with(name)]
    with_numbers = [row for row in rows if any(results[row.name][name].ok for name in compared)]
    panels = []
    for method in printed.methods():
        mine = [name for name in compared if printed.compared_with(name) == method]
        if mine:
            panels.append(
                [_panel(method, metric, with_numbers, mine, results) for metric in METRICS]
            )
    return dots_and_whiskers(panels, [row.name for row in with_numbers])


def _panel(
    method: str,
    metric: str,
    rows: Sequence[Row],
    names: Sequence[str],
    results: Results,
) -> Panel:
    numbers = {row.name: row.printed(metric, method) for row in rows}
    ours = {
        name: {
            row.name: Interval(result.mean(metric), result.std(metric))
            for row in rows
            if (result := results[row.name][name]).ok
        }
        for name in names
    }
    title = f"{method}: {METRICS[metric]}" if len(names) > 1 else f"{names[0]}: {METRICS[metric]}"
    return Panel(
        title,
        {name: Interval(number.mean, number.std) for name, number in numbers.items() if number},
        ours,
    )


# -- all at a glance -------------------------------------------------------------------------------

FAINTEST = 0.05
"""A difference beyond the deviations is coloured as if it were at least so large, to be seen."""


def draw_map(rows: Sequence[Row], names: Sequence[str], results: Results) -> Figure:
    """Ours minus the printed means, a line for each detector; coloured where beyond deviations."""
    shown = [row for row in rows if any(results[row.name][name].ok for name in names)]
    panels = [_map_panel(METRICS[metric], metric, shown, names, results) for metric in METRICS]
    labels = [f"{name} ({printed.compared_with(name)})" for name in names]
    columns = [row.name for row in shown]
    return heat_map(panels, labels, columns, reach=(-0.2, 0.2), shades="below and above")


def _map_panel(
    title: str, metric: str, rows: Sequence[Row], names: Sequence[str], results: Results
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
    return MapPanel(f"{title}, ours minus printed", colours, texts)
