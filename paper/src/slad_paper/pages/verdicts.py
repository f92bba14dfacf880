"""Whether our detectors reach the numbers that the paper printed for the same methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slad_paper.pages.document import Cell, Heading, Notes, Part
from slad_paper.pages.results import Result, Results
from slad_paper.pages.tables import table
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS, Printed, Row

DEVIATIONS = 2
WORDS = {"": "", "↑": "above", "↓": "below"}
ROUNDING = 0.0005
"""Half a unit of the last printed digit."""


def beyond(ours: float, number: Printed) -> str:
    """An arrow where ours is further from a printed mean than its deviation explains."""
    distance = ours - number.mean
    if abs(distance) <= DEVIATIONS * number.std + ROUNDING:
        return ""
    return "↑" if distance > 0 else "↓"


def mark(row: Row, name: str, result: Result, metric: str) -> str:
    """The arrow of a detector's cell."""
    method = printed.compared_with(name)
    number = row.printed(metric, method) if method else None
    return beyond(result.mean(metric), number) if number and result.ok else ""


@dataclass(frozen=True)
class Verdict:
    """A detector against the printed numbers of its method, row by row."""

    detector: str
    method: str
    compared: Mapping[str, Sequence[str]]
    """Metric -> rows on which both have a number."""
    below: Mapping[str, Sequence[str]]
    """Metric -> those of them on which ours is below, with both numbers."""
    absent: Sequence[str]
    """Rows with a printed number on which ours was tried without a result."""

    def cell(self, metric: str) -> Cell:
        count, below = len(self.compared[metric]), len(self.below[metric])
        if not count:
            return Cell("nothing to compare")
        if below:
            return Cell(f"below on {below} of {count}")
        return Cell(f"reached on {'its only row' if count == 1 else f'all {count}'}", best=True)


def verdict_of(name: str, rows: Sequence[Row], results: Results) -> Verdict:
    method = printed.compared_with(name)
    assert method is not None
    compared: dict[str, list[str]] = {metric: [] for metric in METRICS}
    below: dict[str, list[str]] = {metric: [] for metric in METRICS}
    absent = []
    for row in rows:
        result = results[row.name][name]
        numbers = {metric: row.printed(metric, method) for metric in METRICS}
        if any(numbers.values()) and not result.ok and (result.failed or result.gaps):
            absent.append(row.name)
        for metric, number in numbers.items():
            if number and result.ok:
                compared[metric].append(row.name)
                if mark(row, name, result, metric) == "↓":
                    ours = f"{result.mean(metric):.3f}"
                    below[metric].append(f"{row.name} {ours} (printed {number})")
    return Verdict(name, method, compared, below, absent)


def verdict_parts(verdicts: Sequence[Verdict]) -> list[Part]:
    """The table of verdicts, and every row that is below, by name."""
    rows = (
        [each.detector, each.method, *map(each.cell, METRICS), ", ".join(each.absent) or None]
        for each in verdicts
    )
    header = ["detector", "printed method", *METRICS.values(), "no result"]
    found = [
        f"{verdict.detector}, {title}, below on: {'; '.join(verdict.below[metric])}"
        for verdict in verdicts
        for metric, title in METRICS.items()
        if verdict.below[metric]
    ]
    legend = (
        f"reached: within {DEVIATIONS} printed deviations of the printed mean (and half a unit of "
        "its last digit), or above"
    )
    return [
        Heading("Are the printed numbers reached?"),
        table(header, rows),
        Notes([legend, *(found or ["nothing is below"])]),
    ]
