"""The table of the demo."""

from __future__ import annotations

from datetime import datetime

import numpy as np
from sklearn.datasets import load_breast_cancer

from slad.cli.demo_table import DEVICES, MEASURED, visits


def test_the_same_seed_gives_the_same_table(tmp_path):
    for name in ("a", "b"):
        visits().write(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert visits(1).rows != visits().rows


def test_all_benign_rows_are_there_and_ten_malignant_ones():
    table = visits()
    source = load_breast_cancer()
    assert len(table.rows) == (source.target == 1).sum() + 10
    places = [list(source.feature_names).index(name) for name in MEASURED.values()]
    malignant = {tuple(row) for row in source.data[source.target == 0][:, places]}
    for number, row in enumerate(table.rows):
        if number not in table.planted:
            measured = tuple(float(row[name]) for name in MEASURED)
            assert (measured in malignant) == (number in table.tumours)


def test_rows_that_are_not_corrupted_keep_the_rules_of_the_clinic():
    table = visits()
    for number, row in enumerate(table.rows):
        if number in table.planted:
            continue
        visit = datetime.fromisoformat(row["visit"])
        assert row["device"] in DEVICES[row["clinic"]]
        assert (row["referral"] == "") == (row["walk_in"] == "yes")
        assert visit.weekday() < 5
        assert 8 <= visit.hour < 17


def test_corrupted_rows_are_benign_and_each_in_another_way():
    table = visits()
    assert len(set(table.planted.values())) == len(table.planted) == 8
    assert not table.tumours & set(table.planted)
    assert np.ptp(list(table.planted)) > 100  # spread over the table, not at its end
