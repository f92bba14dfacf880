"""Every run writes a manifest."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from pathlib import Path

import pytest

FAST = ("--detector", "ecod", "--id", "order", "--drop", "fraud")


def noted(said: str) -> Path:
    line = next(line for line in said.splitlines() if "manifest written to" in line)
    return Path(line.rpartition(" to ")[2])


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["--out", "scores.csv"], "scores.manifest.json"),
        (["--out", "scores.v2.csv.gz"], "scores.v2.manifest.json"),
        (["--out", "-", "--report", "page.html"], "page.manifest.json"),
        (["--report", "page.html", "--out", "scores.csv"], "scores.manifest.json"),
        (["--out", "scores.csv", "--manifest", "note.json"], "note.json"),
    ],
)
def test_it_lies_beside_what_was_written_or_where_told(slad, table, words, name):
    done = slad("detect", table, *FAST, *words)
    assert done.code == 0, done.err
    assert noted(done.err) == Path(name)
    assert Path(name).is_file()


def test_it_holds_what_a_second_run_needs(slad, table):
    slad("detect", table, *FAST, "--out", "scores.csv")
    found = json.loads(Path("scores.manifest.json").read_text())
    assert found["input"]["sha256"] == hashlib.sha256(table.read_bytes()).hexdigest()
    assert found["command"] == shlex.join(
        ["slad", "detect", str(table), *FAST, "--out", "scores.csv"]
    )
    assert found["reproduce"] == [found["command"] + " --seed 0 --fpr 0.01"]
    assert {column["name"] for column in found["columns"] if not column["used"]} == {
        "order", "fraud",
    }  # fmt: skip
    assert set(found["seconds"]) == {"read", "fit", "score", "explain"}
    assert found["versions"]["numpy"]
    before = Path("scores.csv").read_bytes()
    assert slad(*shlex.split(found["reproduce"][0])[1:]).code == 0
    assert Path("scores.csv").read_bytes() == before


def test_without_a_place_it_goes_to_the_cache_and_holds_no_cell(slad, table):
    done = slad("detect", table, *FAST)
    path = noted(done.err)
    assert path.parent == Path(os.environ["XDG_CACHE_HOME"], "slad", "runs")
    text = path.read_text()
    assert "9,999" not in text
    assert "A-37" not in text
    assert json.loads(text)["counts"]["rows"] == 150


def test_a_cache_that_cannot_be_written_is_a_warning_and_no_failure(slad, table, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(table))  # a file
    done = slad("detect", table, *FAST, "--quiet")
    assert done.code == 0
    assert done.err.count("\n") == 1
    assert "warning: manifest not written" in done.err
