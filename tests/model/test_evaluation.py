"""Evaluation by a label column."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from slad.core.errors import DataError
from slad.model import evaluate, read_truth


def test_labels_are_read_in_any_of_their_spellings() -> None:
    frame = pa.table({"a": ["no", "yes", "no"], "b": [0.0, 1.0, 0.0], "c": [True, False, False]})
    for column, positive in (("a", "yes"), ("b", "1"), ("c", "True")):
        truth = read_truth(frame, column)
        assert (truth.positive, truth.said, int(truth.anomalies.sum())) == (positive, True, 1)
    rarer = read_truth(pa.table({"kind": ["A", "B", "A"]}), "kind")
    assert (rarer.positive, rarer.said) == ("B", False)
    assert read_truth(frame, "a", "no").anomalies.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([1, 1, 1], r"holds 1 different values \('1'\); an evaluation needs two"),
        ([1, 2, 3], "holds 3 different values"),
        ([1, None, 0], "is empty in 1 of 3 rows"),
    ],
)
def test_a_label_column_that_cannot_evaluate_says_so(cells: list, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_truth(pa.table({"label": cells}), "label")


def test_an_evaluation_counts_hits_and_false_alarms() -> None:
    truth = read_truth(pa.table({"y": [1, 1, 0, 0, 0, 0]}), "y")
    scores = np.array([5.0, 1.0, 4.0, 0.0, 0.0, 0.0])
    result = evaluate(truth, scores, scores > 3)
    assert (result.precision, result.recall, result.false_alarm_rate) == (0.5, 0.5, 0.25)
    assert result.auc_roc == pytest.approx(7 / 8)
