"""`Findings`: everything a manifest holds about a run, and all that a page is made from.

This module imports no table or detector, so that a page is made without them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self

from slad.core.errors import DataError
from slad.model.facts import FORMAT, ModelFacts, RuleFacts, RunFacts
from slad.model.json_form import from_json, to_json
from slad.model.row_explanation import ColumnReason, Shown

KIND = "findings"


@dataclass(frozen=True)
class Source:
    """A table: its name, its size and the checksum of its bytes."""

    name: str
    sha256: str | None
    rows: int
    columns: int


@dataclass(frozen=True)
class RuleInUse(RuleFacts):
    """A rule and the threshold it gave for the scored table."""

    threshold: float | None
    """The lowest score that is flagged; None if no score would be."""


@dataclass(frozen=True)
class Counts:
    """How many rows were scored, flagged and set aside."""

    rows: int
    flagged: int
    unsure: int


@dataclass(frozen=True)
class Evaluation:
    """How well scores and flags agree with known labels."""

    label: str
    """The ground-truth column, used for evaluation only."""
    positive: str
    """The label of an anomaly."""
    positives: int
    auc_roc: float
    auc_pr: float
    precision: float | None
    """None if no row is flagged."""
    recall: float
    false_alarm_rate: float


@dataclass(frozen=True)
class Distribution:
    """Histograms of the scored rows and of the calibration rows, over the same bins."""

    edges: list[float]
    judged: list[int]
    calibration: list[int]
    """Empty if the calibration rows are the scored rows."""
    largest: float | None = None

    def __post_init__(self) -> None:
        _check_bins(self.edges, self.judged)
        _check_bins(self.edges, self.calibration or self.judged)


@dataclass(frozen=True)
class FoundRow:
    """One of the strangest rows."""

    rank: int
    """From 1, strangest first."""
    row: int
    """Number of the row in its table, from 1."""
    id: str | None
    score: float
    error: float | None
    pvalue: float
    flagged: bool
    unsure: bool
    label: str | None
    reasons: list[ColumnReason]
    values: Shown
    nearest: Shown | None
    """The values of the nearest normal row."""


@dataclass(frozen=True)
class Blame:
    """How much a column contributes to the strange rows."""

    column: str
    rows: int
    """Strange rows of which it is the first reason."""
    share: float
    """Its mean share of the contributions."""


@dataclass(frozen=True)
class Training:
    """The training loss of each epoch, mean over fold models."""

    loss: list[float]


@dataclass(frozen=True)
class Check:
    """A check that the model made of itself."""

    name: str
    ok: bool | None
    """None if it could not be tested."""
    text: str


@dataclass(frozen=True)
class Histogram:
    """The spread of a column of numbers or times."""

    edges: list[float]
    counts: list[int]
    axis: str | None = None
    """What the edges are, if they are no numbers: "time" (seconds since 1970)."""

    def __post_init__(self) -> None:
        _check_bins(self.edges, self.counts)


@dataclass(frozen=True)
class Levels:
    """The most frequent values of a column of categories."""

    levels: list[str]
    counts: list[int]

    def __post_init__(self) -> None:
        if len(self.levels) != len(self.counts):
            raise DataError(f"has {len(self.levels)} levels but {len(self.counts)} counts")


@dataclass(frozen=True)
class ColumnProfile:
    """What a column of the training table looks like."""

    name: str
    kind: str
    used: bool
    note: str
    missing: float
    """The fraction of cells without a value."""
    usual: str
    shape: Histogram | Levels | None


@dataclass(frozen=True)
class Findings(ModelFacts, RunFacts):
    """The result of scoring one table. Its JSON is the manifest, in the order of the fields."""

    rule: RuleInUse
    kind: str
    title: str
    input: Source
    """The scored table."""
    reference: Source | None
    """The training table; None if it is the scored table."""
    reject: float | None
    counts: Counts
    evaluation: Evaluation | None
    scores: Distribution
    rows: list[FoundRow]
    blame: list[Blame]
    history: Training | None
    checks: list[Check]
    columns: list[ColumnProfile]
    notes: list[str]
    reproduce: list[str]

    def to_json(self) -> dict[str, Any]:
        """JSON values, without NaN."""
        values: dict[str, Any] = to_json(self)
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The findings of a manifest. DataError names what is missing or wrong."""
        kind, version = values.get("kind"), values.get("format")
        if kind != KIND or version != FORMAT:
            raise DataError(
                f"these are no findings that this slad can read: kind={kind!r}, format={version!r},"
                f" expected kind={KIND!r}, format={FORMAT}; run slad detect or slad score again"
            )
        try:
            found: Self = from_json(cls, dict(values), KIND)
        except DataError as error:
            raise DataError(f"{error}; run slad detect or slad score again") from None
        return found

    def without_cells(self) -> Findings:
        """The same findings without any cell of the table."""
        return replace(self, rows=[], notes=[], columns=[_without_cells(c) for c in self.columns])


def _without_cells(column: ColumnProfile) -> ColumnProfile:
    # The note of a constant column shows its value.
    note = "left out: one value" if column.kind == "constant" else column.note
    return replace(column, usual="", shape=None, note=note)


def _check_bins(edges: list[float], counts: list[int]) -> None:
    if len(edges) != len(counts) + 1:
        raise DataError(f"has {len(edges)} edges for {len(counts)} counts, one more is needed")
    if len(counts) > 1 and any(low >= high for low, high in pairwise(edges)):
        raise DataError("has edges that do not increase")
