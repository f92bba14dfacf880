"""Which rows to flag: four rules, each with its own promise."""

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
    """What the rules have in common. `flags` and `threshold` agree: a row is flagged from the
    threshold on (but for rows that tie at the last place of `TopK`)."""

    value: float
    kind: ClassVar[str]
    below: ClassVar[float] = 1.0
    """Values lie between 0 and this."""
    by_row: ClassVar[bool] = False
    """Whether a row is decided by itself, whatever rows come with it."""

    def __post_init__(self) -> None:
        value: Any = self.value
        number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
        if not number or not 0 < float(value) < self.below:
            raise ConfigError(
                f"{self.kind}={value!r}: give a share above 0 and below {self.below:g}, "
                "such as 0.01 for 1 %"
            )
        object.__setattr__(self, "value", float(value))

    def check(self, calibration_rows: int, own_rows: bool) -> None:
        """An error where this rule could not flag anything, whatever the rows."""

    def flags(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> np.ndarray:
        raise NotImplementedError

    def threshold(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> float | None:
        """The score from which rows of this table are flagged; None where no score would be."""
        raise NotImplementedError

    def sentence(self, calibration: Calibration) -> str:
        """What is promised, in plain words."""
        raise NotImplementedError


class FalsePositiveRate(Rule):
    """At most a share of the normal rows is flagged."""

    kind = "fpr"
    by_row = True

    def check(self, calibration_rows: int, own_rows: bool) -> None:
        most = calibration_rows + (not own_rows)
        if self.value < 1 / most:
            raise ConfigError(
                f"fpr={self.value:g} needs {ceil(1 / self.value) - (not own_rows):,} calibration "
                f"rows and there are {calibration_rows:,}: give more rows, or an fpr from "
                f"{ceil(1e4 / most) / 1e4:g} up"
            )

    def flags(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> np.ndarray:
        return np.asarray(pvalues <= self.value)

    def threshold(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> float | None:
        # The calibration rows themselves have smaller p-values than new rows of the same score.
        own = np.min(scores, where=pvalues <= self.value, initial=inf)
        return _finite(min(calibration.threshold(self.value), float(own)))

    def sentence(self, calibration: Calibration) -> str:
        share = percent(self.value)
        if calibration.clean:
            return (
                f"On average at most {share} of normal rows are flagged: those stranger than all "
                f"but {share} of {len(calibration):,} held-out rows known to be normal."
            )
        return (
            f"Flagged are rows stranger than all but {share} of {len(calibration):,} held-out "
            "rows. Anomalies among these make it flag fewer rows: at most that share of normal "
            "rows, as long as anomalies are the stranger ones."
        )


class FalseDiscoveryRate(Rule):
    """At most a share of the flagged rows is normal, on average (Benjamini and Hochberg)."""

    kind = "fdr"

    def check(self, calibration_rows: int, own_rows: bool) -> None:
        if own_rows:
            raise ConfigError(
                f"fdr={self.value:g} cannot judge the rows it is calibrated on: against themselves "
                "their p-values are ranks, of which none is ever flagged; give a reference table "
                "of rows known to be normal, or use fpr, top or contamination"
            )
        if self.value < 1 / (calibration_rows + 1):
            raise ConfigError(
                f"fdr={self.value:g} needs {ceil(1 / self.value) - 1:,} calibration rows at the "
                f"least and there are {calibration_rows:,}: give more rows known to be normal"
            )

    def flags(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> np.ndarray:
        return np.asarray(pvalues <= discovery_level(pvalues, self.value))

    def threshold(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> float | None:
        return _finite(calibration.threshold(discovery_level(pvalues, self.value)))

    def sentence(self, calibration: Calibration) -> str:
        share = percent(self.value)
        if calibration.clean:
            return (
                f"On average at most {share} of the flagged rows are normal, judged against "
                f"{len(calibration):,} held-out rows known to be normal."
            )
        return (
            f"On average at most {share} of the flagged rows are normal, if the "
            f"{len(calibration):,} held-out rows are; anomalies among them hide others."
        )


class TopK(Rule):
    """The k strangest rows."""

    kind = "top"

    def __post_init__(self) -> None:
        value: Any = self.value
        whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
        if not whole or isinstance(value, bool) or value < 1:
            raise ConfigError(f"top={value!r}: give a number of rows, an integer from 1 up")
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
        rows = "row is" if self.value == 1 else f"{int(self.value):,} rows are"
        return f"The strangest {rows} flagged, strange or not: this rule promises no error rate."


class Contamination(Rule):
    """Rows that score as the strangest share of the training rows did."""

    kind = "contamination"
    by_row = True
    below = 0.5

    def check(self, calibration_rows: int, own_rows: bool) -> None:
        if self.value < 1 / calibration_rows:
            raise ConfigError(
                f"contamination={self.value:g} of {calibration_rows:,} calibration rows is less "
                f"than one row: give more rows, or a share from {1 / calibration_rows:.2g} up"
            )

    def flags(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> np.ndarray:
        return np.asarray(scores >= calibration.quantile(self.value))

    def threshold(self, scores: Scores, pvalues: Scores, calibration: Calibration) -> float | None:
        return _finite(calibration.quantile(self.value))

    def sentence(self, calibration: Calibration) -> str:
        return (
            f"Flagged are rows as strange as the strangest {percent(self.value)} of "
            f"{len(calibration):,} held-out training rows, which are believed to be anomalies; "
            "this is right as far as that share is."
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
