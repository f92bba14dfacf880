"""The pictures of gradients that add up: logarithmic axes, on which a power is a straight line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from slad_paper.pages.gradients_claims import Moment
from slad_paper.pages.pictures import BLUE, GREY, INK, VERMILION, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POWERS = {1: ":", 2: "-."}
"""How straight lines of these slopes are drawn."""
COLOURS = (BLUE, "#56b4e9", "#009e73", "#e69f00", VERMILION, "#cc79a7")


def draw_growth(result: Mapping[str, Any]) -> Figure:
    """|sum|^2 of N gradients over its value for one, with its error, and what V and M say."""
    figure = new_figure(8.2, 4.6)
    axis = figure.add_subplot()
    sizes = np.asarray(result["sizes"], dtype=float)
    _slopes(axis, sizes, 1.0)
    for colour, (name, line) in zip(COLOURS, result["lines"].items(), strict=False):
        unit = line["spread"] + line["mean"]
        values, errors = np.array(line["squared"]) / unit, np.array(line["error"]) / unit
        axis.errorbar(sizes, values, 2 * errors, fmt="o", ms=3.5, lw=1, color=colour, label=name)
        theory = (sizes * line["spread"] + sizes**2 * max(line["mean"], 0.0)) / unit
        axis.plot(sizes, theory, color=colour, lw=1)
    axis.set(xscale="log", yscale="log", xlabel="rows N")
    axis.set_ylabel("squared sum of N gradients, of one = 1")
    axis.grid()
    axis.legend(fontsize=8, title="dots: simulated; lines: N V + N² M", title_fontsize=8)
    return figure


def _slopes(axis: Axes, sizes: np.ndarray, start: float) -> None:
    for power, style in POWERS.items():
        values = start * sizes**power
        axis.plot(sizes, values, style, color=INK, lw=1)
        axis.annotate(
            f"N{'²' if power == 2 else ''}",
            (sizes[-1], values[-1]),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
        )


def draw_ratio(result: Mapping[str, Any]) -> Figure:
    """The ratio over N_in / N_an, with bootstrap intervals, and the two printed laws."""
    figure = new_figure(7.4, 4.4)
    axis = figure.add_subplot()
    quotient = np.array(result["inliers"]) / np.array(result["anomalies"])
    ends = np.array([quotient.min(), quotient.max()])
    axis.plot(ends, ends**2, POWERS[2], color=INK, lw=1, label="text: (N_in / N_an)²")
    axis.plot(ends, ends, POWERS[1], color=INK, lw=1, label="appendix: N_in / N_an")
    for colour, (kind, line) in zip(
        (BLUE, VERMILION, "#009e73"), result["lines"].items(), strict=True
    ):
        values, limits = np.array(line["ratio"]), np.array(line["interval"]).T
        axis.errorbar(
            quotient,
            values,
            np.abs(limits - values),
            fmt="o-",
            ms=3.5,
            lw=1,
            color=colour,
            label="anomalies like inliers" if kind == "the same" else f"anomalies {kind}",
        )
    axis.set(xscale="log", yscale="log", xlabel="N_in / N_an")
    axis.set_ylabel("ratio of expected squared gradients")
    axis.grid()
    axis.legend(fontsize=8)
    return figure


def draw_real(found: Sequence[Moment]) -> Figure:
    """A panel for each dataset and recipe: inliers solid, anomalies dashed, a colour an epoch."""
    from matplotlib.lines import Line2D

    mine = [each for each in found if each.part == "output"]
    datasets = list(dict.fromkeys(each.dataset for each in mine))
    recipes = list(dict.fromkeys(each.recipe for each in mine))
    epochs = sorted({each.epoch for each in mine})
    shades = dict(zip(epochs, (BLUE, VERMILION, "#009e73", "#cc79a7"), strict=False))
    figure = new_figure(3.0 * len(recipes) + 0.4, 2.7 * len(datasets) + 0.6)
    axes = figure.subplots(len(datasets), len(recipes), sharex=True, squeeze=False)
    for each in mine:
        axis = axes[datasets.index(each.dataset)][recipes.index(each.recipe)]
        axis.set_title(f"{each.dataset}, {each.recipe}")
        for kind, style in (("inliers", "-"), ("anomalies", "--")):
            sizes = each.sizes(kind)
            values = each.squared(kind, sizes)
            axis.plot(sizes, values, style, marker="o", ms=2, lw=1.1, color=shades[each.epoch])
    for axis in (axis for row in axes for axis in row):
        axis.set(xscale="log", yscale="log")
        low, high = axis.get_ylim()
        ends = np.array([1.0, 2000.0])
        for power, style in POWERS.items():
            axis.plot(ends, 2 * low * ends**power, style, color=GREY, lw=1, scaley=False)
        axis.set_ylim(low, high)
        axis.grid()
    for axis in axes[-1]:
        axis.set_xlabel("rows N")
    for row in axes:
        row[0].set_ylabel("squared sum of N gradients")
    handles = [
        Line2D([], [], color=shades[e], label=f"after epoch {e}" if e else "before training")
        for e in epochs
    ]
    handles += [Line2D([], [], color=INK, ls="-", label="inliers")]
    handles += [Line2D([], [], color=INK, ls="--", label="anomalies")]
    handles += [
        Line2D([], [], color=GREY, ls=style, label=f"slope {power}")
        for power, style in POWERS.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=8)
    return figure
