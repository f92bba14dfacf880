"""The steps of a fit before and after training."""

from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa
import pytest
from made_up_orders import FAST, changed, orders
from pyarrow import csv

from slad import TableDetector
from slad.core.errors import DataError
from slad.model.fitting import describe
from slad.tables import read


def test_a_table_with_nothing_to_learn_from_says_why() -> None:
    table = pa.table({"id": list(range(50)), "same": ["x"] * 50})
    with pytest.raises(DataError, match=r"no column to learn from: 'id' .* 'same'"):
        TableDetector(FAST).fit(table)


def test_very_few_rows_are_refused_with_their_number() -> None:
    with pytest.raises(DataError, match="has 9 rows; fitting needs at least 10"):
        TableDetector(FAST, rule="top", level=3).fit(orders(9))


@pytest.mark.parametrize("clean", [False, True])
def test_normal_rows_are_all_held_out_rows_or_only_the_less_strange_nine_tenths(clean) -> None:
    table = changed(orders(100), 11, price=900.0)
    model = TableDetector(FAST, level=0.05, clean=clean).fit(table)
    assert len(model.normal_places_) == (100 if clean else 90)
    assert (11 in model.normal_places_) == clean
    used = [column.name for column in model.plan_ if column.used]
    assert model.normal_.equals(table.select(used).take(model.normal_places_))


def test_with_a_split_only_rows_that_were_held_out_are_normal_rows() -> None:
    model = TableDetector(FAST, level=0.05, calibration="split").fit(orders(60))
    held = np.flatnonzero(np.isfinite(model.own_.scores))
    assert len(held) == 30
    assert set(model.normal_places_) < set(held)


def test_usual_values_are_those_of_the_used_columns() -> None:
    model = TableDetector(FAST, level=0.05, drop=["gift"]).fit(orders(60))
    assert list(model.usuals_) == [column.name for column in model.plan_ if column.used]
    assert "gift" not in model.usuals_


def test_the_training_table_is_described_by_its_name_its_checksum_and_its_size(tmp_path) -> None:
    csv.write_csv(orders(20), tmp_path / "orders.csv")
    checksum = hashlib.sha256((tmp_path / "orders.csv").read_bytes()).hexdigest()
    expected = {"name": "orders.csv", "sha256": checksum, "rows": 20, "columns": 6}
    assert describe(read(tmp_path / "orders.csv")) == expected
