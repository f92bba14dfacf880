"""Figures of the bound on useful subspaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from slad_paper.pages import pictures

SHADES = {0.25: pictures.PINK, 0.5: pictures.VERMILION, 0.75: pictures.GREEN, 1.0: pictures.BLUE}
"""Of the figure's betas and alphas."""
STYLES = {
    "subset": ("-", "as a subset"),
    "repeats": ("--", "with replacement"),
    "distinct": (":", "with replacement, repeats counted once"),
}
SIDES = {counting: f"drawn {STYLES[counting][1]}" for counting in ("repeats", "subset")}


def draw_curves(result: Mapping[str, Any]) -> pictures.Figure:
    """The appendix's figure, a panel for each alpha."""
    alphas = sorted({line["alpha"] for line in result["lines"]})
    figure, axes = pictures.panels(len(alphas), 2, (4.6, 3.0), sharex=True, sharey=True)
    for axis, alpha in zip(axes, alphas, strict=True):
        axis.set_title(f"alpha = {alpha:g}")
        axis.axhline(1 - alpha, color=pictures.INK, lw=1.0)
        axis.grid(axis="y")
        for line in (line for line in result["lines"] if line["alpha"] == alpha):
            for counting, (style, _) in STYLES.items():
                axis.plot(line["widths"], line[counting], style, color=SHADES[line["beta"]], lw=1.2)
    for axis in axes[2:]:
        axis.set_xlabel("number of features |F|, where both sizes are whole")
    for axis in axes[::2]:
        axis.set_ylabel("Pr(S is useful)")
    entries: dict[str, dict[str, Any]] = {"1 - alpha": {"color": pictures.INK, "lw": 1.0}}
    entries |= {f"beta = {beta:g}": {"color": SHADES[beta]} for beta in SHADES}
    entries |= {
        f"drawn {text}": {"color": pictures.GREY, "ls": style} for style, text in STYLES.values()
    }
    pictures.key(figure, entries, loc="outside lower center", ncols=4, fontsize=8)
    return figure


def draw_map(result: Mapping[str, Any]) -> pictures.Figure:
    """The fraction of widths at which Pr is below 1 - alpha, over alpha and beta."""
    from matplotlib.colors import LinearSegmentedColormap

    blues = LinearSegmentedColormap.from_list("blues", ("#dbeaf5", pictures.BLUE, "#00263d"))
    figure, axes = pictures.panels(2, 2, (4.6, 4.3), sharey=True)
    for axis, (counting, title) in zip(axes, SIDES.items(), strict=True):
        found = result[counting]["map"]
        shares, values = found["shares"], np.array(found["failed"])
        step = shares[1] - shares[0]
        edges = np.append(shares, shares[-1] + step) - step / 2
        failed = np.where(values > 0, values, np.nan)
        image = axis.pcolormesh(edges, edges, failed, cmap=blues, vmin=0, vmax=1)
        axis.set_title(title)
        axis.set_xlabel("beta")
    axes[0].set_ylabel("alpha")
    bar = figure.colorbar(image, ax=axes, shrink=0.85)
    bar.set_label("part of all |F| with Pr < 1 - alpha (white: none)", fontsize=8)
    bar.outline.set_visible(False)
    return figure


def draw_excess(result: Mapping[str, Any]) -> pictures.Figure:
    """Pr - (1 - alpha) over the number of features, on logarithmic axes."""
    figure, axes = pictures.panels(2, 2, (4.6, 3.9), sharey=True)
    for axis, (counting, title) in zip(axes, SIDES.items(), strict=True):
        for alpha, colour in SHADES.items():
            rows = [row for row in result["rows"] if (row["alpha"], row["beta"]) == (alpha, 0.25)]
            widths = [row["n"] for row in rows]
            excess = [row[counting] - row["bound"] for row in rows]
            # Lines that fall on one another: the lower ones are thicker.
            look: dict[str, Any] = {"color": colour, "ms": 7 - 4 * alpha, "lw": 5 - 4 * alpha}
            axis.plot(widths, excess, "o-", **look, label=f"alpha = {alpha:g}")
        axis.set(xscale="log", yscale="log", xlabel="number of features |F|")
        axis.set_title(title)
        axis.grid()
    axes[0].set_ylabel("Pr - (1 - alpha), beta = 0.25")
    axes[1].legend(fontsize=8)
    return figure


def draw_groups(result: Mapping[str, Any]) -> pictures.Figure:
    """The probability, by the bound, that none of c subspaces is useful."""
    figure, axis = pictures.one_panel(7.0, 3.9)
    colours = (*SHADES.values(), pictures.ORANGE)
    for colour, (alpha, values) in zip(colours, result["printed"].items(), strict=False):
        axis.plot(result["sizes"], [1 - value for value in values], color=colour, label=alpha)
    for promised in (0.01, 0.001):
        axis.axhline(promised, color=pictures.GREY, lw=0.8, ls="--")
    axis.axvline(10, color=pictures.GREY, lw=0.8, ls="--")
    axis.set(yscale="log", ylim=(1e-6, 1), xlim=(1, max(result["sizes"])))
    axis.set_xlabel("subspaces in a group, c (dashed: the paper's 10)")
    axis.set_ylabel("1 - Pr(U is useful) by the bound")
    axis.grid(axis="y")
    axis.legend(title="alpha", fontsize=8, loc="upper right", bbox_to_anchor=(1.16, 1.0))
    return figure
