"""The drawing of the class-dependency study: a box for each class, after training and before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from slad_paper.pages.boxes import LOWER, MIDDLE, UPPER, draw_boxes
from slad_paper.pages.class_dependency_seen import STATES, Seen, name_of
from slad_paper.pages.pictures import BLUE, GREY, VERMILION, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINEAR = 2.0
"""Quartile ranges to either side that are shown in proportion; beyond, by their logarithm."""
DIGIT = 1e-6
"""The last digit of a recorded loss: a range cannot be told to be smaller."""
WIDE = 30
"""Losses that differ by a larger factor are shown as they are, on a logarithmic axis."""
RANGES = "loss less the trained class's median,\nin quartile ranges of that class"


def draw(seen: Sequence[Seen]) -> Figure:
    """A column for each trained class: the trained network above, the untrained one below.

    Losses that hardly differ are shown in quartile ranges of the trained class.
    """
    figure = new_figure(4.4 * len(seen) + 0.5, 6.4)
    axes = figure.subplots(len(STATES), len(seen), squeeze=False, sharex="col", sharey="row")
    for line, (state, title) in zip(axes, STATES.items(), strict=True):
        wide = all(_spread(each, state) > WIDE for each in seen)
        line[0].set_ylabel("loss" if wide else RANGES)
        for axis, each in zip(line, seen, strict=True):
            axis.set_title(f"trained on {each.trained}, {title}")
            boxes = _boxes(each, state)
            if wide:
                axis.set_yscale("log")
            else:
                axis.set_yscale("symlog", linthresh=LINEAR, linscale=LINEAR)
                axis.yaxis.set_major_formatter("{x:g}")
                boxes = _in_ranges_of(boxes[each.trained], boxes)
            _panel(axis, each, [{"quantiles": quantiles} for quantiles in boxes])
    for axis, each in zip(axes[-1], seen, strict=True):
        labels = [_label(which, each.trained) for which in range(10)]
        axis.set_xticks(range(10), labels, rotation=40, ha="right", rotation_mode="anchor")
    figure.supxlabel("dashed: the upper quartile of the trained class (*)", fontsize=8, color=GREY)
    return figure


def _boxes(each: Seen, state: str) -> list[list[float]]:
    """The quantiles of every class, of the first model seed."""
    return [box["quantiles"] for box in each.record.result["runs"][0][state]["boxes"]]


def _spread(each: Seen, state: str) -> float:
    low, high = (end(end(box) for box in _boxes(each, state)) for end in (min, max))
    return high / low if low > 0 else 0.0


def _in_ranges_of(own: Sequence[float], boxes: Sequence[Sequence[float]]) -> list[list[float]]:
    """Losses moved and stretched so that the trained class has median 0 and quartile range 1."""
    unit = max(own[UPPER] - own[LOWER], DIGIT * abs(own[MIDDLE]))
    return [[(value - own[MIDDLE]) / unit for value in box] for box in boxes]


def _panel(axis: Axes, each: Seen, boxes: Sequence[Mapping[str, Any]]) -> None:
    draw_boxes(axis, each.new, [boxes[which] for which in each.new], GREY, width=0.6)
    draw_boxes(axis, [each.trained], [boxes[each.trained]], BLUE, width=0.6)
    axis.axhline(boxes[each.trained]["quantiles"][UPPER], color=VERMILION, ls="--", lw=1)
    axis.grid(axis="y")


def _label(which: int, trained: int) -> str:
    number, _, name = name_of(which).partition(" ")
    return f"{number}{'*' if which == trained else ''} {name.strip('()')}"
