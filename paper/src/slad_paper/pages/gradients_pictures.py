"""Figures of gradients that add up: on logarithmic axes a power is a straight line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from slad_paper.pages import pictures
from slad_paper.pages.gradients_claims import Moment

POWERS = {1: ":", 2: "-."}
"""How straight lines of these slopes are drawn."""
COLOURS = (
    pictures.BLUE,
    pictures.SKY,
    pictures.GREEN,
    pictures.ORANGE,
    pictures.VERMILION,
    pictures.PINK,
)


def draw_growth(result: Mapping[str, Any]) -> pictures.Figure:
    """|sum|^2 of N gradients over its value for one, with its error, and by V and M."""
    figure, axis = pictures.one_panel(8.2, 4.6)
    sizes = np.asarray(result["sizes"], dtype=float)
    for power, style in POWERS.items():
        axis.plot(sizes, sizes**power, style, color=pictures.INK, lw=1)
        at, text = (sizes[-1], sizes[-1] ** power), f"N{'²' if power == 2 else ''}"
        axis.annotate(text, at, xytext=(4, 0), textcoords="offset points", va="center")
    for colour, (name, line) in zip(COLOURS, result["lines"].items(), strict=False):
        unit = line["spread"] + line["mean"]
        values, errors = np.array(line["squared"]) / unit, np.array(line["error"]) / unit
        axis.errorbar(sizes, values, 2 * errors, fmt="o", ms=3.5, lw=1, color=colour, label=name)
        theory = (sizes * line["spread"] + sizes**2 * max(line["mean"], 0.0)) / unit
        axis.plot(sizes, theory, color=colour, lw=1)
    axis.set(xscale="log", yscale="log", xlabel="rows N")
    axis.set_ylabel("squared sum of N gradients, of one = 1")
    axis.grid()
    axis.legend(fontsize=8, title="dots: simulated; lines: N V + N² M", title_fontsize=8)
    return figure


def draw_ratio(result: Mapping[str, Any]) -> pictures.Figure:
    """The ratio over N_in / N_an, with bootstrap intervals, and the two printed laws."""
    figure, axis = pictures.one_panel(7.4, 4.4)
    quotient = np.array(result["inliers"]) / np.array(result["anomalies"])
    ends = np.array([quotient.min(), quotient.max()])
    axis.plot(ends, ends**2, POWERS[2], color=pictures.INK, lw=1, label="text: (N_in / N_an)²")
    axis.plot(ends, ends, POWERS[1], color=pictures.INK, lw=1, label="appendix: N_in / N_an")
    colours = (pictures.BLUE, pictures.VERMILION, pictures.GREEN)
    for colour, (kind, line) in zip(colours, result["lines"].items(), strict=True):
        values, limits = np.array(line["ratio"]), np.array(line["interval"]).T
        look: dict[str, Any] = {"fmt": "o-", "ms": 3.5, "lw": 1, "color": colour}
        label = "anomalies like inliers" if kind == "the same" else f"anomalies {kind}"
        axis.errorbar(quotient, values, np.abs(limits - values), **look, label=label)
    axis.set(xscale="log", yscale="log", xlabel="N_in / N_an")
    axis.set_ylabel("ratio of expected squared gradients")
    axis.grid()
    axis.legend(fontsize=8)
    return figure


def draw_real(found: Sequence[Moment]) -> pictures.Figure:
    """A panel for each dataset and recipe: inliers solid, anomalies dashed, a colour an epoch."""
    mine = [each for each in found if each.part == "output"]
    recipes = list(dict.fromkeys(each.recipe for each in mine))
    pairs = list(product(dict.fromkeys(each.dataset for each in mine), recipes))
    shades = dict(
        zip(
            sorted({each.epoch for each in mine}),
            (pictures.BLUE, pictures.VERMILION, pictures.GREEN, pictures.PINK),
            strict=False,
        )
    )
    figure, axes = pictures.panels(len(pairs), len(recipes), (3.0, 2.7), (0.4, 0.6), sharex=True)
    for axis, pair in zip(axes, pairs, strict=True):
        axis.set_title(", ".join(pair))
        for each in (each for each in mine if (each.dataset, each.recipe) == pair):
            for kind, style in (("inliers", "-"), ("anomalies", "--")):
                sizes = each.sizes(kind)
                look: dict[str, Any] = {"color": shades[each.epoch], "lw": 1.1}
                axis.plot(sizes, each.squared(kind, sizes), style, marker="o", ms=2, **look)
        axis.set(xscale="log", yscale="log")
        low, high = axis.get_ylim()
        ends = np.array([1.0, 2000.0])
        for power, style in POWERS.items():
            axis.plot(ends, 2 * low * ends**power, style, color=pictures.GREY, lw=1, scaley=False)
        axis.set_ylim(low, high)
        axis.grid()
    for axis in axes[-len(recipes) :]:
        axis.set_xlabel("rows N")
    for axis in axes[:: len(recipes)]:
        axis.set_ylabel("squared sum of N gradients")
    entries = {
        f"after epoch {epoch}" if epoch else "before training": {"color": shade}
        for epoch, shade in shades.items()
    }
    entries |= {
        "inliers": {"color": pictures.INK, "ls": "-"},
        "anomalies": {"color": pictures.INK, "ls": "--"},
    }
    entries |= {
        f"slope {power}": {"color": pictures.GREY, "ls": style} for power, style in POWERS.items()
    }
    pictures.key(figure, entries, loc="outside lower center", ncols=len(entries), fontsize=8)
    return figure
