"""The results of a command: files first, then text, then the exit code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from order_tables import ROWS, STRANGE, read_csv

FAST = ("--detector", "knn-5", "--id", "order", "--drop", "fraud")


def test_fail_on_anomaly_ends_with_3_only_when_a_row_is_flagged(slad, few, normal):
    words = ("--reference", normal, *FAST, "--fdr", "10%", "--fail-on-anomaly", "--quiet")
    assert slad("detect", few, *words).code == 3
    assert slad("detect", normal, *words).code == 0


def test_a_report_is_one_page(slad, table):
    done = slad("detect", table, *FAST, "--report", "page.html")
    assert done.code == 0
    assert f"A-{STRANGE}" in Path("page.html").read_text()
    assert Path("page.manifest.json").exists()


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


def test_text_goes_to_stderr_where_scores_go_to_stdout_and_quiet_leaves_it_out(slad, table):
    words = ("detect", table, *FAST, "--out", "-")
    loud, quiet = slad(*words), slad(*words, "--quiet")
    assert "The strangest rows:" in loud.err
    assert loud.out == quiet.out
    assert quiet.err == ""


def test_quiet_leaves_the_strangest_rows_and_the_guarantee_on_stdout(slad, table):
    words = ("detect", table, *FAST, "--out", "s.csv")
    assert slad(*words, "--quiet").out == slad(*words).out != ""


def test_every_file_that_was_written_is_named_on_stderr(slad, table):
    done = slad("detect", table, *FAST, "--out", "s.csv", "--report", "p.html")
    for line in ("scores written to s.csv", "report written to p.html", "manifest written to s.ma"):
        assert f"slad: {line}" in done.err


def test_show_says_how_many_rows_are_printed_and_out_explains_all_that_are_flagged(slad, table):
    done = slad("detect", table, *FAST, "--top", "4", "--show", "2", "--out", "s.csv")
    assert [line[:3] for line in done.out.splitlines() if "p-value" in line] == ["  1", "  2"]
    assert sum(bool(row["reason"]) for row in read_csv(Path("s.csv"))) == 4
