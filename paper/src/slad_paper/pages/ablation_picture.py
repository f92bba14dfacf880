"""The picture of the ablation: improvement rates, ours and printed, a panel for each variant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slad_paper.pages.ablation_rates import Comparison
from slad_paper.pages.pictures import BLUE, INK, VERMILION, new_figure
from slad_paper.runner.printed_ablation import variants

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 3
LINEAR_TO = 5
"""Percent from which on the axis is logarithmic: most rates are small, a few are not."""
X_LABEL = "SLAD over the variant, % of the variant's AUC-ROC (logarithmic beyond 5)"
TICKS = (-100, -20, -5, -2, 0, 2, 5, 20, 100)


def draw(rows: Sequence[str], found: Sequence[Comparison]) -> Figure:
    """Right of the line SLAD is better than the variant."""
    shown = [each for each in variants() if any(one.variant == each for one in found)]
    columns = min(COLUMNS, len(shown))
    lines = -(-len(shown) // columns)
    figure = new_figure(2.9 * columns + 1.2, lines * (0.75 + 0.24 * len(rows)) + 0.35)
    axes = figure.subplots(lines, columns, squeeze=False, sharex=True, sharey=True).ravel()
    for axis, variant in zip(axes, shown, strict=False):
        axis.set_title(variant.name)
        _draw_panel(axis, rows, [each for each in found if each.variant == variant])
    for axis in axes[len(shown) :]:
        axis.set_visible(False)
    low, high = axes[0].get_xlim()
    ticks = [tick for tick in TICKS if low <= tick <= high]
    axes[0].set_xticks(ticks, [str(tick) for tick in ticks])
    axes[0].set_xticks([], minor=True)
    named = dict(zip(*reversed(axes[0].get_legend_handles_labels()), strict=True))
    figure.legend(
        [named["ours"], named["printed"]],
        ["ours", "printed"],
        loc="outside upper right",
        ncols=2,
    )
    figure.supxlabel(X_LABEL, fontsize=9)
    return figure


def _draw_panel(axis: Axes, rows: Sequence[str], mine: Sequence[Comparison]) -> None:
    axis.set_xscale("symlog", linthresh=LINEAR_TO)
    axis.axvline(0, color=INK, lw=1)
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.set_yticks(range(len(rows)), rows)
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x")
    axis.spines["left"].set_visible(False)
    at = [rows.index(each.row.name) for each in mine]
    axis.errorbar(
        [each.rate for each in mine],
        [place - 0.14 for place in at],
        xerr=[each.rates_by_seed.std() for each in mine],
        fmt="o",
        color=BLUE,
        ms=4.6,
        lw=1.1,
        label="ours",
    )
    numbers = [
        (each.printed.rate, place) for each, place in zip(mine, at, strict=True) if each.printed
    ]
    axis.plot(
        [rate for rate, _ in numbers],
        [place + 0.14 for _, place in numbers],
        "D",
        color=VERMILION,
        mfc="white",
        ms=4.2,
        label="printed",
    )
