"""The pictures of the bound on useful subspaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from slad_paper.pages.pictures import BLUE, GREY, INK, VERMILION, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = {0.25: "#cc79a7", 0.5: VERMILION, 0.75: "#009e73", 1.0: BLUE}
"""Of the figure's betas and alphas."""
STYLES = {
    "subset": ("-", "as a subset"),
    "repeats": ("--", "with replacement"),
    "distinct": (":", "with replacement, repeats counted once"),
}


def draw_curves(result: Mapping[str, Any]) -> Figure:
    """The appendix's figure, a panel for each alpha."""
    from matplotlib.lines import Line2D

    alphas = sorted({line["alpha"] for line in result["lines"]})
    figure = new_figure(9.2, 6.0)
    axes = [axis for row in figure.subplots(2, 2, sharex=True, sharey=True) for axis in row]
    for axis, alpha in zip(axes, alphas, strict=True):
        axis.set_title(f"alpha = {alpha:g}")
        axis.axhline(1 - alpha, color=INK, lw=1.0)
        axis.grid(axis="y")
        for line in result["lines"]:
            if line["alpha"] == alpha:
                for counting, (style, _) in STYLES.items():
                    axis.plot(
                        line["widths"], line[counting], style, color=SHADES[line["beta"]], lw=1.2
                    )
    for axis in axes[2:]:
        axis.set_xlabel("number of features |F|, where both sizes are whole")
    for axis in axes[::2]:
        axis.set_ylabel("Pr(S is useful)")
    handles = [Line2D([], [], color=INK, lw=1.0, label="1 - alpha")]
    handles += [Line2D([], [], color=SHADES[beta], label=f"beta = {beta:g}") for beta in SHADES]
    handles += [
        Line2D([], [], color=GREY, ls=style, label=f"drawn {text}")
        for style, text in STYLES.values()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=8)
    return figure


def draw_map(result: Mapping[str, Any]) -> Figure:
    """The part of all widths at which Pr is below 1 - alpha, over alpha and beta."""
    figure = new_figure(9.2, 4.3)
    axes = figure.subplots(1, 2, sharey=True)
    for axis, (counting, title) in zip(
        axes,
        {"repeats": "with replacement", "subset": "as a subset"}.items(),
        strict=True,
    ):
        found = result[counting]["map"]
        shares, values = found["shares"], np.array(found["failed"])
        step = shares[1] - shares[0]
        edges = np.append(shares, shares[-1] + step) - step / 2
        image = axis.pcolormesh(
            edges, edges, np.where(values > 0, values, np.nan), cmap=_blues(), vmin=0, vmax=1
        )
        axis.set_title(f"drawn {title}")
        axis.set_xlabel("beta")
    axes[0].set_ylabel("alpha")
    bar = figure.colorbar(image, ax=list(axes), shrink=0.85)
    bar.set_label("part of all |F| with Pr < 1 - alpha (white: none)", fontsize=8)
    bar.outline.set_visible(False)
    return figure


def _blues() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("blues", ("#dbeaf5", BLUE, "#00263d"))


def draw_excess(result: Mapping[str, Any]) -> Figure:
    """Pr - (1 - alpha) over the number of features, on logarithmic axes."""
    figure = new_figure(9.2, 3.9)
    axes = figure.subplots(1, 2, sharey=True)
    for axis, (counting, title) in zip(
        axes,
        {"repeats": "with replacement", "subset": "as a subset"}.items(),
        strict=True,
    ):
        for alpha in SHADES:
            _excess(axis, result, counting, alpha)
        axis.set(xscale="log", yscale="log", xlabel="number of features |F|")
        axis.set_title(f"drawn {title}")
        axis.grid()
    axes[0].set_ylabel("Pr - (1 - alpha), beta = 0.25")
    axes[1].legend(fontsize=8)
    return figure


def _excess(axis: Axes, result: Mapping[str, Any], counting: str, alpha: float) -> None:
    rows = [row for row in result["rows"] if row["alpha"] == alpha and row["beta"] == 0.25]
    axis.plot(
        [row["n"] for row in rows],
        [row[counting] - row["bound"] for row in rows],
        "o-",
        color=SHADES[alpha],
        # Lines that fall on one another: the lower ones are thicker.
        ms=7 - 4 * alpha,
        lw=5 - 4 * alpha,
        label=f"alpha = {alpha:g}",
    )


def draw_groups(result: Mapping[str, Any]) -> Figure:
    """How likely it is, by the bound, that none of c subspaces is useful."""
    figure = new_figure(7.0, 3.9)
    axis = figure.add_subplot()
    colours = dict(zip(result["printed"], (*SHADES.values(), "#e69f00"), strict=False))
    for alpha, values in result["printed"].items():
        axis.plot(
            result["sizes"], [1 - value for value in values], color=colours[alpha], label=alpha
        )
    for promised in (0.01, 0.001):
        axis.axhline(promised, color=GREY, lw=0.8, ls="--")
    axis.axvline(10, color=GREY, lw=0.8, ls="--")
    axis.set_yscale("log")
    axis.set_ylim(1e-6, 1)
    axis.set_xlim(1, max(result["sizes"]))
    axis.set_xlabel("subspaces in a group, c (dashed: the paper's 10)")
    axis.set_ylabel("1 - Pr(U is useful) by the bound")
    axis.grid(axis="y")
    axis.legend(title="alpha", fontsize=8, loc="upper right", bbox_to_anchor=(1.16, 1.0))
    return figure
