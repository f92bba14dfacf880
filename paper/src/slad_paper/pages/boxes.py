"""Boxes of losses, drawn from recorded quantiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from slad_paper.pages.pictures import Axes

QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95]
"""Recorded, and shown by a box."""
LOW, LOWER, MIDDLE, UPPER, HIGH = range(5)
PARTS = ("whislo", "q1", "med", "q3", "whishi")
"""Matplotlib's names of the same."""
LEGEND = "box: quartiles and median; whiskers: from 5 % to 95 % of the rows"
WIDE = 30
"""Losses that differ by a larger factor have a logarithmic axis."""


def draw_boxes(
    axis: Axes,
    places: Sequence[float],
    boxes: Iterable[Sequence[float]],
    colour: str,
    width: float = 0.34,
) -> None:
    """A box at each place, of these quantiles."""
    axis.bxp(
        [dict(zip(PARTS, quantiles, strict=True)) for quantiles in boxes],
        positions=places,
        widths=width,
        showfliers=False,
        manage_ticks=False,
        patch_artist=True,
        boxprops={"facecolor": colour, "edgecolor": colour, "alpha": 0.45, "linewidth": 0.8},
        whiskerprops={"color": colour, "linewidth": 0.8},
        capprops={"linewidth": 0},
        medianprops={"color": colour, "linewidth": 1.8, "solid_capstyle": "butt"},
    )


def is_wide(boxes: Iterable[Sequence[float]]) -> bool:
    """Whether a logarithmic axis shows these quantiles better."""
    values = [value for quantiles in boxes for value in quantiles]
    return min(values) > 0 and max(values) / min(values) > WIDE


def median(box: Mapping[str, Any]) -> float:
    return float(box["quantiles"][MIDDLE])


def quartile_range(box: Mapping[str, Any]) -> float:
    return float(box["quantiles"][UPPER] - box["quantiles"][LOWER])
