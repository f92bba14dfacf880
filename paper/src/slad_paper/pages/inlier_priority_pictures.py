"""Figures of the inlier-priority study: boxes over epochs, and curves of AUC-ROC."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from slad.core.typing import Float
from slad_paper.pages import pictures
from slad_paper.pages.boxes import draw_boxes, is_wide
from slad_paper.pages.cases import CaseRecord

SHOWN_EPOCHS = (1, 2, 5, 10, 20, 50, 100)
"""Of a long training; a short one is shown whole."""
MOST_SETS = 3
"""Of a row of many sets (MVTec)."""
COLUMNS = 3
GROUPS = {"inliers": (-0.2, pictures.BLUE), "anomalies": (0.2, pictures.VERMILION)}
"""The shift of a group's box in an epoch's place, and its colour."""
STYLES = {
    "slad-released": (pictures.BLUE, "-"),
    "slad-paper": (pictures.VERMILION, "--"),
    "slad-subspaces": (pictures.GREEN, ":"),
}


def draw_boxes_of(rows: Mapping[str, Sequence[CaseRecord]]) -> pictures.Figure:
    """A pair of panels for each dataset: the untrained network, and every epoch.

    Boxes of inliers and anomalies are side by side. The untrained network has an axis of its own:
    its losses are far above the others and hardly differ, so that one axis would hide both.
    """
    records = [record for row in rows.values() for record in row[:MOST_SETS]]
    columns = 2 * min(COLUMNS, len(records))
    ratios = {"width_ratios": [1, 7] * (columns // 2)}
    figure, axes = pictures.panels(
        2 * len(records), columns, (1.8, 1.9), (0.4, 0.8), gridspec_kw=ratios
    )
    for control, axis, record in zip(axes[::2], axes[1::2], records, strict=True):
        _panels(control, axis, record)
    looks: dict[str, Any] = {"lw": 6, "alpha": 0.6}
    entries = {f"test {group}": {"color": each, **looks} for group, (_, each) in GROUPS.items()}
    pictures.key(figure, entries, loc="outside upper left", ncols=2)
    figure.supxlabel("epoch; 0: the untrained network, on a scale of its own", fontsize=9)
    figure.supylabel("loss", fontsize=9)
    return figure


def _panels(control: pictures.Axes, axis: pictures.Axes, record: CaseRecord) -> None:
    run = record.result["runs"][0]
    last = len(run["auc_roc"]) - 1
    epochs = [each for each in SHOWN_EPOCHS if each <= last] if last > 10 else range(1, last + 1)
    _boxes(control, run, [0])
    _boxes(axis, run, epochs)
    before, after = (run["auc_roc"][at] for at in (0, -1))
    axis.set_title(record.settings["dataset"])
    axis.set_title(f"AUC {before:.2f} → {after:.2f}", loc="right", fontsize=8, fontweight="normal")


def _boxes(axis: pictures.Axes, run: Mapping[str, Any], epochs: Sequence[int]) -> None:
    shown = {group: [run[group][epoch]["quantiles"] for epoch in epochs] for group in GROUPS}
    for group, (shift, colour) in GROUPS.items():
        draw_boxes(axis, [at + shift for at in range(len(epochs))], shown[group], colour)
    axis.set_xlim(-0.6, len(epochs) - 0.4)
    axis.set_xticks(range(len(epochs)), [str(epoch) for epoch in epochs])
    axis.tick_params(axis="y", labelsize=7)
    axis.grid(axis="y")
    if is_wide([box for boxes in shown.values() for box in boxes]):
        axis.set_yscale("log")
        axis.tick_params(axis="y", which="minor", labelleft=False)
    else:
        axis.locator_params(axis="y", nbins=4)
        axis.ticklabel_format(axis="y", useOffset=False)


def draw_auc(curves: Mapping[str, Mapping[str, Float[np.ndarray, " epochs"]]]) -> pictures.Figure:
    """A panel for each dataset: AUC-ROC over the fraction of the training that is done."""
    rows = list(dict.fromkeys(row for of_recipe in curves.values() for row in of_recipe))
    figure, axes = pictures.panels(len(rows), COLUMNS, (3.3, 1.9), (0.4, 0.8))
    for axis, row in zip(axes, rows, strict=True):
        mine = {recipe: of_row[row] for recipe, of_row in curves.items() if row in of_row}
        axis.axhline(0.5, color=pictures.GREY, lw=0.8)
        for recipe, curve in mine.items():
            colour, dashes = STYLES[recipe]
            share = np.linspace(0, 100, len(curve))
            axis.plot(share, curve, dashes, color=colour, lw=1.6, label=recipe)
            axis.plot(0, curve[0], "o", color=colour, ms=4)
        axis.set_title(row)
        axis.grid(axis="y")
        axis.set_ylim(min(0.45, min(curve.min() for curve in mine.values()) - 0.02), 1.01)
    pictures.one_legend(figure, axes, loc="outside upper left", ncols=3)
    figure.supxlabel(
        "% of the epochs; dot: untrained; grey line: chance", fontsize=9, color=pictures.INK
    )
    figure.supylabel("AUC-ROC", fontsize=9)
    return figure
