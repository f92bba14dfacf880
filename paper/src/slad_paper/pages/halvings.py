"""Repeated halvings of the tuning suite as a table: what is chosen, and whether it stays ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slad_paper.pages import statistics
from slad_paper.pages.document import Cell, Notes, Part, Table, Value
from slad_paper.runner.halving import Halving
from slad_paper.runner.printed import METRICS


@dataclass(frozen=True)
class Judged:
    """A halving with what a test says of it."""

    halving: Halving
    p_values: Mapping[str, float]
    """Of Wilcoxon's signed-rank test over the judging sources, by metric."""
    sure: int
    """1 or -1 where the chosen one is surely better or worse than the reference, else 0."""


def judged(halving: Halving) -> Judged:
    """Sure is what differs after Holm's correction in one metric or both, in one direction."""
    differences = {
        metric: np.round(each, statistics.DIGITS) for metric, each in halving.differences.items()
    }
    p_values = {metric: statistics.wilcoxon(each) for metric, each in differences.items()}
    signs = {
        int(np.sign(each.mean()))
        for each, p in zip(
            differences.values(), statistics.holm(list(p_values.values())), strict=True
        )
        if p < statistics.SIGNIFICANCE
    }
    return Judged(halving, p_values, signs.pop() if len(signs) == 1 else 0)


def halving_parts(every: Sequence[Judged]) -> list[Part]:
    """One line for each candidate that was chosen, and one for whatever was."""
    halvings = [each.halving for each in every]
    rows = [_row("whatever was chosen", every)]
    for name, _ in Counter(each.chosen for each in halvings).most_common():
        rows.append(_row(name, [each for each in every if each.halving.chosen == name]))
    differences = [f"{title} ahead by" for title in METRICS.values()]
    header = ["chosen", "times", *differences, "surely better", "surely worse"]
    against = Counter(each.reference for each in halvings).most_common()
    notes = [
        f"{len(halvings)} halvings of {len(halvings[0].choosing) + len(halvings[0].confirming)} "
        "sources; chosen by the mean of both metrics on one half, judged on the other; a source "
        "counts once, as the mean of its tasks, and never lies in both halves",
        "the reference is chosen on the same half: "
        + ", ".join(f"{name} {'once' if n == 1 else f'{n} times'}" for name, n in against),
        "ahead by: mean over the halvings of the mean difference to the reference on the judging "
        "half, and the middle 90 % of the halvings",
        "surely: share of the halvings in which Wilcoxon's signed-rank test over the judging "
        f"sources finds a difference at the level {statistics.SIGNIFICANCE}, corrected after Holm "
        "for the two metrics, in either metric and against it in none. Halvings share sources, so "
        "these are no independent tests",
    ]
    return [Table(header, rows), Notes(notes)]


def _row(name: str, every: Sequence[Judged]) -> list[Cell]:
    cells = [Cell(name), Cell(str(len(every)))]
    for metric in METRICS:
        means = np.array([each.halving.differences[metric].mean() for each in every])
        low, high = np.percentile(means, [5, 95])
        cells.append(Cell(f"{means.mean():+.3f} ({low:+.3f} to {high:+.3f})"))
    for sign in (1, -1):
        cells.append(Cell(f"{np.mean([each.sure == sign for each in every]):.0%}"))
    return cells


def halving_rows(every: Sequence[Judged]) -> list[dict[str, Value]]:
    """Every halving, in full precision."""
    return [
        {
            "halving": number,
            "chosen": each.halving.chosen,
            "reference": each.halving.reference,
            "confirming_sources": len(each.halving.confirming),
            **{f"{m}_ahead": float(each.halving.differences[m].mean()) for m in METRICS},
            **{f"{m}_p": each.p_values[m] for m in METRICS},
            "sure": each.sure,
        }
        for number, each in enumerate(every)
    ]
