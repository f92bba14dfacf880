"""The drawing of the class-dependency study: a box for each class, after training and before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from slad.reports.boxes import LOWER, MIDDLE, UPPER, draw_boxes
from slad.reports.class_dependency_seen import STATES, Seen, name_of
from slad.reports.pictures import BLUE, GREY, VERMILION, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINEAR = 2.0
"""Quartile ranges to either side that are shown in proportion; beyond, by their logarithm."""
SCALE = "loss less the trained class's median, in quartile ranges of that class"


def draw(seen: Sequence[Seen]) -> Figure:
    """A column for each trained class: the trained network above, the untrained one below."""
    figure = new_figure(4.4 * len(seen) + 0.5, 6.4)
    axes = figure.subplots(len(STATES), len(seen), squeeze=False, sharex="col", sharey="row")
    for line, (state, title) in zip(axes, STATES.items(), strict=True):
        for axis, each in zip(line, seen, strict=True):
            _panel(axis, each, state)
            axis.set_title(f"trained on {each.trained}, {title}")
    for axis, each in zip(axes[-1], seen, strict=True):
        labels = [_label(which, each.trained) for which in range(10)]
        axis.set_xticks(range(10), labels, rotation=40, ha="right", rotation_mode="anchor")
    figure.supylabel(SCALE, fontsize=9)
    figure.supxlabel("dashed: the upper quartile of the trained class (*)", fontsize=8, color=GREY)
    return figure


def _panel(axis: Axes, each: Seen, state: str) -> None:
    """Boxes of the first model seed."""
    boxes = each.record.result["runs"][0][state]["boxes"]
    own = boxes[each.trained]["quantiles"]
    shown = [_in_ranges_of(own, box["quantiles"]) for box in boxes]
    axis.set_yscale("symlog", linthresh=LINEAR, linscale=LINEAR)
    draw_boxes(axis, each.new, [shown[which] for which in each.new], GREY, width=0.6)
    draw_boxes(axis, [each.trained], [shown[each.trained]], BLUE, width=0.6)
    axis.axhline(shown[each.trained]["quantiles"][UPPER], color=VERMILION, ls="--", lw=1)
    axis.yaxis.set_major_formatter("{x:g}")
    axis.grid(axis="y")


def _in_ranges_of(own: Sequence[float], quantiles: Sequence[float]) -> dict[str, Any]:
    """Losses moved and stretched so that the trained class has median 0 and quartile range 1."""
    unit = own[UPPER] - own[LOWER]
    return {"quantiles": [(value - own[MIDDLE]) / unit for value in quantiles]}


def _label(which: int, trained: int) -> str:
    number, _, name = name_of(which).partition(" ")
    return f"{number}{'*' if which == trained else ''} {name.strip('()')}"
