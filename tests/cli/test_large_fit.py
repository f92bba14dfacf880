"""`slad fit` of several files: in memory or as a stream, by their size, and and what errors say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from slad.core.locks import locked

FAST = (
    *("--detector", "slad", "--set", "epochs=1", "n_groups=4"),
    *("--calibration", "split", "--device", "cpu"),
)


@pytest.fixture
def folder(tmp_path) -> Path:
    """Three Parquet files."""
    (tmp_path / "in").mkdir()
    for at in range(3):
        rng = np.random.default_rng(at)
        rows = {"x": rng.normal(size=150), "y": rng.normal(size=150), "shop": ["a", "b"] * 75}
        parquet.write_table(pa.table(rows), tmp_path / "in" / f"{at}.parquet")
    return tmp_path / "in"


def test_files_that_fit_are_read_as_one_table(slad, folder):
    for words in (["in"], ["in/*.parquet"], ["in/0.parquet", "in/1.parquet", "in/2.parquet"]):
        done = slad("fit", *words, "--out", "m.slad", *FAST)
        assert done.code == 0, done.err
        assert "450 rows" in done.out
        assert "streamed" not in done.out


def test_files_beyond_the_memory_are_streamed_and_the_checkpoint_is_gone_afterwards(slad, folder):
    done = slad("fit", "in/*.parquet", "--memory", "1KB", "--out", "m.slad", *FAST)
    assert done.code == 0, done.err
    assert "m.slad: model fitted on 450 rows of 3 files in in, streamed" in done.out
    assert "as a stream" in done.err
    assert not Path("m.slad.checkpoint").exists()
    judged = slad("score", "m.slad", "in/0.parquet", "--out", "scores.csv", "--device", "cpu")
    assert judged.code == 0, judged.err
    assert "3 files in in, 450 rows" in slad("info", "m.slad").out


def test_other_detectors_learn_from_a_sample_that_fits_and_say_so(slad, folder):
    done = slad("fit", "in", "--memory", "4KB", "--detector", "knn-5", "--out", "m.slad")
    assert done.code == 0, done.err
    assert "of 450 rows of 3 files in in, a sample" in done.out
    assert "note: learned from a random" in done.err
    assert "of 450 rows" in slad("info", "m.slad", "--json").out


def test_a_text_file_that_is_too_large_is_refused_with_the_way_out(slad, folder):
    csv.write_csv(parquet.read_table(folder), folder.parent / "rows.csv")
    done = slad("fit", "rows.csv", "--memory", "1KB", "--out", "m.slad")
    assert done.code == 1
    assert "only Parquet can be streamed; convert the table to Parquet" in done.err


def test_a_pattern_without_a_match_a_mixed_folder_and_mixed_columns_are_named(slad, folder):
    assert "no file matches in/*.pq" in slad("fit", "in/*.pq", "--out", "m.slad").err
    parquet.write_table(pa.table({"x": ["text"] * 20}), folder / "3.parquet")
    done = slad("fit", "in", "--memory", "1KB", "--out", "m.slad")
    assert done.code == 1
    assert "in/3.parquet: column 'x' holds string, and double in the files before it" in done.err
    (folder / "rows.csv").write_text("x\n1\n")
    assert "files of several formats" in slad("fit", "in", "--out", "m.slad").err


def test_a_second_job_for_the_same_model_is_refused(slad, folder):
    with locked(Path("m.slad.checkpoint")):
        done = slad("fit", "in", "--memory", "1KB", "--out", "m.slad", *FAST)
    assert done.code == 2
    assert "another job is writing to m.slad.checkpoint" in done.err


def test_files_without_rows_are_named(slad, folder):
    empty = pa.table({"x": pa.array([], pa.float64())})
    parquet.write_table(empty, "none.parquet")
    done = slad("fit", "none.parquet", "--out", "m.slad")
    assert done.code == 1
    assert "none.parquet: there are no rows" in done.err


def test_several_processes_want_parquet_and_slad(slad, folder, monkeypatch):
    for name, value in {
        "RANK": "0",
        "WORLD_SIZE": "1",
        "LOCAL_RANK": "0",
        "MASTER_ADDR": "127.0.0.1",
    }.items():
        monkeypatch.setenv(name, value)
    done = slad("fit", "in", "--detector", "knn-5", "--out", "m.slad")
    assert done.code == 2
    assert (
        "knn-5 cannot be trained by several processes: use slad, slad-released or slad-paper"
        in done.err
    )
    csv.write_csv(parquet.read_table(folder), folder.parent / "rows.csv")
    assert (
        "several processes can only read Parquet" in slad("fit", "rows.csv", "--out", "m.slad").err
    )
    monkeypatch.setenv("WORLD_SIZE", "9")
    done = slad("fit", "in", "--out", "m.slad")
    assert "3 row groups cannot be divided among 9 processes: start fewer" in done.err
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setattr("slad.cli.large_fit.FIRST_SPEAKS", 0.0)
    silent = slad("fit", "in", "--out", "m.slad")
    assert (silent.code, silent.out, silent.err) == (1, "", "")


@pytest.mark.parametrize("word", ["2", "much", "-1XB"])
def test_a_size_without_a_unit_is_refused(slad, folder, word):
    done = slad("fit", "in", f"--memory={word}", "--out", "m.slad")
    assert done.code == 2
    assert "is not a size; use 500MB or 2GB" in done.err
