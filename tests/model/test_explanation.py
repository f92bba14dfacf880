"""Reasons name the columns that make a row strange."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from made_up_orders import FAST, changed, orders

from slad import TableDetector
from slad.tables import Encoder


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"price": 900.0}, "price"),
        ({"item": "elephant"}, "item"),
        ({"gift": None}, "gift"),
        ({"price": 25.0, "item": "tea", "weight": 250.0}, "item"),
    ],
)
def test_the_first_reason_names_the_planted_column(
    model: TableDetector, cells: dict[str, object], column: str
) -> None:
    fresh = changed(orders(50, seed=2), 3, **cells)
    (explanation,) = model.explain(fresh, [3])
    assert explanation.row == 3
    assert column in explanation.reasons[0].columns
    assert column in explanation.sentence


def test_a_row_that_is_odd_in_many_columns_at_once_is_explained_by_all_of_them() -> None:
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(600, 6))
    cells[:4] += 7  # near each other, so that none of them looks better with one column put right
    table = pa.table({f"c{at}": column for at, column in enumerate(cells.T)})
    model = TableDetector("knn-1", level=0.05).fit(table)
    for explanation in model.explain_own(table, [0, 1, 2, 3]):
        assert set(explanation.reasons[0].columns) == set(table.column_names)
        assert explanation.reasons[0].contribution > 0
        assert explanation.sentence.startswith("odd together: ")
        assert "and 3 more columns" in explanation.sentence


@pytest.mark.parametrize(
    "kind", [pa.time32("s"), pa.time64("us"), pa.date32(), pa.timestamp("ns"), pa.duration("ms")]
)
def test_every_type_of_time_is_profiled_and_explained(kind: pa.DataType) -> None:
    whole = pa.int32() if kind.bit_width == 32 else pa.int64()
    when = pa.array(np.arange(100) * 37 % 1000, whole).cast(kind)
    table = orders(100).append_column("when", when)
    model = TableDetector(FAST, level=0.05).fit(table)
    assert {column["name"]: column["shape"] for column in model.profile_}["when"]["counts"]
    assert len(model.explain(table, [3])) == 1


@pytest.mark.parametrize("own", [False, True])
def test_each_fold_model_encodes_the_normal_rows_and_the_explained_rows_once(
    own: bool, monkeypatch
) -> None:
    table = orders(200)
    model = TableDetector(FAST, level=0.05, own_rows=True).fit(table)
    encoded: Counter[tuple[int, int]] = Counter()
    transform = Encoder.transform

    def counted(encoder: Encoder, frame: pa.Table) -> np.ndarray:
        encoded[id(encoder), frame.num_rows] += 1
        return transform(encoder, frame)

    monkeypatch.setattr(Encoder, "transform", counted)
    fold = np.flatnonzero(model.own_scores().folds == 0)[:3]
    explain = model.explain_own if own else model.explain
    assert len(explain(table, fold)) == 3
    n_folds = 1 if own else len(model.fold_models_)
    assert encoded == {
        (id(each.encoder), rows): 1
        for each in model.fold_models_[:n_folds]
        for rows in (3, model.normal_.num_rows)
    }


def test_rows_are_given_and_named_by_their_position_from_0(model: TableDetector) -> None:
    fresh = changed(orders(20, seed=8), 4, price=900.0)
    explained = model.explain(fresh, [4, 0])
    assert [each.row for each in explained] == [4, 0]
    assert dict(explained[0].values)["price"] == "900"
