"""Curves of several detectors, in one panel or many: one legend, colours that people tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slad_paper.pages.pictures import GREY, new_figure
from slad_paper.runner import printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a", "#222222")
OTHERS = ("#882255", "#117733", "#44aa99", "#999933")
"""Of detectors that are none of the paper's."""
MARKERS = "osD^vP*Xhd<>p"


@dataclass(frozen=True)
class Panel:
    """One axis: a curve for each detector over the same places; None where there is no value."""

    title: str
    places: Sequence[float]
    curves: Mapping[str, Sequence[float | None]]
    bands: Mapping[str, tuple[Sequence[float], Sequence[float]]] = field(default_factory=dict)
    """Lower and upper ends of an interval around some of the curves."""
    y_label: str = ""
    log_x: bool = False


@dataclass(frozen=True)
class Look:
    """How a detector is drawn: a colour for its printed method, a dashed line for variants."""

    colour: str
    marker: str
    dashed: bool
    width: float


def looks(names: Sequence[str]) -> dict[str, Look]:
    """The stand-ins of the paper's methods solid, everything else dashed."""
    methods = printed.methods()
    stand_ins = set(printed.stand_ins().values())
    others = [name for name in names if not printed.compared_with(name)]
    found = {}
    for at, name in enumerate(names):
        method = printed.compared_with(name)
        colour = (
            COLOURS[methods.index(method)] if method else OTHERS[others.index(name) % len(OTHERS)]
        )
        ours = method == printed.OURS and name in stand_ins
        found[name] = Look(
            colour,
            MARKERS[at % len(MARKERS)],
            name not in stand_ins,
            2.4 if ours else 1.2,
        )
    return found


def curves(
    panels: Sequence[Panel], *, x_label: str, columns: int = 2, height: float = 2.4
) -> Figure:
    """All panels with one legend on the right."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.curves))
    ordered = printed.ordered(names)
    styles = looks(ordered)
    rows = -(-len(panels) // columns)
    figure = new_figure(3.6 * columns + 1.8, height * rows + 0.5)
    axes = figure.subplots(rows, columns, squeeze=False)
    flat = [axis for line in axes for axis in line]
    for axis, panel in zip(flat, panels, strict=False):
        _draw(axis, panel, styles)
    for axis in flat[len(panels) :]:
        axis.set_visible(False)
    for axis in flat[max(0, len(panels) - columns) : len(panels)]:
        axis.set_xlabel(x_label)
    handles = {
        label: handle
        for axis in flat[: len(panels)]
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        [handles[name] for name in ordered if name in handles],
        [name for name in ordered if name in handles],
        loc="outside right center",
        fontsize=8,
    )
    return figure


def _draw(axis: Axes, panel: Panel, styles: Mapping[str, Look]) -> None:
    axis.set_title(panel.title)
    axis.set_ylabel(panel.y_label)
    axis.grid(axis="y")
    if panel.log_x:
        axis.set_xscale("log", base=2)
    axis.set_xticks(panel.places, [f"{place:g}" for place in panel.places])
    axis.tick_params(axis="x", which="minor", length=0)
    for name, values in panel.curves.items():
        look = styles[name]
        known = [(x, y) for x, y in zip(panel.places, values, strict=True) if y is not None]
        if not known:
            continue
        axis.plot(
            *zip(*known, strict=True),
            color=look.colour,
            marker=look.marker,
            ms=3.5,
            lw=look.width,
            ls="--" if look.dashed else "-",
            label=name,
            zorder=4 if look.width > 2 else 3,
        )
        if name in panel.bands:
            low, high = panel.bands[name]
            axis.fill_between(panel.places, low, high, color=look.colour, alpha=0.12, lw=0)
    axis.spines["bottom"].set_color(GREY)
