"""The findings of a run: counts, rows, columns."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from made_up_orders import FAST, changed, orders

from slad import TableDetector
from slad.model import Findings, Run, make_findings
from slad.tables import read


@pytest.fixture(scope="module")
def found() -> Findings:
    frame = changed(orders(200), 9, price=700.0)
    table = read(frame.append_column("shop", pa.array(["Albertina"] * 200)))
    model = TableDetector(FAST, own_rows=True, level=0.02).fit(table)
    judgement = model.judge_own()
    explanations = model.explain_own(table, judgement.order[:10])
    ids = table.frame.column("order").to_pylist()
    run = Run("slad detect orders.csv", {"fit": 1.23456})
    return make_findings(model, table, judgement, explanations, run, ids=ids)


def test_findings_are_json_without_nan_and_come_back_from_it(found: Findings) -> None:
    values = found.to_json()
    text = json.dumps(values, allow_nan=False)
    assert json.loads(text) == values
    assert Findings.from_json(json.loads(text)) == found


def test_rows_come_strangest_first_with_their_ids_and_numbers_from_one(found: Findings) -> None:
    rows = found.rows
    assert [row.rank for row in rows] == list(range(1, 11))
    assert (rows[0].row, rows[0].id) == (10, "N000009")
    assert rows[0].flagged
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)


def test_the_histogram_counts_every_row(found: Findings) -> None:
    assert sum(found.scores.judged) == 200
    assert len(found.scores.edges) == len(found.scores.judged) + 1


def test_blame_goes_to_the_columns_that_come_first(found: Findings) -> None:
    assert "price" in {entry.column for entry in found.blame}
    firsts = [entry.rows for entry in found.blame]
    assert firsts == sorted(firsts, reverse=True)


def test_columns_left_out_are_listed_with_their_reason(found: Findings) -> None:
    by_name = {column.name: column for column in found.columns}
    assert not by_name["order"].used
    assert by_name["order"].note
    assert by_name["weight"].missing > 0


def test_findings_without_cells_hold_no_cell_of_the_table(found: Findings) -> None:
    text = json.dumps(found.without_cells().to_json())
    assert "N000009" not in text
    assert "Albertina" in json.dumps(found.to_json())
    assert "Albertina" not in text
    assert '"tea' not in text
