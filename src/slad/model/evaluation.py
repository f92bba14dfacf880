"""Evaluation by a ground-truth column, which is used for nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from slad.core.errors import DataError
from slad.model.findings import Evaluation

POSITIVE = ("1", "true", "yes", "y", "t", "anomaly", "anomalous", "outlier", "fraud", "bad", "-1")
"""Labels that mean "anomaly", in order of preference."""


@dataclass(frozen=True)
class Truth:
    """Which rows are anomalies according to the label column."""

    column: str
    positive: str
    said: bool
    """False if `positive` was taken only because it is the rarer of the two values."""
    anomalies: np.ndarray


def read_truth(frame: pa.Table, column: str, positive: str | None = None) -> Truth:
    """The anomalies according to a label column, which must hold two different values."""
    if column not in frame.column_names:
        raise DataError(
            f"the table has no label column {column!r}; its columns are: "
            f"{', '.join(frame.column_names)}"
        )
    labels = frame.column(column)
    if labels.null_count:
        raise DataError(
            f"label column {column!r} is empty in {labels.null_count} of {len(labels)} rows: "
            "label every row, or omit --label"
        )
    counted = pc.value_counts(labels).to_pylist()
    counts = {_as_text(entry["values"]): entry["counts"] for entry in counted}
    if len(counts) != 2:
        shown = ", ".join(repr(value) for value in list(counts)[:5])
        raise DataError(
            f"label column {column!r} holds {len(counts)} different values ({shown}"
            f"{', ...' if len(counts) > 5 else ''}); an evaluation needs two, one for "
            "normal rows and one for anomalies"
        )
    chosen, said = _positive(counts, column, positive)
    spelled = np.array([_as_text(value) for value in labels.to_pylist()])
    return Truth(column, chosen, said, spelled == chosen)


def _positive(counts: dict[str, int], column: str, positive: str | None) -> tuple[str, bool]:
    if positive is not None:
        if _as_text(positive) not in counts:
            raise DataError(
                f"label column {column!r} does not contain {positive!r}; use one of its values, "
                f"{' or '.join(repr(value) for value in counts)}"
            )
        return _as_text(positive), True
    for spelling in POSITIVE:
        for value in counts:
            if value.casefold() == spelling:
                return value, True
    return min(counts, key=lambda value: counts[value]), False


def _as_text(value: Any) -> str:
    """A label as text: 1 and 1.0 of different files are the same."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


def evaluate(truth: Truth, scores: np.ndarray, flags: np.ndarray) -> Evaluation:
    """How well scores rank the anomalies, and flags find them."""
    from sklearn.metrics import average_precision_score, roc_auc_score  # slow, and seldom needed

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
