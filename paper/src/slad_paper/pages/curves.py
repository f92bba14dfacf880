"""Curves of several detectors in one panel or many, with one legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slad_paper.pages.pictures import GREY, INK, PALETTE, Axes, Figure, one_legend, panels
from slad_paper.runner import printed

COLOURS = (*PALETTE, GREY, INK)
"""One for each of the paper's methods."""
OTHERS = ("#882255", "#117733", "#44aa99", "#999933")
"""For other detectors."""
MARKERS = "osD^vP*Xhd<>p"


@dataclass(frozen=True)
class Panel:
    """A curve for each detector over the same places; None where there is no value."""

    title: str
    places: Sequence[float]
    curves: Mapping[str, Sequence[float | None]]
    bands: Mapping[str, tuple[Sequence[float], Sequence[float]]] = field(default_factory=dict)
    """Lower and upper ends of an interval around some of the curves."""
    y_label: str = ""
    logarithmic: bool = False
    """Both axes."""


def curves(
    shown: Sequence[Panel], *, x_label: str, columns: int = 2, height: float = 2.4, **options: Any
) -> Figure:
    """All panels with one legend on the right."""
    names = printed.ordered({name for panel in shown for name in panel.curves})
    looks = looks_of(names)
    figure, axes = panels(len(shown), columns, (3.6, height), (1.8, 0.5), **options)
    for axis, panel in zip(axes, shown, strict=True):
        _draw(axis, panel, looks)
    for axis in axes[-columns:]:
        axis.set_xlabel(x_label)
    one_legend(figure, axes, names, loc="outside right center", fontsize=8)
    return figure


def looks_of(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Arguments of a plot: the colour of the printed method; stand-ins solid, others dashed."""
    methods, stand_ins = printed.methods(), set(printed.stand_ins().values())
    others = [name for name in names if not printed.compared_with(name)]
    looks = {}
    for at, name in enumerate(names):
        method = printed.compared_with(name)
        ours = method == printed.OURS and name in stand_ins
        looks[name] = {
            "color": COLOURS[methods.index(method)]
            if method
            else OTHERS[others.index(name) % len(OTHERS)],
            "marker": MARKERS[at % len(MARKERS)],
            "ls": "-" if name in stand_ins else "--",
            "lw": 2.4 if ours else 1.2,
            "zorder": 4 if ours else 3,
        }
    return looks


def _draw(axis: Axes, panel: Panel, looks: Mapping[str, dict[str, Any]]) -> None:
    axis.set_title(panel.title)
    axis.set_ylabel(panel.y_label)
    axis.grid(axis="y")
    if panel.logarithmic:
        axis.set_xscale("log", base=2)
        axis.set_yscale("log")
    axis.set_xticks(panel.places, [_tick(place) for place in panel.places])
    axis.tick_params(axis="x", which="minor", length=0)
    for name, values in panel.curves.items():
        known = [(x, y) for x, y in zip(panel.places, values, strict=True) if y is not None]
        if known:
            axis.plot(*zip(*known, strict=True), **looks[name], ms=3.5, label=name)
        if name in panel.bands:
            colour = looks[name]["color"]
            axis.fill_between(panel.places, *panel.bands[name], color=colour, alpha=0.12, lw=0)


def _tick(place: float) -> str:
    """
    >>> _tick(5.0), _tick(128000)
    ('5', '128k')
    """
    return f"{place / 1000:g}k" if place and place % 1000 == 0 else f"{place:g}"
