"""Four rules that decide which rows are flagged, each with its promise."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, isfinite
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from slad.core.errors import ConfigError
from slad.core.names import unknown
from slad.core.typing import Float
from slad.decisions.calibration import Calibration
from slad.decisions.discoveries import discovery_level

Scores = Float[np.ndarray, " n"]


@dataclass(frozen=True)
class Rule:
    """Base of the rules. `flags` and `threshold` agree: rows that score at least the threshold are
    flagged, except for rows that tie at the last place of `TopK`."""

    value: float
    kind: ClassVar[str]
    below: ClassVar[float] = 1.0
    """The value lies between 0 and this number."""
    by_row: ClassVar[bool] = False
    """Whether the decision on a row does not depend on the other rows."""

    def __post_init__(self) -> None:
        value: Any = self.value
        number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
        if not number or not 0 < float(value) < self.below:
            raise ConfigError(
                f"{self.kind}={value!r} is not a fraction above 0 and below {self.below:g}; "
                "use for example 0.01 for 1 %"
            )
        object.__setattr__(self, "value", float(value))

    def check(self, calibration_rows: int, own_rows: bool) -> None:
        """Raise ConfigError if this rule could never flag a row."""

    def flags(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> np.ndarray:
        raise NotImplementedError

    def threshold(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> float | None:
        """The smallest score that is flagged in this table; None if no score would be."""
        raise NotImplementedError

    def sentence(self, calibration: Calibration) -> str:
        """The promise of the rule in one sentence."""
        raise NotImplementedError


class FalsePositiveRate(Rule):
    """Flags at most a given fraction of the normal rows, on average."""

    kind = "fpr"
    by_row = True

    def check(self, calibration_rows: int, own_rows: bool) -> None:
        most = calibration_rows + (not own_rows)
        if self.value < 1 / most:
            raise ConfigError(
                f"fpr={self.value:g} needs {ceil(1 / self.value) - (not own_rows):,} calibration "
                f"rows and there are {calibration_rows:,}: use more rows, or an fpr of at "
                f"least {ceil(1e4 / most) / 1e4:g}"
            )

    def flags(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> np.ndarray:
        return np.asarray(pvalues <= self.value)

    def threshold(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> float | None:
        # Calibration rows have smaller p-values than new rows with the same score.
        own = np.min(scores, where=pvalues <= self.value, initial=inf)
        return _finite(min(calibration.threshold(self.value), float(own)))

    def sentence(self, calibration: Calibration) -> str:
        share = percent(self.value)
        if calibration.clean:
            return (
                f"On average at most {share} of normal rows are flagged: those scoring above all "
                f"but {share} of {len(calibration):,} held-out rows known to be normal."
            )
        return (
            f"Rows scoring above all but {share} of {len(calibration):,} held-out rows are "
            "flagged. Anomalies among the held-out rows lower the number of flagged rows: at "
            "most that share of normal rows is flagged as long as anomalies score higher."
        )


class FalseDiscoveryRate(Rule):
    """Flags rows of which at most a given fraction is normal, on average (Benjamini-Hochberg)."""

    kind = "fdr"

    def check(self, calibration_rows: int, own_rows: bool) -> None:
        if own_rows:
            raise ConfigError(
                f"fdr={self.value:g} cannot decide on its own calibration rows: their p-values are "
                "ranks among themselves, so none is ever flagged; use a reference table of rows "
                "known to be normal, or fpr, top or contamination"
            )
        if self.value < 1 / (calibration_rows + 1):
            raise ConfigError(
                f"fdr={self.value:g} needs {ceil(1 / self.value) - 1:,} calibration rows or "
                f"more and there are {calibration_rows:,}: use more rows known to be normal"
            )

    def flags(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> np.ndarray:
        return np.asarray(pvalues <= discovery_level(pvalues, self.value))

    def threshold(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> float | None:
        return _finite(calibration.threshold(discovery_level(pvalues, self.value)))

    def sentence(self, calibration: Calibration) -> str:
        share = percent(self.value)
        if calibration.clean:
            return (
                f"On average at most {share} of the flagged rows are normal, calibrated on "
                f"{len(calibration):,} held-out rows known to be normal."
            )
        return (
            f"On average at most {share} of the flagged rows are normal, if the "
            f"{len(calibration):,} held-out rows are; anomalies among these hide others."
        )


class TopK(Rule):
    """Flags the k rows with the highest scores."""

    kind = "top"

    def __post_init__(self) -> None:
        value: Any = self.value
        whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
        if not whole or isinstance(value, bool) or value < 1:
            raise ConfigError(f"top={value!r} is not a number of rows; use an integer from 1 up")
        object.__setattr__(self, "value", int(value))

    def flags(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> np.ndarray:
        flags = np.zeros(len(scores), dtype=bool)
        flags[np.argsort(-scores, kind="stable")[: int(self.value)]] = True
        return flags

    def threshold(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> float | None:
        if not len(scores):
            return None
        return float(np.sort(scores)[-min(int(self.value), len(scores))])

    def sentence(self, calibration: Calibration) -> str:
        if self.value == 1:
            rows = "The row with the highest score is flagged, whether it is an anomaly"
        else:
            rows = f"The {int(self.value):,} rows with the highest scores are flagged, anomalies"
        return f"{rows} or not: this rule promises no error rate."


class Contamination(Rule):
    """Flags rows that score as high as a given fraction of the training rows, the believed share of
    anomalies among them."""

    kind = "contamination"
    by_row = True
    below = 0.5

    def check(self, calibration_rows: int, own_rows: bool) -> None:
        if self.value < 1 / calibration_rows:
            raise ConfigError(
                f"contamination={self.value:g} of {calibration_rows:,} calibration rows is less "
                f"than one row: use more rows, or at least {1 / calibration_rows:.2g}"
            )

    def flags(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> np.ndarray:
        return np.asarray(scores >= calibration.quantile(self.value))

    def threshold(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> float | None:
        return _finite(calibration.quantile(self.value))

    def sentence(self, calibration: Calibration) -> str:
        return (
            f"Rows scoring as high as the top {percent(self.value)} of {len(calibration):,} "
            f"held-out training rows are flagged. This is right if {percent(self.value)} of "
            "the training rows are anomalies."
        )


RULES: dict[str, type[Rule]] = {
    rule.kind: rule for rule in (FalsePositiveRate, FalseDiscoveryRate, TopK, Contamination)
}


def make_rule(kind: str, value: float) -> Rule:
    """The rule of that kind.

    >>> make_rule("fpr", 0.01)
    FalsePositiveRate(value=0.01)
    """
    if kind not in RULES:
        raise unknown("rule", kind, RULES)
    return RULES[kind](value)


def percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _finite(threshold: float) -> float | None:
    return threshold if isfinite(threshold) else None
