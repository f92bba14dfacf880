"""The picture of the sensitivity test: a line of panels for each dataset, one a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from slad_paper.pages.pictures import BLUE, GREY, new_figure
from slad_paper.pages.sensitivity_curves import METRIC, Curve
from slad_paper.runner.hyper_parameters import Studied

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST_HEIGHT = 0.02
"""An axis is at least so high, or the seeds' noise would look like a landscape."""


def draw(found: Mapping[Studied, Sequence[Curve]]) -> Figure:
    """Values stand side by side at equal distances; a dataset's four panels share their axis."""
    rows = [curve.row for curve in next(iter(found.values()))]
    figure = new_figure(9.6, 0.9 + 1.15 * len(rows))
    axes = figure.subplots(len(rows), len(found), sharey="row", sharex="col", squeeze=False)
    for column, (studied, curves) in enumerate(found.items()):
        axes[0][column].set_title(f"{studied.letter}: {studied.what}", fontsize=9)
        for line, curve in enumerate(curves):
            _draw_curve(axes[line][column], curve)
        axes[-1][column].set_xticks(range(len(studied.values)), map(str, studied.values))
    for line, row in zip(axes, rows, strict=True):
        line[0].set_ylabel(row.name.replace(" (", "\n("), fontsize=8)
        low, high = line[0].get_ylim()
        missing = max(0.0, LEAST_HEIGHT - (high - low)) / 2
        line[0].set_ylim(low - missing, high + missing)
        line[0].locator_params(axis="y", nbins=4)
    figure.align_ylabels()
    figure.supylabel("AUC-ROC", fontsize=9)
    return figure


def _draw_curve(axis: Axes, curve: Curve) -> None:
    axis.grid(axis="y")
    axis.tick_params(labelsize=8)
    axis.set_xlim(-0.3, len(curve.studied.values) - 0.7)
    shown = [
        (at, curve.results[value])
        for at, value in enumerate(curve.studied.values)
        if value in curve.means()
    ]
    if not shown:
        axis.text(0.5, 0.5, "no runs", transform=axis.transAxes, ha="center", color=GREY)
        return
    at = [place for place, _ in shown]
    means = [result.mean(METRIC) for _, result in shown]
    spread = [result.std(METRIC) or 0.0 for _, result in shown]
    low = [mean - std for mean, std in zip(means, spread, strict=True)]
    high = [mean + std for mean, std in zip(means, spread, strict=True)]
    axis.fill_between(at, low, high, color=BLUE, alpha=0.15, lw=0)
    axis.plot(at, means, "o-", color=BLUE, mfc="white", ms=3.6, lw=1.3)
    default = curve.studied.values.index(curve.studied.default)
    if default in at:
        axis.plot(default, means[at.index(default)], "o", color=BLUE, ms=4.6)
