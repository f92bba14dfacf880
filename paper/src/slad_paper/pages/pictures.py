"""The drawings: plain matplotlib figures, made without pyplot so that no global state is touched.

Colours are those of Okabe and Ito, which people see apart who confuse red and green.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, GREY, BAND = "#222222", "#8a8a8a", "#e3e3e3"
BLUE, VERMILION = "#0072b2", "#d55e00"

STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine draws the same
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.dpi": 150,
    "svg.hashsalt": "slad",  # names of clip paths are random without it
    "svg.fonttype": "path",
}


@contextmanager
def style() -> Iterator[None]:
    """Our settings on top of matplotlib's defaults, whatever the user's own file says."""
    import matplotlib

    settings: Any = STYLE
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        yield


def new_figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


# -- average ranks ---------------------------------------------------------------------------------


RANKS = "Rank 1 is best. A bar joins detectors (its dots) of which no two differ significantly."


def rank_diagram(
    names: Sequence[str],
    places: Sequence[float],
    groups: Sequence[Sequence[int]],
    accented: Sequence[str],
    title: str,
) -> Figure:
    """The critical-difference diagram: average ranks, and bars over detectors that do not differ.

    `names` are in the order of their places. Unlike in the usual drawing a bar has a dot for each
    detector it joins, since it may pass over one that does differ.
    """
    levels = _levels([(places[group[0]], places[group[-1]]) for group in groups], len(names))
    depth = max(levels, default=-1) + 1
    half = (len(names) + 1) // 2
    figure = new_figure(8.6, 1.15 + 0.17 * depth + 0.26 * half)
    axis = figure.add_subplot()
    figure.suptitle(title, fontsize=10, fontweight="bold")
    axis.set_title(RANKS, fontsize=8, fontweight="normal", color=GREY, pad=8, loc="center")
    first_label = 0.7 + 0.65 * depth + 0.4
    _rank_axis(axis, len(names), first_label + half - 0.5)
    for at, (name, place) in enumerate(zip(names, places, strict=True)):
        left = at < half
        y = first_label + (at if left else len(names) - 1 - at)
        end = 1 - 0.02 * len(names) if left else len(names) * 1.02
        colour = BLUE if name in accented else INK
        weight = "bold" if name in accented else "normal"
        axis.plot([end, place, place], [y, y, 0], color=colour, lw=0.9, clip_on=False)
        axis.plot(place, 0, "o", color=colour, ms=4, clip_on=False, zorder=4)
        text = f"{name}  {place:.2f} " if left else f" {place:.2f}  {name}"
        side = "right" if left else "left"
        axis.text(end, y, text, ha=side, va="center", color=colour, fontweight=weight)
    for group, level in zip(groups, levels, strict=True):
        xs = [places[at] for at in group]
        y = 0.7 + 0.65 * level
        axis.plot(xs, [y] * len(xs), "o-", color=VERMILION, lw=2.6, ms=4.2, zorder=3, clip_on=False)
    return figure


def _rank_axis(axis: Axes, count: int, bottom: float) -> None:
    """Ranks along the top, 1 (the best) on the left."""
    axis.set_xlim(1, max(count, 2))
    axis.set_ylim(bottom, 0)
    axis.xaxis.tick_top()
    axis.set_xticks(range(1, count + 1))
    axis.yaxis.set_visible(False)
    for side in ("left", "right", "bottom"):
        axis.spines[side].set_visible(False)
    axis.spines["top"].set_visible(True)


def _levels(spans: Sequence[tuple[float, float]], count: int) -> list[int]:
    """The lowest level for each bar on which it touches none before it."""
    gap = 0.02 * count
    taken: list[list[tuple[float, float]]] = []
    levels = []
    for low, high in spans:
        level = next(
            (
                at
                for at, others in enumerate(taken)
                if all(high + gap < start or end + gap < low for start, end in others)
            ),
            len(taken),
        )
        if level == len(taken):
            taken.append([])
        taken[level].append((low, high))
        levels.append(level)
    return levels


# -- values over datasets --------------------------------------------------------------------------


STRIPS = "dot: a dataset; orange line: median; box: quartiles; grey line: from 5 % to 95 %"


def strips(
    names: Sequence[str], tables: Mapping[str, np.ndarray], accented: Sequence[str]
) -> Figure:
    """For each metric a box over the datasets and a dot for each, one line a detector."""
    figure = new_figure(9.6, 1.1 + 0.3 * len(names))
    axes = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
    for axis, (title, table) in zip(axes, tables.items(), strict=True):
        axis.set_title(title)
        axis.boxplot(
            table,
            orientation="horizontal",
            positions=range(len(names)),
            widths=0.62,
            showfliers=False,
            whis=(5, 95),
            patch_artist=True,
            boxprops={"facecolor": BAND, "edgecolor": "none"},
            whiskerprops={"color": GREY, "linewidth": 0.8},
            capprops={"linewidth": 0},
            medianprops={"color": VERMILION, "linewidth": 2, "solid_capstyle": "butt"},
        )
        # Dots side by side without a random generator: multiples of the golden ratio.
        shift = (np.arange(len(table)) * 0.618034 % 1 - 0.5) * 0.5
        for at, name in enumerate(names):
            colour = BLUE if name in accented else INK
            axis.plot(table[:, at], at + shift, "o", color=colour, ms=2.8, alpha=0.55, mew=0)
        axis.set_yticks(range(len(names)), names)
        axis.set_ylim(len(names) - 0.5, -0.5)
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
        axis.grid(axis="x")
    figure.supxlabel(STRIPS, fontsize=8, color=GREY)
    for label in axes[0].get_yticklabels():
        if label.get_text() in accented:
            label.set(color=BLUE, fontweight="bold")
    return figure
