"""Repeated halvings of the tuning suite as a table: what is chosen, and whether it stays ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from slad.experiments.halving import Halving
from slad.experiments.printed import METRICS
from slad.reports import statistics
from slad.reports.document import Cell, Notes, Part, Table, Value


def halving_parts(halvings: Sequence[Halving]) -> list[Part]:
    """One line for each candidate that was chosen, and one for whatever was."""
    chosen = Counter(each.chosen for each in halvings)
    rows = [_row("whatever was chosen", halvings)]
    for name, _ in chosen.most_common():
        rows.append(_row(name, [each for each in halvings if each.chosen == name]))
    differences = [f"{title} ahead by" for title in METRICS.values()]
    header = ["chosen", "times", *differences, "surely better", "surely worse"]
    against = Counter(each.reference for each in halvings).most_common()
    notes = [
        f"{len(halvings)} halvings of {len(halvings[0].choosing) + len(halvings[0].confirming)} "
        "sources; chosen by the mean of both metrics on one half, judged on the other; a source "
        "counts once, as the mean of its tasks, and never lies in both halves",
        "the reference is chosen on the same half: "
        + ", ".join(f"{name} {count} times" for name, count in against),
        "ahead by: mean over the halvings of the mean difference to the reference on the judging "
        "half, and the middle 90 % of the halvings",
        "surely: share of the halvings in which Wilcoxon's signed-rank test over the judging "
        f"sources finds a difference at the level {statistics.SIGNIFICANCE}, corrected after Holm "
        "for the two metrics, in either metric and against it in none. Halvings share sources, so "
        "these are no independent tests",
    ]
    return [Table(header, rows), Notes(notes)]


def _row(name: str, halvings: Sequence[Halving]) -> list[Cell]:
    cells = [Cell(name), Cell(str(len(halvings)))]
    for metric in METRICS:
        means = np.array([each.differences[metric].mean() for each in halvings])
        low, high = np.percentile(means, [5, 95])
        cells.append(Cell(f"{means.mean():+.3f} ({low:+.3f} to {high:+.3f})"))
    verdicts = [sure(each) for each in halvings]
    for sign in (1, -1):
        cells.append(Cell(f"{np.mean([verdict == sign for verdict in verdicts]):.0%}"))
    return cells


def sure(halving: Halving) -> int:
    """1 or -1 where the chosen one is surely better or worse than the reference, else 0."""
    differences = [np.round(each, statistics.DIGITS) for each in halving.differences.values()]
    p_values = statistics.holm([statistics.wilcoxon(each) for each in differences])
    signs = {
        int(np.sign(each.mean()))
        for each, p in zip(differences, p_values, strict=True)
        if p < statistics.SIGNIFICANCE
    }
    return signs.pop() if len(signs) == 1 else 0


def halving_rows(halvings: Sequence[Halving]) -> list[dict[str, Value]]:
    """Every halving, in full precision."""
    return [
        {
            "halving": number,
            "chosen": each.chosen,
            "reference": each.reference,
            "confirming_sources": len(each.confirming),
            **{f"{metric}_ahead": float(each.differences[metric].mean()) for metric in METRICS},
            **{f"{metric}_p": statistics.wilcoxon(each.differences[metric]) for metric in METRICS},
            "sure": sure(each),
        }
        for number, each in enumerate(halvings)
    ]
