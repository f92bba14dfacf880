"""The drawing of scores over time: a strip for every detector, the events behind all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from slad_paper.pages.pictures import BLUE, GREY, INK, VERMILION, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOP = 99.5
"""The axis ends at this percentile of the scores: one wild score must not flatten the others."""


def draw_scores(series: Mapping[str, Any]) -> Figure:
    """Scores of every detector but chance, its threshold dashed, events shaded."""
    picture = series["picture"]
    drawn = {name: values for name, values in picture["scores"].items() if name != "chance"}
    labels = np.asarray(picture["labels"]) > 0
    at = np.linspace(0, series["test"], len(labels))
    figure = new_figure(9.6, 0.6 + 1.0 * len(drawn))
    axes = figure.subplots(len(drawn), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (name, values) in zip(axes, drawn.items(), strict=True):
        *scores, threshold = values
        accent = BLUE if name == "SLADSeries" else INK
        _strip(axis, at, np.asarray(scores), threshold, labels, accent)
        axis.set_title(name, color=accent, fontsize=9)
    axes[-1].set_xlabel(
        "time point of the part that tests; shaded: events; dashed: threshold of alarms",
        color=GREY,
        fontsize=8,
    )
    return figure


def _strip(
    axis: Axes,
    at: np.ndarray,
    scores: np.ndarray,
    threshold: float,
    labels: np.ndarray,
    colour: str,
) -> None:
    low, high = float(scores.min()), float(np.percentile(scores, TOP))
    high = max(high, 1.05 * threshold)
    axis.fill_between(at, low, high, where=labels, color=GREY, alpha=0.45, step="mid", lw=0)
    axis.plot(at, np.minimum(scores, high), color=colour, lw=0.8)
    axis.axhline(threshold, color=VERMILION, lw=1, ls=(0, (4, 3)))
    axis.set_ylim(low, high)
    axis.set_xlim(at[0], at[-1])
    axis.set_yticks([])
    axis.spines["left"].set_visible(False)
