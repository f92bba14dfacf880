"""SLAD against one variant of it on one row of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slad.core.typing import Float
from slad_paper.pages.paired import differ_clearly, pairs
from slad_paper.pages.results import Result, Results
from slad_paper.runner.printed import Row
from slad_paper.runner.printed_ablation import BASE, Printed, Variant, table, variants

METRIC = "auc_roc"


@dataclass(frozen=True)
class Comparison:
    """Both have a number here."""

    row: Row
    variant: Variant
    slad_result: Result
    variant_result: Result

    @property
    def slad(self) -> float:
        return self.slad_result.mean(METRIC)

    @property
    def auc_roc(self) -> float:
        return self.variant_result.mean(METRIC)

    @property
    def rate(self) -> float:
        """SLAD's improvement in percent of the variant, as the paper computes it."""
        return 100 * (self.slad / self.auc_roc - 1)

    @property
    def printed(self) -> Printed | None:
        return table()[self.row.title].variants[self.variant.name]

    @property
    def rates_by_seed(self) -> Float[np.ndarray, " seeds"]:
        slad, other = pairs(self.slad_result, self.variant_result, METRIC)
        rates: np.ndarray = 100 * (slad / other - 1)
        return rates

    @property
    def clear(self) -> bool:
        return differ_clearly(self.slad_result, self.variant_result, METRIC)


def compared(rows: Sequence[Row], results: Results) -> list[Comparison]:
    """Every variant on every row where it and SLAD have a number."""
    found = []
    for variant in variants():
        for row in rows:
            slad, other = (results[row.name].get(name) for name in (BASE, variant.ours))
            if slad and other and slad.ok and other.ok:
                found.append(Comparison(row, variant, slad, other))
    return found


def mean_rate(found: Sequence[Comparison]) -> tuple[float | None, float | None]:
    """Ours, and the printed one of the same rows."""
    numbers = [each.printed.rate for each in found if each.printed]
    ours = float(np.mean([each.rate for each in found])) if found else None
    return ours, float(np.mean(numbers)) if numbers else None


def percent(rate: float) -> str:
    """
    >>> percent(4.7), percent(-0.04)
    ('+4.7 %', '+0.0 %')
    """
    return f"{round(rate, 1) + 0.0:+.1f} %"
