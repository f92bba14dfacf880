"""Boxes of losses whose rows are not at hand: drawn from recorded quantiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95]
"""What records hold, and what a box shows."""
LOW, LOWER, MIDDLE, UPPER, HIGH = range(5)
LEGEND = "box: quartiles and median; whiskers: from 5 % to 95 % of the rows"


def draw_boxes(
    axis: Axes,
    places: Sequence[float],
    boxes: Sequence[Mapping[str, Any]],
    colour: str,
    width: float = 0.34,
) -> None:
    """A box at each place."""
    axis.bxp(
        [
            {
                "med": box["quantiles"][MIDDLE],
                "q1": box["quantiles"][LOWER],
                "q3": box["quantiles"][UPPER],
                "whislo": box["quantiles"][LOW],
                "whishi": box["quantiles"][HIGH],
            }
            for box in boxes
        ],
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


def median(box: Mapping[str, Any]) -> float:
    return float(box["quantiles"][MIDDLE])


def quartile_range(box: Mapping[str, Any]) -> float:
    return float(box["quantiles"][UPPER] - box["quantiles"][LOWER])
