"""What the records say of one hyper-parameter on one row of the main table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slad_paper.pages.paired import differ_clearly
from slad_paper.pages.results import Result
from slad_paper.pages.verdicts import Results
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
    """Of those values that were run, with a number or without."""

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

    def change(self, first: int, second: int) -> Change | None:
        """None where one of the two has no number."""
        means = self.means()
        if first not in means or second not in means:
            return None
        clear = differ_clearly(self.results[second], self.results[first], METRIC)
        return Change(self.row, means[second] - means[first], clear)


def curves_of(studied: Studied, rows: Sequence[Row], results: Results) -> list[Curve]:
    """One for each row."""
    return [
        Curve(
            studied,
            row,
            {
                value: results[row.name][studied.contender(value)]
                for value in studied.values
                if studied.contender(value) in results[row.name]
            },
        )
        for row in rows
    ]


def changes(curves: Sequence[Curve], first: int, second: int) -> list[Change]:
    """On every row that has both values."""
    found = [curve.change(first, second) for curve in curves]
    return [each for each in found if each is not None]


def shared_means(curves: Sequence[Curve]) -> dict[int, float]:
    """The mean of each value over the rows that have all of them."""
    whole = [curve.means() for curve in curves if curve.whole]
    if not whole:
        return {}
    return {value: float(np.mean([means[value] for means in whole])) for value in whole[0]}
