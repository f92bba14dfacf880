"""The page on losses of subspaces as explanations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from slad_paper.pages import pictures
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import Claim, claims_table
from slad_paper.pages.culprits import PLANTS, rate
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.records import natural
from slad_paper.pages.tables import NOTHING, table

Result = dict[str, Any]
Way = tuple[str, int]
"""A method, and the number of groups of subspaces it uses (0: none)."""

CHOICE, UNTRAINED = "choice-", "untrained"
PEERS = ("occlusion", "z-scores", "chance")
"""Ways that do not use subspaces."""
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
    evaluated = [record for record in ordered if not record.case.startswith(CHOICE)]
    chosen = [record for record in ordered if record.case.startswith(CHOICE)]
    results, choice = _results(evaluated), _results(chosen)
    ways = list(dict.fromkeys((each["method"], each["groups"]) for each in results))
    ours = picked(choice or results, ways)
    brief: list[Part] = [
        claims_table(_claims(results, choice or results, ways)),
        Notes(_about(evaluated, chosen, ours)),
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
) -> Iterator[Claim]:
    """About all results of subspaces, and about the losses that the paper speaks of."""
    peers = {name: _mean(results, _peer(results, name)) for name in reversed(PEERS)}
    others = ", ".join(f"{name} {100 * value:.0f} %" for name, value in peers.items())
    losses = [way for way in ways if not way[0].startswith("scale")]
    for text, among in ((DIRECTION, ways), (LOSSES, losses)):
        ours = picked(choice, among)
        own = _mean(results, ours)
        evidence = (
            f"culprit named first, mean over kinds: {_name(ours)} {100 * own:.0f} %; {others}"
        )
        yield Claim.checked(text, [own > value for value in peers.values()], evidence)


def _peer(results: Sequence[Result], name: str) -> Way:
    return next((each["method"], each["groups"]) for each in results if each["method"] == name)


def _name(way: Way) -> str:
    method, groups = way
    return method if method in PEERS or groups == 0 else f"{method}, {groups} groups"


def _about(evaluated: Sequence[CaseRecord], chosen: Sequence[CaseRecord], ours: Way) -> list[str]:
    names = ", ".join(record.case for record in evaluated)
    on = f"on {len(chosen)} other tables" if chosen else "on the same tables (a quick look)"
    return [
        f"{evaluated[0].settings['rows']} held-out normal rows of each table get a culprit planted "
        "in one column, as on the page culprits.md; all rows count, flagged or not. Percentages "
        f"are means over the tables, ± one standard error. Tables: {names}.",
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
    results: Sequence[Result], ways: Sequence[Way], hits: str, ours: Way | None, of: str = "rows"
) -> Table:
    def cells(way: Way) -> list[str]:
        rates = [rate(_of(results, way, plant), hits, of) for plant in KINDS]
        means = [each.mean for each in rates if each]
        mean = f"{100 * float(np.mean(means)):.0f}" if means else NOTHING
        return [*(str(each or NOTHING) for each in rates), mean]

    return _by_way("%", ways, ours, cells)


def _auc_table(results: Sequence[Result], ways: Sequence[Way], ours: Way) -> Table:
    def cells(way: Way) -> list[str]:
        values = [np.mean([each["auc"] for each in _of(results, way, kind)]) for kind in KINDS]
        return [f"{value:.2f}" for value in (*values, np.mean(values))]

    return _by_way("AUC", ways, ours, cells)


def _by_way(
    unit: str, ways: Sequence[Way], ours: Way | None, cells: Callable[[Way], list[str]]
) -> Table:
    """A row for each way; ours is marked."""
    rows = ([Cell(text, way == ours) for text in (_name(way), *cells(way))] for way in ways)
    return table([unit, *KINDS, "mean"], rows, numbers=True)


def _choice(choice: Sequence[Result], ways: Sequence[Way]) -> list[Part]:
    datasets = ", ".join(dict.fromkeys(each["dataset"] for each in choice))
    note = f"first column named, on {datasets}; none of these is in the tables above"
    return [Notes([note]), _table(choice, ways, "top1", None)]


def _rows(results: Sequence[Result]) -> list[dict[str, Value]]:
    names = ("dataset", "plant", "method", "groups", "rows", "top1", "top3", "auc", "flagged",
             "flagged_top1")  # fmt: skip
    return [{name: result[name] for name in names} for result in results]


def draw(results: Sequence[Result], ways: Sequence[Way], ours: Way) -> pictures.Figure:
    """A dot for every way and kind of culprit."""
    order = sorted(ways, key=lambda way: -_mean(results, way))
    colours = {
        _name(way): pictures.BLUE
        if way == ours
        else pictures.VERMILION
        if way[0] in PEERS
        else pictures.INK
        for way in order
    }
    size = (9.0 / len(KINDS), 0.8 + 0.26 * len(order))
    figure, axes = pictures.panels(len(KINDS), len(KINDS), size, sharey=True)
    for axis, kind in zip(axes, KINDS, strict=True):
        pictures.named_rows(axis, list(colours))
        for at, (way, colour) in enumerate(zip(order, colours.values(), strict=True)):
            if found := rate(_of(results, way, kind), "top1"):
                mean, error = 100 * found.mean, 100 * found.error
                axis.plot([0, mean], [at, at], color=colour, lw=1, alpha=0.4)
                axis.errorbar(mean, at, xerr=error, fmt="o", color=colour, ms=5)
        axis.set_title(kind)
        axis.set_xlim(0, 104)
        axis.set_xticks([0, 50, 100])
    pictures.accent_names(axes[0], colours)
    figure.supxlabel(
        "culprit named first, %; blue: the way of the verdict; orange: ways without subspaces",
        fontsize=8,
        color=pictures.GREY,
    )
    return figure
