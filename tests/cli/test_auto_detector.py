"""--detector auto prints what it takes and why, in one line."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from slad.core.artifact import read_artifact
from slad.detectors.registry import AUTO, AUTO_SHARED

BEST = f"slad: detector: {AUTO} (auto: best average on 867 tables, see docs/accuracy.md)\n"
SHARED = (
    f"slad: detector: {AUTO_SHARED} "
    "(auto: several processes can only train the paper's networks together)\n"
)


def line(said: str) -> str:
    """The line about the detector, if there is exactly one, or nothing."""
    lines = [each for each in said.splitlines(keepends=True) if "slad: detector:" in each]
    assert len(lines) <= 1, lines
    return "".join(lines)


@pytest.fixture
def numbers(tmp_path) -> pa.Table:
    values = np.random.default_rng(0).normal(size=(400, 2))
    table = pa.table({"x": values[:, 0], "y": values[:, 1]})
    parquet.write_table(table, tmp_path / "numbers.parquet")
    csv.write_csv(table, tmp_path / "numbers.csv")
    return table


@pytest.mark.parametrize("words", [[], ["--detector", "auto"], ["--reference", "normal.csv"]])
def test_detect_prints_it(slad, table, normal, words):
    done = slad("detect", table, "--drop", "order", "fraud", *words, "--out", "s.csv")
    assert done.code == 0, done.err
    assert line(done.err) == BEST
    assert f"with {AUTO}\n" in done.err


def test_fit_in_memory_prints_it(slad, numbers):
    done = slad("fit", "numbers.csv", "--out", "m.slad")
    assert done.code == 0, done.err
    assert line(done.err) == BEST


def test_fit_of_a_table_larger_than_memory_prints_it(slad, numbers):
    done = slad("fit", "numbers.parquet", "--memory", "4KB", "--out", "m.slad")
    assert done.code == 0, done.err
    assert line(done.err) == BEST
    assert "of 400 rows\n" in done.err


@pytest.fixture
def by_torchrun(monkeypatch):
    """The environment of one of two processes; a job of real ones is in test_torchrun."""

    def rank(number: int) -> None:
        monkeypatch.setattr("slad.cli.large_fit.FIRST_SPEAKS", 0.0)
        for name, value in {"RANK": number, "LOCAL_RANK": number, "WORLD_SIZE": 2}.items():
            monkeypatch.setenv(name, str(value))
        monkeypatch.setenv("MASTER_ADDR", "127.0.0.1")

    return rank


def test_torchrun_takes_the_papers_networks_and_the_first_process_says_so(
    slad, numbers, by_torchrun
):
    by_torchrun(0)
    first = slad("fit", "numbers.csv", "--out", "m.slad")
    assert first.code == 1  # CSV
    assert line(first.err) == SHARED
    by_torchrun(1)
    assert slad("fit", "numbers.csv", "--out", "m.slad").err == ""


def test_quiet_a_named_detector_and_a_wrong_option_print_nothing_of_it(slad, numbers):
    for words in (["--quiet"], ["--detector", AUTO], ["--fpr", "2"], ["--device", "gpu"]):
        assert line(slad("detect", "numbers.csv", *words).err) == ""


def test_a_model_holds_the_detector_that_was_taken(slad, numbers):
    slad("fit", "numbers.csv", "--quiet", "--out", "m.slad")
    assert read_artifact("m.slad")[0]["parameters"]["detector"] == AUTO


def test_the_help_says_what_auto_takes(slad):
    assert f"auto, which takes {AUTO})" in " ".join(slad("detect", "--help").out.split())
    fit = " ".join(slad("fit", "--help").out.split())
    assert f"auto, which takes {AUTO}, or {AUTO_SHARED} with torchrun)" in fit
