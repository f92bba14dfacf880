"""The page on time series: scale learning against others on the same windows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import Claim, claims_table
from slad_paper.pages.document import Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.pictures import BLUE, GREY, INK, VERMILION, Axes, Figure, panels
from slad_paper.pages.records import natural
from slad_paper.pages.statistics import SIGNIFICANCE, friedman, ranks
from slad_paper.pages.tables import comparison, marked, table

METRICS = {
    "auc_pr": "AUC-PR",
    "auc_roc": "AUC-ROC",
    "vus_pr": "VUS-PR",
    "vus_roc": "VUS-ROC",
    "affiliation_f1": "affiliation F1",
}
OURS, NAIVE, CHANCE = "SLADSeries", "SLAD, windows as rows", "chance"
RIVALS = ("knn-5", "iforest", "pca")
CHOICE = "choice-"
DIRECTION = (
    "SLAD can be extended to handle other data types like time series ... by defining appropriate "
    "sampling operation, the transformation function, and the labeling function (Future Directions)"
)
WORTH = "asked here: and is it then better than plain detectors on the same windows?"


@dataclass(frozen=True)
class Dataset:
    """A series, or all files of SKAB, with the values of every detector and metric."""

    name: str
    files: Sequence[Mapping[str, Any]]

    @property
    def detectors(self) -> list[str]:
        return list(self.files[0]["results"])

    def values(self, detector: str, metric: str) -> np.ndarray:
        """One value for each seed: the mean over the files."""
        runs = [[run[metric] for run in file["results"][detector]] for file in self.files]
        means: np.ndarray = np.asarray(runs, dtype=float).mean(axis=0)
        return means

    def mean(self, detector: str, metric: str) -> float:
        return float(self.values(detector, metric).mean())

    def shown(self, detector: str, metric: str) -> str:
        values = self.values(detector, metric)
        return f"{values.mean():.3f}" + (f" ± {values.std():.3f}" if len(values) > 1 else "")


def report(records: Sequence[CaseRecord]) -> Report:
    ordered = sorted(records, key=lambda record: natural(record.case))
    found = [
        Dataset(record.case, record.result["series"])
        for record in ordered
        if not record.case.startswith(CHOICE)
    ]
    choices = [record for record in ordered if record.case.startswith(CHOICE)]
    names = found[0].detectors
    places = {metric: _places(found, names, metric) for metric in METRICS}
    settings = next(r.settings for r in ordered if not r.case.startswith(CHOICE))
    brief: list[Part] = [
        claims_table(_claims(found, places)),
        Heading("Who wins: average ranks"),
        _ranks(places, len(found)),
        Notes([*_who(places), _test(found, names)]),
        Heading("AUC-PR of single points"),
        _table(found, names, "auc_pr"),
        Notes(_about(settings)),
    ]
    details: list[Part] = []
    for metric, title in METRICS.items():
        if metric != "auc_pr":
            details += [Heading(title), _table(found, names, metric)]
    details += [*_choice(choices), *_pictures(found)]
    details += [Heading("Every series"), *_each(found)]
    return Report(
        name="series",
        title="Time series: scale learning on windows",
        brief=brief,
        details=details,
        data={"cells": _cells(found)},
    )


def _places(found: Sequence[Dataset], names: Sequence[str], metric: str) -> dict[str, float]:
    """The average rank of every detector but chance."""
    ranked = [name for name in names if name != CHANCE]
    values = np.array([[each.mean(name, metric) for name in ranked] for each in found])
    return dict(zip(ranked, map(float, ranks(values).mean(axis=0)), strict=True))


def _claims(found: Sequence[Dataset], places: Mapping[str, Mapping[str, float]]) -> list[Claim]:
    """Whether the method extends, so that it beats chance, and whether it is then worth using."""
    above = [each.mean(OURS, "auc_pr") > each.mean(CHANCE, "auc_pr") for each in found]
    beaten = {name: sum(mine[OURS] < mine[name] for mine in places.values()) for name in RIVALS}
    words = ", ".join(f"{name} under {count}" for name, count in beaten.items())
    better = [count > len(places) / 2 for count in beaten.values()]
    return [
        Claim.checked(DIRECTION, above, f"AUC-PR above chance on {sum(above)} of {len(above)}"),
        Claim.checked(
            WORTH, better, f"a better average rank, of {len(places)} metrics, than {words}"
        ),
    ]


def _ranks(places: Mapping[str, Mapping[str, float]], count: int) -> Table:
    names = sorted(places["auc_pr"], key=lambda name: places["auc_pr"][name])
    values = {name: [mine[name] for mine in places.values()] for name in names}
    header = [f"rank over {count}", *METRICS.values()]
    return comparison(header, values, digits=2, lowest=True)


def _who(places: Mapping[str, Mapping[str, float]]) -> list[str]:
    lines = []
    for metric, mine in places.items():
        best = min(mine, key=lambda name: mine[name])
        ours = 1 + sum(place < mine[OURS] for place in mine.values())
        lines.append(f"{METRICS[metric]}: {best} is first; {OURS} is number {ours} of {len(mine)}.")
    ahead = [METRICS[metric] for metric, mine in places.items() if mine[OURS] < mine[NAIVE]]
    lines.append(
        f"{OURS} is ahead of SLAD that takes windows for rows of a table under "
        f"{', '.join(ahead) or 'no metric'}."
    )
    return lines


def _test(found: Sequence[Dataset], names: Sequence[str]) -> str:
    """Whether so few series can tell the detectors apart at all."""
    ranked = [name for name in names if name != CHANCE]
    test = friedman(np.array([[each.mean(name, "auc_pr") for name in ranked] for each in found]))
    if test is None:
        return "Friedman's test needs two series or more: not made."
    verdict = "differ" if test[1] < SIGNIFICANCE else "cannot be told apart"
    return (
        f"Friedman's test of AUC-PR: p = {test[1]:.3f}; average ranks {verdict} at {SIGNIFICANCE}."
    )


def _about(settings: Mapping[str, Any]) -> list[str]:
    return [
        f"Windows of {settings['window']} points, at most about {settings['windows']:,} of them "
        f"train (the same for all detectors); {len(settings['seeds'])} seeds, ± their standard "
        "deviation. A point's score is the mean of those of its windows.",
        f"Fitted on the first {1 - settings['held_out']:.0%} of the part of a series that trains. "
        f"Alarms of the affiliation metrics are scores above {settings['quantile']:.0%} of the "
        "rest of it: no label has a say.",
        "skab is the mean of its files, and counts once. VUS: areas under range-aware curves, "
        "averaged over buffers of 0 to 100 points (Paparrizos et al. 2022). Affiliation: Huet et "
        "al. 2022. There is no point adjustment anywhere.",
        "z-scores: the largest deviation of any channel, no windows. chance: random numbers, not "
        "ranked; what they reach is what a metric gives for nothing.",
    ]


def _table(found: Sequence[Dataset], names: Sequence[str], metric: str) -> Table:
    rows = []
    for each in found:
        means = [each.mean(name, metric) for name in names]
        rows.append([each.name, *marked(means, [each.shown(name, metric) for name in names])])
    return table(["series", *names], rows, numbers=True)


def _choice(records: Sequence[CaseRecord]) -> list[Part]:
    """How subspaces were chosen, without a label of the part that tests."""
    if not records:
        return []
    of_files = [file["results"] for record in records for file in record.result["series"]]
    kinds = list(next(iter(of_files[0].values())))
    lines = []
    for way in of_files[0]:
        values = np.array([[results[way][kind] for kind in kinds] for results in of_files])
        lines.append([way, *(f"{v:.3f}" for v in (*values.mean(axis=0), values.mean()))])
    note = (
        f"AUC-ROC of points with faults planted in the held-out fifth of the parts that train of "
        f"{len(of_files)} series: channels that stick, that have values of another time, that "
        "move, that are noisy. spans: some channels over points that follow each other; lags: "
        "some channels at any points; cells: any cells of a window. A channel over a window "
        "weighs as one feature, but in the last line. The first is the default."
    )
    return [
        Heading("How subspaces were chosen, without labels"),
        table(["way", *kinds, "mean"], lines, numbers=True),
        Notes([note]),
    ]


def _pictures(found: Sequence[Dataset]) -> list[Part]:
    """The scores of the first series that has them."""
    for file in (file for each in found for file in each.files if file["picture"]):
        caption = f"Scores over the part of {file['name']} that tests, and its events"
        draw = partial(draw_scores, file)
        return [Heading(f"Scores over time: {file['name']}"), Picture("scores", caption, draw)]
    return []


def _each(found: Sequence[Dataset]) -> list[Part]:
    """A table for each series: detectors by metrics."""
    shown = {**METRICS, "affiliation_precision": "precision", "affiliation_recall": "recall"}
    header = ["detector", *shown.values(), "alarms", "seconds"]
    parts: list[Part] = []
    for each in found:
        first = each.files[0]
        size = (
            f"{each.name}: {len(each.files)} files"
            if len(each.files) > 1
            else f"{each.name}: {first['channels']} channels, {first['train']:,} points train, "
            f"{first['test']:,} test with {first['anomalies']:,} anomalous ones in "
            f"{first['events']} events"
        )
        lines = [
            [
                *(name, *(f"{each.mean(name, metric):.3f}" for metric in shown)),
                *(f"{each.mean(name, 'alarms'):.1%}", f"{each.mean(name, 'seconds'):.1f}"),
            ]
            for name in each.detectors
        ]
        parts += [Notes([size]), table(header, lines, numbers=True)]
    return parts


def _cells(found: Sequence[Dataset]) -> list[dict[str, Value]]:
    names = ("seed", *METRICS, "affiliation_precision", "affiliation_recall", "alarms")
    return [
        {"series": file["name"], "detector": detector} | {name: run[name] for name in names}
        for each in found
        for file in each.files
        for detector in each.detectors
        for run in file["results"][detector]
    ]


# -- picture ---------------------------------------------------------------------------------------

TOP = 99.5
"""The axis ends at this percentile of the scores, so that one wild score does not flatten them."""
X_LABEL = "time point of the part that tests; shaded: events; dashed: threshold of alarms"


def draw_scores(series: Mapping[str, Any]) -> Figure:
    """A strip for every detector but chance: its scores, its threshold dashed, events shaded."""
    picture = series["picture"]
    drawn = {name: values for name, values in picture["scores"].items() if name != CHANCE}
    labels = np.asarray(picture["labels"]) > 0
    at = np.linspace(0, series["test"], len(labels))
    figure, axes = panels(len(drawn), 1, (9.6, 1.0), (0, 0.6), sharex=True)
    for axis, (name, values) in zip(axes, drawn.items(), strict=True):
        *scores, threshold = values
        colour = BLUE if name == OURS else INK
        _strip(axis, at, np.asarray(scores), threshold, labels, colour)
        axis.set_title(name, color=colour, fontsize=9)
    axes[-1].set_xlabel(X_LABEL, color=GREY, fontsize=8)
    return figure


def _strip(
    axis: Axes,
    at: np.ndarray,
    scores: np.ndarray,
    threshold: float,
    labels: np.ndarray,
    colour: str,
) -> None:
    low, high = float(scores.min()), float(np.percentile(scores, TOP))
    high = max(high, 1.05 * threshold)
    axis.fill_between(at, low, high, where=labels, color=GREY, alpha=0.45, step="mid", lw=0)
    axis.plot(at, np.minimum(scores, high), color=colour, lw=0.8)
    axis.axhline(threshold, color=VERMILION, lw=1, ls=(0, (4, 3)))
    axis.set_ylim(low, high)
    axis.set_xlim(at[0], at[-1])
    axis.set_yticks([])
    axis.spines["left"].set_visible(False)
