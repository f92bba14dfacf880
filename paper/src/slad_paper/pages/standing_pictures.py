"""Figures of standings: average ranks, values over datasets, and every value as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from slad_paper.pages import pictures, statistics
from slad_paper.pages.document import Part, Picture
from slad_paper.pages.heat_map import Panel, heat_map
from slad_paper.pages.standings import Standings
from slad_paper.runner import printed

RANKS = "Rank 1 is best. A bar joins detectors (its dots) of which no two differ significantly."
STRIPS = "dot: a dataset; orange line: median; box: quartiles; grey line: from 5 % to 95 %"


def _colours(names: Sequence[str]) -> dict[str, str]:
    """Detectors compared with the paper's own method stand out."""
    ours = printed.OURS
    return {
        name: pictures.BLUE if printed.compared_with(name) == ours else pictures.INK
        for name in names
    }


# -- average ranks ---------------------------------------------------------------------------------


def draw_ranks(standing: Standings, where: str = "") -> pictures.Figure:
    """The critical-difference diagram: average ranks, and bars over detectors that do not differ.

    Unlike in the usual drawing a bar has a dot for each detector it joins, since it may pass over
    one that does differ.
    """
    names, places = standing.names, standing.average
    groups = statistics.alike(standing.pairs, len(names))
    levels = _levels([(places[group[0]], places[group[-1]]) for group in groups], len(names))
    depth, half = max(levels, default=-1) + 1, (len(names) + 1) // 2
    figure, axis = pictures.one_panel(8.6, 1.15 + 0.17 * depth + 0.26 * half)
    title = f"{standing.title}{where}: average rank over {standing.extent}"
    figure.suptitle(title, fontsize=10, fontweight="bold")
    axis.set_title(RANKS, fontsize=8, fontweight="normal", color=pictures.GREY, pad=8, loc="center")
    first_label = 0.7 + 0.65 * depth + 0.4
    _rank_axis(axis, len(names), first_label + half - 0.5)
    for at, (place, (name, colour)) in enumerate(zip(places, _colours(names).items(), strict=True)):
        left = at < half
        y = first_label + (at if left else len(names) - 1 - at)
        end = 1 - 0.02 * len(names) if left else len(names) * 1.02
        axis.plot([end, place, place], [y, y, 0], color=colour, lw=0.9, clip_on=False)
        axis.plot(place, 0, "o", color=colour, ms=4, clip_on=False, zorder=4)
        text = f"{name}  {place:.2f} " if left else f" {place:.2f}  {name}"
        weight = "bold" if colour == pictures.BLUE else "normal"
        side = "right" if left else "left"
        axis.text(end, y, text, ha=side, va="center", color=colour, fontweight=weight)
    for group, level in zip(groups, levels, strict=True):
        xs, y = [places[at] for at in group], 0.7 + 0.65 * level
        axis.plot(
            xs,
            [y] * len(xs),
            "o-",
            color=pictures.VERMILION,
            lw=2.6,
            ms=4.2,
            zorder=3,
            clip_on=False,
        )
    return figure


def _rank_axis(axis: pictures.Axes, count: int, bottom: float) -> None:
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
    """The lowest level for each bar at which it touches none before it."""
    gap = 0.02 * count
    taken: list[list[tuple[float, float]]] = []
    levels = []
    for low, high in spans:
        free = (
            at
            for at, others in enumerate(taken)
            if all(high + gap < start or end + gap < low for start, end in others)
        )
        level = next(free, len(taken))
        if level == len(taken):
            taken.append([])
        taken[level].append((low, high))
        levels.append(level)
    return levels


# -- values over datasets --------------------------------------------------------------------------


def draw_strips(standings: Sequence[Standings]) -> pictures.Figure:
    """For each metric a box over the datasets and a dot for each, a row for each detector."""
    names = standings[0].names
    colours = _colours(names)
    figure, axes = pictures.panels(
        len(standings), len(standings), (9.6 / len(standings), 1.1 + 0.3 * len(names)), sharey=True
    )
    for axis, standing in zip(axes, standings, strict=True):
        values = standing.values[:, [standing.names.index(name) for name in names]]
        axis.set_title(f"{standing.title} over {standing.extent}")
        axis.boxplot(
            values,
            orientation="horizontal",
            positions=range(len(names)),
            widths=0.62,
            showfliers=False,
            whis=(5, 95),
            patch_artist=True,
            boxprops={"facecolor": pictures.BAND, "edgecolor": "none"},
            whiskerprops={"color": pictures.GREY, "linewidth": 0.8},
            capprops={"linewidth": 0},
            medianprops={"color": pictures.VERMILION, "linewidth": 2, "solid_capstyle": "butt"},
        )
        # Dots side by side without a random generator: multiples of the golden ratio.
        shift = (np.arange(len(values)) * 0.618034 % 1 - 0.5) * 0.5
        for at, name in enumerate(names):
            look: dict[str, Any] = {"color": colours[name], "ms": 2.8, "alpha": 0.55, "mew": 0}
            axis.plot(values[:, at], at + shift, "o", **look)
        pictures.named_rows(axis, names)
    figure.supxlabel(STRIPS, fontsize=8, color=pictures.GREY)
    pictures.accent_names(axes[0], colours)
    return figure


def draw_map(standing: Standings, datasets: Sequence[str]) -> pictures.Figure:
    """Every value, a row for each dataset; the darker, the nearer to the best of its row."""
    values = standing.values
    behind = values - values.max(axis=1, keepdims=True)
    texts = [[f"{value:.2f}"[-3:] if value < 0.995 else "1.0" for value in row] for row in values]
    panel = Panel(f"{standing.title} on each dataset", behind, texts, best=behind > -0.0005)
    return heat_map([panel], datasets, standing.names, reach=(-0.3, 0.0), shades="blues")


# -- parts of a report -----------------------------------------------------------------------------


def overviews(standings: Sequence[Standings], over: str) -> list[Part]:
    """Average ranks, and the values behind them: `over` says of what."""
    found: list[Part] = [
        Picture(
            f"ranks-{_key(standing)}",
            f"{standing.title}: average ranks; a bar joins detectors that do not differ",
            partial(draw_ranks, standing),
        )
        for standing in standings
        if len(standing.names) > 1
    ]
    if standings:
        caption = f"AUC over the {over}, a dot each"
        found.append(Picture("values", caption, partial(draw_strips, standings)))
    return found


def maps(standings: Sequence[Standings], ranked: Sequence[str]) -> list[Part]:
    """The values of every dataset."""
    return [
        Picture(
            f"map-{_key(standing)}",
            f"{standing.title}: the darker, the nearer to the best on the dataset (bold)",
            partial(draw_map, standing, ranked),
        )
        for standing in standings
    ]


def _key(standing: Standings) -> str:
    return standing.metric.replace("_", "-")
