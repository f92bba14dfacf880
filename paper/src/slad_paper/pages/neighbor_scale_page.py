"""The tables of paper/docs/neighbor-scale.md, from the records of four studies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from slad.core.errors import DataError
from slad_paper.datasets.suite import task
from slad_paper.pages import statistics, tuning
from slad_paper.pages.blocks import filled, lines_of, rewrite
from slad_paper.pages.cases import read_cases
from slad_paper.pages.names import NEIGHBOR_SCALE as OURS
from slad_paper.pages.records import datasets, detectors, read
from slad_paper.pages.results import Results, gather
from slad_paper.pages.standings import standings_of
from slad_paper.pages.subspace_search import gather_cases
from slad_paper.runner.printed import METRICS

CONTROLS = {f"{OURS}[weighting={each}]": f"{each} weights" for each in ("equal", "random")}
SHOWN_SCORES = {
    "loss": "loss, the paper's score",
    "1-NN of scales": "1-NN of its scales",
    "committee: loss, 1-NN": "loss and 1-NN",
    "committee: loss, NeighborScale()": "loss and `NeighborScale()`",
    "NeighborScale()'s profile and loss": "in `NeighborScale()`'s profile",
}
EPOCHS = {
    "untrained": "none (`untrained`)",
    "epochs-3": "3 epochs (`epochs-3`)",
    "default": "10 epochs (`default`, slad's settings in 0.1)",
    "epochs-30": "30 epochs (`epochs-30`, `SLAD()` since 0.2)",
}
"""Variants that differ in the length of their training alone."""
RIVALS = 10
LOSSES = 10

Rows = Iterator[Sequence[str]]


def halvings(results: Path) -> Rows:
    """The results on one half of the suite of what was chosen on the other."""
    differences = [f"{title} ahead by" for title in METRICS.values()]
    yield "chosen", "times", *differences, "surely better", "surely worse"
    rows = tuning.report(read(results / "tuning")).data["halvings"]
    for name in sorted({str(row["chosen"]) for row in rows}):
        mine = [row for row in rows if row["chosen"] == name]
        sure = [float(row["sure"] or 0) for row in mine]
        yield (
            f"`{name}`",
            f"{len(mine)}",
            *(_span([float(row[f"{metric}_ahead"] or 0) for row in mine]) for metric in METRICS),
            *(f"{np.mean([each == side for each in sure]):.0%}" for side in (1, -1)),
        )


def _span(values: Sequence[float]) -> str:
    low, high = np.quantile(values, [0.05, 0.95])
    return f"{np.mean(values):+.3f} ({low:+.3f} to {high:+.3f})"


def controls(results: Path) -> Rows:
    """What learning adds, over the sources of the suite."""
    yield "learned weights against", "", "ahead by", "better : worse", "p"
    by_source = _by_source(results)
    names = [name for name in CONTROLS if all(name in here for here in by_source.values())]
    cells = [(name, metric) for name in names for metric in METRICS]
    differences = [_differences(by_source, OURS, name, metric) for name, metric in cells]
    p_values = statistics.holm([statistics.wilcoxon(each) for each in differences])
    for (name, metric), each, p in zip(cells, differences, p_values, strict=True):
        score = f"{(each > 0).sum()} : {(each < 0).sum()}"
        yield CONTROLS[name], METRICS[metric], f"{each.mean():+.4f}", score, chance(p)


def suite(results: Path) -> Rows:
    """Means over the sources."""
    yield "detector", *METRICS.values()
    by_source = _by_source(results)
    names = list(next(iter(by_source.values())))
    means = {
        name: [
            np.mean([here[name].mean(metric) for here in by_source.values()]) for metric in METRICS
        ]
        for name in names
    }
    for name in sorted(names, key=lambda name: -sum(means[name])):
        yield f"`{name}`", *(f"{value:.3f}" for value in means[name])


def adbench(results: Path, ours: str = OURS) -> Rows:
    """The best on ADBench, and whether they differ from ours, two by two."""
    columns = [word for title in METRICS.values() for word in (f"{title}, mean", "rank", "p")]
    yield "detector", *columns
    records = read(results / "adbench")
    names, sets = detectors(records), datasets(records)
    by_set = {name: gather(records, [name]) for name in sets}
    ranked = [each for each in sets if all(by_set[each][name].ok for name in names)]
    found: dict[str, list[str]] = {name: [] for name in names}
    order: dict[str, float] = dict.fromkeys(names, 0.0)
    for metric in METRICS:
        ranks = standings_of(metric, names, ranked, by_set).ranks
        for name in names:
            mean = np.mean([by_set[each][name].mean(metric) for each in ranked])
            some = {each: by_set[each] for each in ranked}
            p = (
                ""
                if name == ours
                else chance(statistics.wilcoxon(_differences(some, ours, name, metric)))
            )
            found[name] += [f"{mean:.3f}", f"{ranks[name]:.2f}", p]
            order[name] += ranks[name]
    for name in sorted(names, key=order.__getitem__)[:RIVALS]:
        yield f"`{name}`", *found[name]


def losses(results: Path, ours: str = OURS) -> Rows:
    """Where most is lost on ADBench, and to whom."""
    yield "dataset", f"`{ours}`", "best", "AUC-ROC of it", "`knn-1`"
    records = read(results / "adbench")
    by_set = {name: gather(records, [name]) for name in datasets(records)}
    gaps = []
    for name, here in by_set.items():
        values = {each: result.mean("auc_roc") for each, result in here.items() if result.ok}
        best = max(values, key=values.__getitem__)
        gaps.append((values[best] - values[ours], name, best, values))
    for _, name, best, values in sorted(gaps, reverse=True)[:LOSSES]:
        shown = [f"{values[each]:.3f}" for each in (ours, best, "knn-1")]
        yield name, shown[0], f"`{best}`", shown[1], shown[2]


def subspaces(results: Path) -> Rows:
    """Variants of the paper's method, under some of their scores: AUC-ROC, AUC-PR."""
    yield "variant", *SHOWN_SCORES.values()
    means = _subspace_means(results)
    variants = dict.fromkeys(variant for variant, _ in means)
    for variant in sorted(variants, key=lambda each: -sum(means[each, "loss"])):
        yield (
            f"`{variant}`",
            *(", ".join(f"{each:.3f}" for each in means[variant, score]) for score in SHOWN_SCORES),
        )


def epochs(results: Path) -> Rows:
    """The paper's score after shorter and longer training, and its places of all variants."""
    yield "training", *METRICS.values(), "places"
    means = {
        variant: mean
        for (variant, score), mean in _subspace_means(results).items()
        if score == "loss"
    }
    for variant, title in EPOCHS.items():
        places = [
            1 + sum(mean[at] > means[variant][at] for mean in means.values())
            for at in range(len(METRICS))
        ]
        shown = " and ".join(map(str, places))
        yield title, *(f"{each:.3f}" for each in means[variant]), f"{shown} of {len(means)}"


def log(results: Path) -> Rows:
    """Every variant of the search, stage by stage."""
    yield "variant", *METRICS.values(), "tasks"
    for stage in _search(results)["stages"]:
        yield f"**{stage['what']}**", "", "", f"{stage['tasks']}"
        for each in stage["variants"]:
            yield each["name"], f"{each['auc_roc']:.4f}", f"{each['auc_pr']:.4f}", ""


TABLES: dict[str, Callable[[Path], Rows]] = {
    each.__name__: each
    for each in (suite, halvings, controls, adbench, losses, epochs, subspaces, log)
}


def table(results: Path, name: str) -> list[str]:
    """The lines of a table."""
    if name not in TABLES:
        raise DataError(f"no table {name!r} on this page; its tables are: {', '.join(TABLES)}")
    return lines_of(TABLES[name](results))


def _subspace_means(results: Path) -> dict[tuple[str, str], list[float]]:
    """Variant and score -> means of the metrics."""
    found = gather_cases(read_cases(results / "subspace-search"))
    return {
        key: [float(values[metric].mean()) for metric in METRICS]
        for key, values in found.variants.items()
    }


def _search(results: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((results / "search" / "variants.json").read_text("utf-8"))
    stages: dict[str, Any] = found["result"]
    return stages


def _by_source(results: Path) -> Results:
    records = read(results / "tuning")
    sources: dict[str, list[str]] = {}
    for name in datasets(records):
        sources.setdefault(task(name).source, []).append(name)
    return {source: gather(records, names) for source, names in sources.items()}


def _differences(results: Results, one: str, other: str, metric: str) -> np.ndarray:
    differences = [here[one].mean(metric) - here[other].mean(metric) for here in results.values()]
    return np.round(differences, statistics.DIGITS)


def chance(value: float) -> str:
    """A p-value in words."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def build(root: Path) -> None:
    """Write the tables of the page anew."""
    results = root / "paper" / "results"
    rewrite(
        root / "paper" / "docs" / "neighbor-scale.md",
        lambda page: filled(page, partial(table, results)),
    )
