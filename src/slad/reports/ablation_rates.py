"""SLAD against one variant of it on one row of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slad.core.typing import Float
from slad.experiments.printed import Row
from slad.experiments.printed_ablation import BASE, Printed, Variant, table, variants
from slad.reports.results import Result
from slad.reports.verdicts import Results

METRIC = "auc_roc"
STANDARD_ERRORS = 2


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
        slad, other = self._pairs()
        rates: np.ndarray = 100 * (slad / other - 1)
        return rates

    @property
    def clear(self) -> bool:
        """Whether the difference is beyond what the seeds explain; never so for a single one."""
        slad, other = self._pairs()
        far = slad - other
        if len(far) < 2:
            return False
        error = far.std(ddof=1) / np.sqrt(len(far))
        return bool(abs(far.mean()) > STANDARD_ERRORS * error)

    def _pairs(self) -> tuple[Float[np.ndarray, " seeds"], Float[np.ndarray, " seeds"]]:
        """Values of the seeds that both have, in the same order."""
        by_seed = [
            dict(zip(result.runs, result.values[METRIC], strict=True))
            for result in (self.slad_result, self.variant_result)
        ]
        shared = [seeds for seeds in by_seed[0] if seeds in by_seed[1]]
        slad, other = (np.array([values[seeds] for seeds in shared]) for values in by_seed)
        return slad, other


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
