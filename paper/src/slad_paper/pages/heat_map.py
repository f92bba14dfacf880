"""Heat maps: a number in each cell, and a colour that shows how it compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slad.core.typing import Float
from slad_paper.pages.pictures import BLUE, GREY, INK, VERMILION, Axes, Figure, new_figure

SHADES = {"blues": ("#ffffff", BLUE), "below and above": (VERMILION, "#ffffff", BLUE)}
CELL = (0.37, 0.205)
"""Inches."""


@dataclass(frozen=True)
class Panel:
    """The cells of one metric; NaN where there is nothing to show."""

    title: str
    colours: Float[np.ndarray, "rows columns"]
    texts: Sequence[Sequence[str]]
    best: np.ndarray | None = None
    """Cells in bold."""


def heat_map(
    panels: Sequence[Panel],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    reach: tuple[float, float],
    shades: str,
) -> Figure:
    """Panels side by side with the same rows; colours run over `reach` and stop at its ends."""
    longest = max(map(len, columns), default=0)
    width = 0.075 * max(map(len, rows), default=0) + len(panels) * (CELL[0] * len(columns) + 0.2)
    figure = new_figure(max(width, 4.0), CELL[1] * len(rows) + 0.065 * longest + 0.5)
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axis, panel in zip(axes, panels, strict=True):
        _draw_panel(axis, panel, reach, shades)
        axis.set_xticks(
            range(len(columns)), columns, rotation=60, ha="left", rotation_mode="anchor"
        )
    axes[0].set_yticks(range(len(rows)), rows)
    return figure


def _draw_panel(axis: Axes, panel: Panel, reach: tuple[float, float], shades: str) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    scale = LinearSegmentedColormap.from_list(shades, SHADES[shades]).with_extremes(bad="#eeeeee")
    low, high = reach
    axis.imshow(panel.colours, cmap=scale, vmin=low, vmax=high, aspect="auto")
    pale = low if shades == "blues" else (low + high) / 2
    darkest = max(high - pale, pale - low)
    for (row, column), value in np.ndenumerate(panel.colours):
        dark = abs(np.clip(value, low, high) - pale) > 0.6 * darkest
        bold = panel.best is not None and panel.best[row, column]
        axis.text(
            column,
            row,
            panel.texts[row][column],
            ha="center",
            va="center_baseline",
            fontsize=7,
            color=GREY if np.isnan(value) else "white" if dark else INK,
            fontweight="bold" if bold else "normal",
        )
    axis.set_title(panel.title, pad=6)
    axis.xaxis.tick_top()
    axis.tick_params(length=0, labelsize=8)
    for spine in axis.spines.values():
        spine.set_visible(False)
