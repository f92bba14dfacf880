"""The page on losses of subspaces as explanations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import Claim, claims_table
from slad_paper.pages.culprits import PLANTS, rate
from slad_paper.pages.document import (
    Cell,
    Heading,
    Notes,
    Part,
    Picture,
    Report,
    Table,
    Value,
    plain,
)
from slad_paper.pages.pictures import BLUE, GREY, INK, VERMILION, new_figure
from slad_paper.pages.records import natural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Result = dict[str, Any]
Way = tuple[str, int]
"""A method, and the groups of subspaces behind it (0: none)."""

CHOICE, UNTRAINED = "choice-", "untrained"
PEERS = ("occlusion", "z-scores", "chance")
"""Not made of subspaces."""
KINDS = tuple(plant for plant in PLANTS if "gap" not in plant)
DIRECTION = (
    "the intermediate results in SLAD can be further processed for anomaly interpretation ... to "
    "yield a tailored feature subspace (Future Directions, iii)"
)
LOSSES = (
    "empirical errors derived from the loss function indicate the deviation of the target data "
    "instance in different feature subspaces (Future Directions, iii)"
)


def report(records: Sequence[CaseRecord]) -> Report:
    ordered = sorted(records, key=lambda record: natural(record.case))
    judged = [record for record in ordered if not record.case.startswith(CHOICE)]
    chosen = [record for record in ordered if record.case.startswith(CHOICE)]
    results, choice = _results(judged), _results(chosen)
    ways = list(dict.fromkeys((each["method"], each["groups"]) for each in results))
    ours = picked(choice or results, ways)
    brief: list[Part] = [
        claims_table(_claims(results, choice or results, ways)),
        Notes(_about(judged, chosen, ours)),
        Heading("The culprit is the first column named"),
        _table(results, ways, "top1", ours),
        Heading("The culprit is among the first three"),
        _table(results, ways, "top3", ours),
    ]
    details: list[Part] = [
        Heading("First column named, among the rows that SLAD flags"),
        _table(results, ways, "flagged_top1", ours, "flagged"),
        Heading("How many of the other columns are blamed less (AUC of the culprit)"),
        _auc_table(results, ways, ours),
        Picture("rates", "How often the culprit is named first", lambda: draw(results, ways, ours)),
    ]
    if choice:
        details += [Heading("How the way was chosen, on other tables"), *_choice(choice, ways)]
    return Report(
        name="interpretation",
        title="Interpretation: do losses of subspaces name the culprit?",
        brief=brief,
        details=details,
        data={"rates": _rows(results)},
    )


def _results(records: Sequence[CaseRecord]) -> list[Result]:
    return [
        {**result, "dataset": record.case.removeprefix(CHOICE)}
        for record in records
        for result in record.result["results"]
    ]


def _of(results: Sequence[Result], way: Way, plant: str | None = None) -> list[Result]:
    return [
        each
        for each in results
        if (each["method"], each["groups"]) == way and plant in (None, each["plant"])
    ]


def _mean(results: Sequence[Result], way: Way, hits: str = "top1") -> float:
    """Over the kinds of culprits, each counting the same."""
    rates = [rate(_of(results, way, plant), hits) for plant in KINDS]
    return float(np.mean([each.mean for each in rates if each]))


def picked(choice: Sequence[Result], ways: Sequence[Way]) -> Way:
    """The way made of subspaces that names most culprits first on the tables of the choice."""
    able = [way for way in ways if way[0] not in PEERS and not way[0].endswith(UNTRAINED)]
    return max(able, key=lambda way: _mean(choice, way))


def _claims(
    results: Sequence[Result], choice: Sequence[Result], ways: Sequence[Way]
) -> list[Claim]:
    """Of all results of subspaces, and of the losses that the paper speaks of."""
    peers = {name: _mean(results, _peer(results, name)) for name in reversed(PEERS)}
    said = ", ".join(f"{name} {100 * value:.0f} %" for name, value in peers.items())
    losses = [way for way in ways if not way[0].startswith("scale")]
    found = []
    for text, among in ((DIRECTION, ways), (LOSSES, losses)):
        ours = picked(choice, among)
        own = _mean(results, ours)
        evidence = f"culprit named first, mean over kinds: {_name(ours)} {100 * own:.0f} %; {said}"
        found.append(Claim.judged(text, [own > value for value in peers.values()], evidence))
    return found


def _peer(results: Sequence[Result], name: str) -> Way:
    return next((each["method"], each["groups"]) for each in results if each["method"] == name)


def _name(way: Way) -> str:
    method, groups = way
    return method if method in PEERS or groups == 0 else f"{method}, {groups} groups"


def _about(judged: Sequence[CaseRecord], chosen: Sequence[CaseRecord], ours: Way) -> list[str]:
    names = ", ".join(record.case for record in judged)
    on = f"on {len(chosen)} other tables" if chosen else "on the same tables (a quick look)"
    return [
        f"{judged[0].settings['rows']} held-out normal rows of each table get a culprit planted in "
        "one column, as on the page culprits.md; all rows count, flagged or not. Percentages are "
        f"means over the tables, ± one standard error. Tables: {names}.",
        *(f"{plant}: {PLANTS[plant]}." for plant in KINDS),
        f"The way of the verdict, {_name(ours)}, is bold; it was picked {on}, by how often it "
        "names the culprit first.",
        "loss shares: a group's loss, handed out to all features of its subspaces. mean loss: the "
        "mean of the terms of the loss of the subspaces that hold a feature. contrast: less the "
        "mean of the others. regression: least squares of terms on who is held. calibrated: terms "
        "in units of their spread over training rows. scale: deviations of predicted scales from "
        "their usual values, in place of terms of the loss. untrained: the same with the weights "
        "that training starts from.",
        "Occlusion scores a row four times for each of its columns, ways made of subspaces once.",
    ]


def _table(
    results: Sequence[Result], ways: Sequence[Way], hits: str, ours: Way, of: str = "rows"
) -> Table:
    lines = []
    for way in ways:
        rates = [rate(_of(results, way, plant), hits, of) for plant in KINDS]
        cells = [Cell(str(each) if each else "–", way == ours) for each in rates]
        means = [each.mean for each in rates if each]
        mean = f"{100 * float(np.mean(means)):.0f}" if means else "–"
        lines.append([Cell(_name(way), way == ours), *cells, Cell(mean, way == ours)])
    return Table(["%", *KINDS, "mean"], lines, numbers=True)


def _auc_table(results: Sequence[Result], ways: Sequence[Way], ours: Way) -> Table:
    lines = []
    for way in ways:
        values = [np.mean([each["auc"] for each in _of(results, way, kind)]) for kind in KINDS]
        cells = [Cell(f"{value:.2f}", way == ours) for value in (*values, np.mean(values))]
        lines.append([Cell(_name(way), way == ours), *cells])
    return Table(["AUC", *KINDS, "mean"], lines, numbers=True)


def _choice(choice: Sequence[Result], ways: Sequence[Way]) -> list[Part]:
    datasets = ", ".join(dict.fromkeys(each["dataset"] for each in choice))
    lines = [
        plain([_name(way), *(rate(_of(choice, way, kind), "top1") or "–" for kind in KINDS),
               f"{100 * _mean(choice, way):.0f}"])
        for way in ways
    ]  # fmt: skip
    note = f"first column named, on {datasets}; none of these is in the tables above"
    return [Notes([note]), Table(["%", *KINDS, "mean"], lines, numbers=True)]


def _rows(results: Sequence[Result]) -> list[dict[str, Value]]:
    names = ("dataset", "plant", "method", "groups", "rows", "top1", "top3", "auc", "flagged",
             "flagged_top1")  # fmt: skip
    return [{name: result[name] for name in names} for result in results]


def draw(results: Sequence[Result], ways: Sequence[Way], ours: Way) -> Figure:
    """A dot for every way and kind of culprit."""
    order = sorted(ways, key=lambda way: _mean(results, way))
    figure = new_figure(9.0, 0.8 + 0.26 * len(order))
    axes = figure.subplots(1, len(KINDS), sharey=True)
    for axis, kind in zip(axes, KINDS, strict=True):
        for at, way in enumerate(order):
            found = rate(_of(results, way, kind), "top1")
            if found is None:
                continue
            colour = BLUE if way == ours else VERMILION if way[0] in PEERS else INK
            axis.plot([0, 100 * found.mean], [at, at], color=colour, lw=1, alpha=0.4)
            axis.errorbar(100 * found.mean, at, xerr=100 * found.error, fmt="o", color=colour, ms=5)
        axis.set_title(kind)
        axis.set_xlim(0, 104)
        axis.set_xticks([0, 50, 100])
        axis.grid(axis="x")
        axis.tick_params(axis="y", length=0)
        axis.spines["left"].set_visible(False)
    axes[0].set_yticks(range(len(order)), [_name(way) for way in order])
    for label, way in zip(axes[0].get_yticklabels(), order, strict=True):
        if way == ours:
            label.set(color=BLUE, fontweight="bold")
        elif way[0] in PEERS:
            label.set_color(VERMILION)
    figure.supxlabel(
        "culprit named first, %; blue: the way of the verdict; orange: not made of subspaces",
        fontsize=8,
        color=GREY,
    )
    return figure
