"""Curves of one hyper-parameter on the rows of the main table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slad_paper.pages.paired import differ_clearly
from slad_paper.pages.results import Result, Results
from slad_paper.runner.hyper_parameters import Studied
from slad_paper.runner.printed import Row

METRIC = "auc_roc"


@dataclass(frozen=True)
class Change:
    """From one value of a parameter to another on one row."""

    row: Row
    gain: float
    clear: bool
    """Beyond what the seeds explain."""

    def __str__(self) -> str:
        return f"{self.row.title} {self.gain:+.3f}{'' if self.clear else ' (within the spread)'}"


@dataclass(frozen=True)
class Curve:
    """A parameter's values on one row."""

    studied: Studied
    row: Row
    results: Mapping[int, Result]
    """Of the values that were run, with a number or without."""

    def means(self) -> dict[int, float]:
        """Of the values that have a number."""
        return {value: result.mean(METRIC) for value, result in self.results.items() if result.ok}

    @property
    def whole(self) -> bool:
        return len(self.means()) == len(self.studied.values)

    @property
    def range(self) -> float:
        """Between the best value and the worst."""
        means = self.means().values()
        return max(means) - min(means)


def curves_of(studied: Studied, rows: Sequence[Row], results: Results) -> list[Curve]:
    """A curve for each row."""
    names = {value: studied.contender(value) for value in studied.values}
    return [
        Curve(studied, row, {value: here[name] for value, name in names.items() if name in here})
        for row in rows
        for here in [results[row.name]]
    ]


def changes(curves: Sequence[Curve], first: int, second: int) -> list[Change]:
    """On every row that has a number for both values."""
    found = []
    for curve in curves:
        means, results = curve.means(), curve.results
        if {first, second} <= means.keys():
            clear = differ_clearly(results[second], results[first], METRIC)
            found.append(Change(curve.row, means[second] - means[first], clear))
    return found


def shared_means(curves: Sequence[Curve]) -> dict[int, float]:
    """The mean of each value over the rows that have all of them."""
    whole = [curve.means() for curve in curves if curve.whole]
    if not whole:
        return {}
    return {value: float(np.mean([means[value] for means in whole])) for value in whole[0]}
