"""slad detect, from a file to decisions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest
from order_tables import ROWS, STRANGE, orders, read_csv, write_csv

SUBSPACES = ("--detector", "slad", "--set", "epochs=1", "n_groups=4")
FAST = ("--detector", "knn-5", "--id", "order", "--drop", "fraud")


def test_the_strangest_row_comes_first_with_its_id_its_reason_and_the_promise(slad, table):
    done = slad("detect", table, *FAST)
    assert done.code == 0
    first = done.out.split("\n\n")[1]
    assert f"row {STRANGE}, A-{STRANGE}" in first
    assert "price is 9,999" in first
    assert "--fpr 0.01 is the default" in done.out.splitlines()[-1]


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


def test_a_guessed_anomaly_is_said_and_positive_overrules_it(slad, table):
    rows = [row | {"fraud": "blue" if row["fraud"] else "green"} for row in orders()]
    write_csv(table, rows)
    words = ("detect", table, "--detector", "ecod", "--id", "order", "--label", "fraud")
    assert "blue is taken as the anomaly because it is the rarer value" in slad(*words).out
    said = slad(*words, "--positive", "green").out
    assert "green = anomaly" in said
    assert "rarer" not in said


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


def test_fail_on_anomaly_ends_with_3_only_when_a_row_is_flagged(slad, few, normal):
    words = ("--reference", normal, *FAST, "--fdr", "10%", "--fail-on-anomaly", "--quiet")
    assert slad("detect", few, *words).code == 3
    assert slad("detect", normal, *words).code == 0


def test_rows_near_the_threshold_are_unsure_where_asked(slad, table):
    slad("detect", table, *SUBSPACES, "--reject", "0.99", "--out", "s.csv")
    decisions = {row["decision"] for row in read_csv(Path("s.csv"))}
    assert "unsure" in decisions


def test_the_same_seed_gives_the_same_file(slad, table):
    words = ("detect", table, "--id", "order", *SUBSPACES, "--device", "cpu")
    for name in ("a.csv", "b.csv"):
        assert slad(*words, "--out", name).code == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


def test_a_report_is_one_page(slad, table):
    done = slad("detect", table, *FAST, "--report", "page.html")
    assert done.code == 0
    assert f"A-{STRANGE}" in Path("page.html").read_text()
    assert Path("page.manifest.json").exists()


def test_progress_is_on_stderr_and_quiet_silences_it(slad, table):
    assert "learning from 150 rows" in slad("detect", table, *FAST).err
    assert slad("detect", table, *FAST, "--quiet").err == ""


def test_a_table_comes_through_a_pipe_and_a_reader_may_leave_early(table):
    program = f"{sys.executable} -W error -m slad detect"
    script = (
        f"set -o pipefail; cat {table} | {program} - --detector ecod --top 2 --out s.csv --quiet "
        "| head -n 1"
    )
    done = subprocess.run(["bash", "-c", script], cwd=table.parent, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("stdin: 2 of 150 rows")
    assert len(read_csv(table.parent / "s.csv")) == ROWS


def test_a_file_taken_for_a_column_gets_a_hint(slad, table):
    done = slad("detect", "--drop", "weight", table)
    assert done.code == 2
    assert "slad detect FILE --drop A B" in done.err
