"""Results as tables: scores by row, reasons by row and rank."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet
from order_tables import ROWS, STRANGE, orders, read_csv, write_csv

from slad.cli.result_tables import write_table

FAST = ("--detector", "knn-5", "--id", "order", "--drop", "fraud")


def test_out_holds_every_row_in_order_with_a_decision(slad, table, tmp_path):
    assert slad("detect", table, *FAST, "--top", "3", "--out", "scores.csv").code == 0
    rows = read_csv(tmp_path / "scores.csv")
    assert list(rows[0]) == ["row", "id", "score", "error", "pvalue", "decision", "reason"]
    assert [row["row"] for row in rows] == [str(number) for number in range(1, ROWS + 1)]
    strange = [row for row in rows if row["decision"] == "strange"]
    assert len(strange) == 3
    assert f"A-{STRANGE}" in {row["id"] for row in strange}
    assert all(row["reason"] for row in strange)


def test_out_can_carry_the_columns_of_the_table_in_another_format(slad, table, tmp_path):
    rows = [row | {"score": 1} for row in orders()]
    write_csv(table, rows)
    done = slad("detect", table, *FAST, "--with-columns", "--out", "scores.parquet")
    assert done.code == 0, done.err
    names = pyarrow.parquet.read_table(tmp_path / "scores.parquet").column_names
    assert names[-6:] == ["order", "item", "price", "weight", "fraud", "score (table)"]


def test_scores_on_stdout_are_csv_and_nothing_else(slad, table):
    done = slad("detect", table, *FAST, "--out", "-", "--quiet")
    lines = done.out.splitlines()
    assert len(lines) == ROWS + 1
    assert lines[0].startswith('"row","id","score"')
    assert done.err.strip() == ""


def test_reasons_can_be_a_table(slad, model, few):
    slad("explain", model, few, "--rows", "5,1", "--out", "reasons.csv", "--reasons", "1")
    lines = read_csv(Path("reasons.csv"))
    assert list(lines[0]) == ["row", "id", "rank", "columns", "contribution", "share", "reason"]
    assert "price" in lines[0]["columns"]


def test_a_missing_id_column_leaves_the_id_out(slad, model, table):
    write_csv(table, [{k: v for k, v in row.items() if k != "order"} for row in orders()])
    assert slad("score", model, table, "--out", "s.csv").code == 0
    assert list(read_csv(Path("s.csv"))[0])[:2] == ["row", "score"]
    words = ("--rows", f"{STRANGE}", "--out", "reasons.csv")
    assert slad("explain", model, table, *words).code == 0
    assert list(read_csv(Path("reasons.csv"))[0])[:2] == ["row", "rank"]


def test_an_error_that_is_unknown_is_missing_and_not_nan(slad, table, normal):
    words = ("--reference", normal, *FAST, "--calibration", "split", "--fpr", "5%")
    done = slad("detect", table, *words, "--out", "s.parquet")
    assert done.code == 0, done.err
    scores = pyarrow.parquet.read_table("s.parquet")
    assert scores["error"].null_count == ROWS
    assert scores["score"].null_count == 0


def test_reasons_are_ranked_within_each_row_and_rows_come_as_they_were_asked_for(slad, model, few):
    assert slad("explain", model, few, "--rows", "5,1", "--out", "reasons.csv").code == 0
    lines = read_csv(Path("reasons.csv"))
    assert list(dict.fromkeys(line["row"] for line in lines)) == ["5", "1"]
    for row in ("5", "1"):
        ranks = [int(line["rank"]) for line in lines if line["row"] == row]
        assert ranks == list(range(1, len(ranks) + 1))
    assert {line["id"] for line in lines if line["row"] == "5"} == {f"A-{STRANGE}"}


def test_a_table_without_a_row_still_has_its_columns(tmp_path, capfdbinary):
    empty = pyarrow.table({"row": pyarrow.array([], pyarrow.int64()), "reason": ["x"][:0]})
    write_table(empty, str(tmp_path / "none.csv"))
    write_table(empty, "-")
    assert (tmp_path / "none.csv").read_text() == '"row","reason"\n'
    assert capfdbinary.readouterr().out == b'"row","reason"\n'
