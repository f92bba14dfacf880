"""The page on scales as features for classifiers with few labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import Claim, claims_table
from slad_paper.pages.document import Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.pictures import BLUE, GREY, INK, VERMILION, Figure, one_legend, panels
from slad_paper.pages.tables import long, marked, table

RAW, OURS, UNTRAINED = "raw", "scales", "untrained"
ORDER = ("wine", "breast-cancer", "digits", "fashion-mnist")
SURE = 2
"""A mean difference beyond so many standard errors counts."""
STYLES = {RAW: (INK, "-"), OURS: (BLUE, "-"), UNTRAINED: (VERMILION, "--")}
DIRECTION = (
    "scale learning contributes a self-supervised strategy to other tasks like representation "
    "learning in tabular data (introduction; Future Directions, i)"
)
WHY = (
    "Why training can do harm: the label of a subspace is the same for every row, so a network "
    "that has learned its task perfectly predicts the same scales for all rows. What tells rows "
    "apart is what it gets wrong. That serves to find strange rows, and not to tell usual ones "
    "from each other."
)


@dataclass(frozen=True)
class Setting:
    """A table, a classifier and a number of labels, with the accuracies of every split."""

    table: str
    classifier: str
    labels: int
    accuracy: Mapping[str, np.ndarray]
    """By features."""

    @property
    def name(self) -> str:
        return f"{self.table}, {self.classifier}, {self.labels}"

    def mean(self, features: str) -> float:
        return 100 * float(self.accuracy[features].mean())

    def shown(self, features: str) -> str:
        values = 100 * self.accuracy[features]
        return f"{values.mean():.1f} ± {_error(values):.1f}"

    def better(self, features: str, than: str) -> tuple[float, float]:
        """The mean difference over splits, and its standard error."""
        differences = 100 * (self.accuracy[features] - self.accuracy[than])
        return float(differences.mean()), _error(differences)


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 else 0.0


def report(records: Sequence[CaseRecord]) -> Report:
    known = [name for name in ORDER for record in records if record.case == name]
    by_name = {record.case: record for record in records}
    settings = [setting for name in known for setting in _settings(by_name[name])]
    features = list(settings[0].accuracy)
    brief: list[Part] = [
        claims_table([_claim(settings)]),
        Heading("Accuracy in percent"),
        _table(settings, features),
        Notes(_about(by_name[known[0]].settings, records)),
        Heading(f"Where {OURS} differ from the others"),
        _differences(settings),
        Notes([_means(settings, features), WHY]),
    ]
    caption = "Accuracy over the number of labels, by table and classifier"
    picture = Picture("accuracy", caption, partial(draw, settings))
    return Report(
        name="representation",
        title="Representations: are predicted scales good features?",
        brief=brief,
        details=[picture],
        data={"cells": _cells(settings, features)},
    )


def _settings(record: CaseRecord) -> Iterator[Setting]:
    accuracy: Mapping[str, Any] = record.result["accuracy"]
    for classifier, by_labels in accuracy[RAW].items():
        for labels in by_labels:
            found = {name: np.array(each[classifier][labels]) for name, each in accuracy.items()}
            yield Setting(record.case, classifier, int(labels), found)


def _claim(settings: Sequence[Setting]) -> Claim:
    parts, words = [], []
    for other in (RAW, UNTRAINED):
        above, below = _counts(settings, other)
        parts.append(above > len(settings) / 2)
        words.append(f"{other}: better in {above}, worse in {below}")
    evidence = (
        f"of {len(settings)} settings (table, classifier, labels), {OURS} against "
        f"{'; against '.join(words)} (beyond {SURE} standard errors)"
    )
    return Claim.checked(DIRECTION, parts, evidence)


def _counts(settings: Sequence[Setting], other: str) -> tuple[int, int]:
    pairs = [setting.better(OURS, other) for setting in settings]
    above = sum(mean > SURE * error for mean, error in pairs if mean)
    return above, sum(mean < -SURE * error for mean, error in pairs if mean)


def _about(settings: Mapping[str, Any], records: Sequence[CaseRecord]) -> list[str]:
    sizes = "; ".join(
        f"{each.case} {each.result['rows']:,} x {each.result['columns']}, "
        f"{each.result['classes']} classes, {each.settings['repeats']} splits"
        + (f" of {each.settings['rows']:,} rows" if each.settings["rows"] else "")
        for each in sorted(records, key=lambda record: ORDER.index(record.case))
    )
    return [
        "raw: the columns. scales: what SLAD predicts for each of its 200 subspaces, fitted on one "
        "half of the rows without their labels (SLAD.transform). long training: the same after "
        f"{settings['longer']} epochs instead of 10. untrained: the same subspaces, maps and "
        "initial weights, and no training. All are standardised by the rows of that half.",
        "A classifier sees so many labelled rows of each class of that half and is evaluated on "
        "the other half; ± one standard error over splits, which are the same for all features. "
        "More labels than the smallest class of that half has are left out.",
        f"Tables: {sizes}.",
    ]


def _table(settings: Sequence[Setting], features: Sequence[str]) -> Table:
    rows = (
        [each.name, *marked([*map(each.mean, features)], [*map(each.shown, features)], digits=1)]
        for each in settings
    )
    return table(["table, classifier, labels a class", *features], rows, numbers=True)


def _differences(settings: Sequence[Setting]) -> Table:
    lines = []
    for other in (RAW, UNTRAINED):
        pairs = [setting.better(OURS, other)[0] for setting in settings]
        above, below = _counts(settings, other)
        shown = [f"{value:+.1f}" for value in (np.mean(pairs), min(pairs), max(pairs))]
        lines.append([other, *shown, above, len(settings) - above - below, below])
    header = ["scales minus", "mean", "least", "most", "better", "unsure", "worse"]
    return table(header, lines, numbers=True)


def _means(settings: Sequence[Setting], features: Sequence[str]) -> str:
    means = {name: float(np.mean([each.mean(name) for each in settings])) for name in features}
    ordered = sorted(means, key=lambda name: -means[name])
    return "Means over all settings: " + ", ".join(f"{name} {means[name]:.1f}" for name in ordered)


def _cells(settings: Sequence[Setting], features: Sequence[str]) -> list[dict[str, Value]]:
    return long(
        "table classifier labels features splits accuracy error",
        (
            (
                *(setting.table, setting.classifier, setting.labels, name),
                *(len(values), values.mean(), _error(values)),
            )
            for setting in settings
            for name, values in setting.accuracy.items()
            if name in features
        ),
    )


def draw(settings: Sequence[Setting]) -> Figure:
    """Accuracy over labels: a panel for each table and classifier."""
    tables = list(dict.fromkeys(setting.table for setting in settings))
    kinds = list(dict.fromkeys(setting.classifier for setting in settings))
    count = len(tables)
    figure, axes = panels(len(kinds) * count, count, (2.4, 2.1), (0, 0.6))
    for axis, (kind, of) in zip(axes, product(kinds, tables), strict=True):
        mine = [each for each in settings if (each.table, each.classifier) == (of, kind)]
        labels = [each.labels for each in mine]
        for name, (colour, line) in STYLES.items():
            values = [100 * each.accuracy[name] for each in mine]
            means, errors = [each.mean() for each in values], [_error(each) for each in values]
            look: dict[str, Any] = {
                "color": colour,
                "ls": line,
                "marker": "o",
                "ms": 3,
                "lw": 1.2,
                "capsize": 2,
            }
            axis.errorbar(labels, means, errors, label=name, **look)
        axis.set_xscale("log")
        axis.set_xticks([5, 20, 100], ["5", "20", "100"])
        axis.minorticks_off()
        axis.set_xlim(4, 125)
        axis.set_title(f"{of}, {kind}", fontsize=9)
        axis.grid(axis="y")
    figure.supxlabel("labelled rows of each class", fontsize=8, color=GREY)
    figure.supylabel("accuracy, %", fontsize=8, color=GREY)
    one_legend(figure, axes, loc="outside upper center", ncols=len(STYLES))
    return figure
