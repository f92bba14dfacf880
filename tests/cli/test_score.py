"""slad score: a saved model used on other tables."""

from __future__ import annotations

from pathlib import Path

from order_tables import ROWS, STRANGE, orders, read_csv, write_csv


def test_scores_of_a_saved_model_name_the_strange_row(slad, model, table):
    done = slad("score", model, table, "--label", "fraud", "--out", "scores.csv")
    assert done.code == 0, done.err
    assert f"A-{STRANGE}" in done.out.split("\n\n")[1]
    assert "AUC-ROC 1.000" in done.out
    assert len(read_csv(Path("scores.csv"))) == ROWS


def test_the_rule_can_be_another_one_at_scoring(slad, model, table):
    slad("score", model, table, "--top", "7", "--out", "scores.csv")
    assert sum(row["decision"] == "strange" for row in read_csv(Path("scores.csv"))) == 7


def test_columns_may_come_in_another_order_but_not_be_missing(slad, model, table):
    slad("score", model, table, "--out", "a.csv")
    turned = [dict(reversed(row.items())) | {"new": 1} for row in orders()]
    write_csv(table, turned)
    assert slad("score", model, table, "--out", "b.csv").code == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    write_csv(table, [{k: v for k, v in row.items() if k != "price"} for row in orders()])
    done = slad("score", model, table, "--out", "c.csv")
    assert done.code == 1
    assert "price" in done.err
    assert not Path("c.csv").exists()


def test_columns_that_the_model_does_not_know_are_named_in_one_line(slad, model, table):
    write_csv(table, [row | {"colour": "red", "size": 3} for row in orders()])
    done = slad("score", model, table)
    assert done.code == 0, done.err
    assert done.err.count("colour, size") == 1
    assert slad("score", model, table, "--id", "item").code == 0
    named = slad("score", model, table, "--label", "fraud", "--id", "colour")
    assert "ignored, because the model does not know them: size\n" in named.err


def test_scoring_the_table_that_was_learned_from_is_remarked_on(slad, model, normal, table):
    assert "use slad detect to score the rows of one table" in slad("score", model, normal).err
    assert "use slad detect" not in slad("score", model, table).err


def test_a_table_in_which_everything_changed_is_remarked_on(slad, model, table):
    changed = [row | {"price": float(row["price"]) * 40} for row in orders()]
    write_csv(table, changed)
    done = slad("score", model, table)
    assert "caution: 100% of its rows score like the strangest 10%" in done.err
    assert "did something change for all rows?" in done.err
