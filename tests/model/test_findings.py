"""What a run tells, in plain values."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from made_up_orders import changed, orders

from slad import TableDetector
from slad.core.errors import DataError
from slad.model import Run, evaluate, findings, read_truth
from slad.model.findings import light
from slad.tables import read


@pytest.fixture(scope="module")
def found() -> dict:
    frame = changed(orders(200), 9, price=700.0)
    table = read(frame.append_column("shop", pa.array(["Albertina"] * 200)))
    model = TableDetector("knn-5", own_rows=True, level=0.02).fit(table)
    judgement = model.judge_own()
    explanations = model.explain_own(table, judgement.order[:10])
    ids = table.frame.column("order").to_pylist()
    run = Run("slad detect orders.csv", {"fit": 1.23456})
    return findings(model, table, judgement, explanations, run, ids=ids)


def test_findings_are_json_without_nan(found: dict) -> None:
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_rows_come_strangest_first_with_their_ids_and_numbers_from_one(found: dict) -> None:
    rows = found["rows"]
    assert [row["rank"] for row in rows] == list(range(1, 11))
    assert (rows[0]["row"], rows[0]["id"]) == (10, "N000009")
    assert rows[0]["flagged"]
    assert [row["score"] for row in rows] == sorted((r["score"] for r in rows), reverse=True)


def test_the_histogram_counts_every_row(found: dict) -> None:
    assert sum(found["scores"]["judged"]) == 200
    assert len(found["scores"]["edges"]) == len(found["scores"]["judged"]) + 1


def test_blame_goes_to_the_columns_that_come_first(found: dict) -> None:
    assert "price" in {entry["column"] for entry in found["blame"]}
    firsts = [entry["rows"] for entry in found["blame"]]
    assert firsts == sorted(firsts, reverse=True)


def test_columns_left_out_are_listed_with_their_reason(found: dict) -> None:
    by_name = {column["name"]: column for column in found["columns"]}
    assert not by_name["order"]["used"]
    assert by_name["order"]["note"]
    assert by_name["weight"]["missing"] > 0


def test_the_light_form_holds_no_cell_of_the_table(found: dict) -> None:
    text = json.dumps(light(found))
    assert "N000009" not in text
    assert "Albertina" in json.dumps(found)
    assert "Albertina" not in text
    assert '"tea' not in text


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
        ([1, 1, 1], r"holds 1 different values \('1'\) where an evaluation needs two"),
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
