"""The tables of docs/accuracy.md, from the records; its words stay as they are.

python -m slad_paper.pages.accuracy_page    # of results/tuning, adbench, subspace-search and search
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from slad.core.errors import DataError
from slad_paper.datasets.suite import task
from slad_paper.pages import statistics, tuning
from slad_paper.pages.blocks import lines_of, write
from slad_paper.pages.cases import read_cases
from slad_paper.pages.records import datasets, detectors, read
from slad_paper.pages.results import Result, gather
from slad_paper.pages.standings import standings_of
from slad_paper.pages.subspace_search import gather_cases
from slad_paper.runner.printed import METRICS

OURS = "slad"
CONTROLS = {"slad[weighting=equal]": "equal weights", "slad[weighting=random]": "random weights"}
SHOWN_SCORES = {
    "loss": "loss, the paper's score",
    "1-NN of scales": "1-NN of its scales",
    "committee: loss, 1-NN": "loss and 1-NN",
    "committee: loss, SLAD()": "loss and `SLAD()`",
    "SLAD()'s profile and loss": "in `SLAD()`'s profile",
}
RIVALS = 10
LOSSES = 10

Rows = Iterator[Sequence[str]]
Results = Mapping[str, Mapping[str, Result]]


def halvings(results: Path) -> Rows:
    """How what was chosen on one half of the suite did on the other."""
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
        yield CONTROLS[name], METRICS[metric], f"{each.mean():+.4f}", score, _p(p)


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


def adbench(results: Path) -> Rows:
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
        standing = standings_of(metric, names, ranked, by_set)
        ranks = dict(zip(standing.names, standing.average, strict=True))
        for name in names:
            mean = np.mean([by_set[each][name].mean(metric) for each in ranked])
            some = {each: by_set[each] for each in ranked}
            p = (
                ""
                if name == OURS
                else _p(statistics.wilcoxon(_differences(some, OURS, name, metric)))
            )
            found[name] += [f"{mean:.3f}", f"{ranks[name]:.2f}", p]
            order[name] += ranks[name]
    for name in sorted(names, key=order.__getitem__)[:RIVALS]:
        yield f"`{name}`", *found[name]


def losses(results: Path) -> Rows:
    """Where most is lost on ADBench, and to whom."""
    yield "dataset", "`slad`", "best", "AUC-ROC of it", "`knn-1`"
    records = read(results / "adbench")
    by_set = {name: gather(records, [name]) for name in datasets(records)}
    gaps = []
    for name, here in by_set.items():
        values = {each: result.mean("auc_roc") for each, result in here.items() if result.ok}
        best = max(values, key=values.__getitem__)
        gaps.append((values[best] - values[OURS], name, best, values))
    for _, name, best, values in sorted(gaps, reverse=True)[:LOSSES]:
        shown = [f"{values[each]:.3f}" for each in (OURS, best, "knn-1")]
        yield name, shown[0], f"`{best}`", shown[1], shown[2]


def subspaces(results: Path) -> Rows:
    """Variants of the paper's method, under some of their scores: AUC-ROC, AUC-PR."""
    yield "variant", *SHOWN_SCORES.values()
    found = gather_cases(read_cases(results / "subspace-search"))
    means = {
        key: [float(values[metric].mean()) for metric in METRICS]
        for key, values in found.variants.items()
    }
    variants = dict.fromkeys(variant for variant, _ in means)
    for variant in sorted(variants, key=lambda each: -sum(means[each, "loss"])):
        yield (
            f"`{variant}`",
            *(", ".join(f"{each:.3f}" for each in means[variant, score]) for score in SHOWN_SCORES),
        )


def log(results: Path) -> Rows:
    """Every variant of the search, stage by stage."""
    yield "variant", *METRICS.values(), "tasks"
    for stage in _search(results)["stages"]:
        yield f"**{stage['what']}**", "", "", f"{stage['tasks']}"
        for each in stage["variants"]:
            yield each["name"], f"{each['auc_roc']:.4f}", f"{each['auc_pr']:.4f}", ""


TABLES: dict[str, Callable[[Path], Rows]] = {
    each.__name__: each for each in (suite, halvings, controls, adbench, losses, subspaces, log)
}


def table(results: Path, name: str) -> list[str]:
    """The lines of a table."""
    if name not in TABLES:
        raise DataError(f"there is no table {name!r}; there are: {', '.join(TABLES)}")
    return lines_of(TABLES[name](results))


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


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="The tables of docs/accuracy.md.")
    parser.add_argument("--page", type=Path, default=Path("docs/accuracy.md"))
    parser.add_argument("--results", type=Path, default=Path("results"))
    options = parser.parse_args()
    write(options.page, partial(table, options.results))


if __name__ == "__main__":
    main()
