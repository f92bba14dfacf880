"""Repeated halvings of the tuning suite: chosen on one half, evaluated on the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slad_paper.pages import statistics
from slad_paper.pages.document import Notes, Part, Value
from slad_paper.pages.tables import long, table
from slad_paper.runner.halving import Halving
from slad_paper.runner.printed import METRICS


@dataclass(frozen=True)
class Comparison:
    """A halving with the tests of its differences."""

    halving: Halving
    p_values: Mapping[str, float]
    """Of Wilcoxon's signed-rank test over the evaluating sources, by metric."""
    sure: int
    """1 or -1 where the chosen one is surely better or worse than the reference, else 0."""

    def ahead(self, metric: str) -> float:
        return float(self.halving.differences[metric].mean())


def compared(halving: Halving) -> Comparison:
    """Sure is what differs after Holm's correction in one metric or both, in one direction."""
    differences = {
        metric: np.round(each, statistics.DIGITS) for metric, each in halving.differences.items()
    }
    p_values = {metric: statistics.wilcoxon(each) for metric, each in differences.items()}
    corrected = statistics.holm(list(p_values.values()))
    signs = {
        int(np.sign(each.mean()))
        for each, p in zip(differences.values(), corrected, strict=True)
        if p < statistics.SIGNIFICANCE
    }
    return Comparison(halving, p_values, signs.pop() if len(signs) == 1 else 0)


def halving_parts(every: Sequence[Comparison]) -> list[Part]:
    """A row for each candidate that was chosen, and one for all of them."""
    halvings = [each.halving for each in every]
    rows = [_row("whatever was chosen", every)]
    for name, _ in Counter(each.chosen for each in halvings).most_common():
        rows.append(_row(name, [each for each in every if each.halving.chosen == name]))
    differences = [f"{title} ahead by" for title in METRICS.values()]
    header = ["chosen", "times", *differences, "surely better", "surely worse"]
    against = Counter(each.reference for each in halvings).most_common()
    notes = [
        f"{len(halvings)} halvings of {len(halvings[0].choosing) + len(halvings[0].confirming)} "
        "sources; chosen by the mean of both metrics on one half, evaluated on the other; a source "
        "counts once, as the mean of its tasks, and is never in both halves",
        "the reference is chosen on the same half: "
        + ", ".join(f"{name} {'once' if n == 1 else f'{n} times'}" for name, n in against),
        "ahead by: mean over the halvings of the mean difference to the reference on the "
        "evaluating half, and the middle 90 % of the halvings",
        "surely: fraction of the halvings in which Wilcoxon's signed-rank test over the evaluating "
        f"sources finds a difference at the level {statistics.SIGNIFICANCE}, corrected after Holm "
        "for the two metrics, in either metric and against it in none. Halvings share sources, so "
        "these are not independent tests",
    ]
    return [table(header, rows), Notes(notes)]


def _row(name: str, every: Sequence[Comparison]) -> list[Any]:
    cells: list[Any] = [name, len(every)]
    for metric in METRICS:
        means = np.array([each.ahead(metric) for each in every])
        low, high = np.percentile(means, [5, 95])
        cells.append(f"{means.mean():+.3f} ({low:+.3f} to {high:+.3f})")
    return [*cells, *(f"{np.mean([each.sure == sign for each in every]):.0%}" for sign in (1, -1))]


def halving_rows(every: Sequence[Comparison]) -> list[dict[str, Value]]:
    return long(
        "halving chosen reference confirming_sources auc_roc_ahead auc_pr_ahead auc_roc_p auc_pr_p "
        "sure",
        (
            (
                *(number, each.halving.chosen, each.halving.reference),
                len(each.halving.confirming),
                *map(each.ahead, METRICS),
                *(each.p_values[metric] for metric in METRICS),
                each.sure,
            )
            for number, each in enumerate(every)
        ),
    )
