"""slad detect, from a file to decisions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from order_tables import STRANGE, orders, read_csv, write_csv

SUBSPACES = ("--detector", "slad", "--set", "epochs=1", "n_groups=4")
FAST = ("--detector", "knn-5", "--id", "order", "--drop", "fraud")


def test_the_strangest_row_comes_first_with_its_id_its_reason_and_the_promise(slad, table):
    done = slad("detect", table, *FAST)
    assert done.code == 0
    first = done.out.split("\n\n")[1]
    assert f"row {STRANGE}, A-{STRANGE}" in first
    assert "price is 9,999" in first
    assert "--fpr 0.01 is the default" in done.out.splitlines()[-1]


def test_a_reference_is_learned_from_and_the_file_only_judged(slad, few, normal):
    done = slad("detect", few, "--reference", normal, *FAST, "--fdr", "10%", "--out", "s.csv")
    assert done.code == 0, done.err
    assert "known to be normal" in done.out
    found = json.loads(Path("s.manifest.json").read_text())
    assert found["reference"]["name"] == "normal.csv"
    assert found["calibration"]["clean"] is True
    assert [row["id"] for row in found["rows"] if row["flagged"]] == [f"A-{STRANGE}"]


def test_false_discoveries_cannot_be_promised_without_a_reference(slad, table):
    done = slad("detect", table, *FAST, "--fdr", "0.1")
    assert done.code == 2
    assert "--reference FILE" in done.err
    assert "reading" not in done.err


def test_the_label_measures_and_is_never_learned_from(slad, table):
    words = ("detect", table, "--detector", "knn-5", "--id", "order", "--quiet")
    with_label = slad(*words, "--label", "fraud", "--out", "a.csv")
    without = slad(*words, "--drop", "fraud", "--out", "b.csv")
    assert with_label.code == without.code == 0
    assert "Compared with fraud (1 = anomaly, 1 row): AUC-ROC 1.000, AUC-PR 1.000" in with_label.out
    scores = [[row["score"] for row in read_csv(Path(name))] for name in ("a.csv", "b.csv")]
    assert scores[0] == scores[1]


@pytest.mark.parametrize(
    ("values", "message"),
    [([0], "1 different values"), ([0, 1, 2], "3 different values")],
)
def test_a_label_that_does_not_tell_two_kinds_apart_is_refused(slad, table, values, message):
    rows = [row | {"fraud": values[at % len(values)]} for at, row in enumerate(orders())]
    write_csv(table, rows)
    done = slad("detect", table, "--label", "fraud")
    assert done.code == 1
    assert message in done.err
    assert "learning" not in done.err


def test_rows_near_the_threshold_are_unsure_where_asked(slad, table):
    slad("detect", table, *SUBSPACES, "--reject", "0.99", "--out", "s.csv")
    decisions = {row["decision"] for row in read_csv(Path("s.csv"))}
    assert "unsure" in decisions


def test_the_same_seed_gives_the_same_file(slad, table):
    words = ("detect", table, "--id", "order", *SUBSPACES, "--device", "cpu")
    for name in ("a.csv", "b.csv"):
        assert slad(*words, "--out", name).code == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


def test_a_file_taken_for_a_column_gets_a_hint(slad, table):
    done = slad("detect", "--drop", "weight", table)
    assert done.code == 2
    assert "slad detect FILE --drop A B" in done.err
