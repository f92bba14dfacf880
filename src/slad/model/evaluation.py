"""How good the answer is where the truth is known: a label column, used for nothing else."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from sklearn.metrics import average_precision_score, roc_auc_score

from slad.core.errors import DataError

POSITIVE = ("1", "true", "yes", "y", "t", "anomaly", "anomalous", "outlier", "fraud", "bad", "-1")
"""Spellings of "this row is an anomaly", most telling first."""


@dataclass(frozen=True)
class Truth:
    """Which rows are anomalies, by the label column."""

    column: str
    positive: str
    said: bool
    """Whether the positive value was given or goes by its name, rather than by being rarer."""
    anomalies: np.ndarray


@dataclass(frozen=True)
class Evaluation:
    label: str
    positive: str
    positives: int
    auc_roc: float
    auc_pr: float
    precision: float | None
    recall: float
    false_alarm_rate: float

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def read_truth(frame: pa.Table, column: str, positive: str | None = None) -> Truth:
    """The anomalies that a label column names; an error where it cannot tell two kinds apart."""
    if column not in frame.column_names:
        raise DataError(
            f"there is no label column {column!r}; the columns are: {', '.join(frame.column_names)}"
        )
    labels = frame.column(column)
    if labels.null_count:
        raise DataError(
            f"label column {column!r} is empty in {labels.null_count} of {len(labels)} rows: "
            "label every row, or leave --label out"
        )
    counted = pc.value_counts(labels).to_pylist()
    counts = {_spelled(entry["values"]): entry["counts"] for entry in counted}
    if len(counts) != 2:
        shown = ", ".join(repr(value) for value in list(counts)[:5])
        raise DataError(
            f"label column {column!r} holds {len(counts)} different values ({shown}"
            f"{', ...' if len(counts) > 5 else ''}) where an evaluation needs two, one for "
            "normal rows and one for anomalies"
        )
    chosen, said = _positive(counts, column, positive)
    spelled = np.array([_spelled(value) for value in labels.to_pylist()])
    return Truth(column, chosen, said, spelled == chosen)


def _positive(counts: dict[str, int], column: str, positive: str | None) -> tuple[str, bool]:
    if positive is not None:
        if _spelled(positive) not in counts:
            raise DataError(
                f"label column {column!r} never holds {positive!r}; it holds "
                f"{' and '.join(repr(value) for value in counts)}"
            )
        return _spelled(positive), True
    for spelling in POSITIVE:
        for value in counts:
            if value.casefold() == spelling:
                return value, True
    return min(counts, key=lambda value: counts[value]), False


def _spelled(value: Any) -> str:
    """1, 1.0 and True of different files are one answer each."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


def evaluate(truth: Truth, scores: np.ndarray, flags: np.ndarray) -> Evaluation:
    """Ranking and decisions against the truth."""
    anomalies = truth.anomalies
    hits = int((flags & anomalies).sum())
    return Evaluation(
        label=truth.column,
        positive=truth.positive,
        positives=int(anomalies.sum()),
        auc_roc=float(roc_auc_score(anomalies, scores)),
        auc_pr=float(average_precision_score(anomalies, scores)),
        precision=hits / int(flags.sum()) if flags.any() else None,
        recall=hits / int(anomalies.sum()),
        false_alarm_rate=float(flags[~anomalies].mean()),
    )
