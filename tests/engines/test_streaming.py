"""Scores of files larger than memory: the same rows, the same scores, and a kill loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from pyarrow import csv, parquet
from rows import table

from slad.core.errors import ConfigError, DataError
from slad.engines import BatchScorer, stream_scores, streaming
from slad.model import TableDetector


@pytest.fixture(scope="module")
def model() -> TableDetector:
    return TableDetector("knn-5", id="order", level=0.02).fit(table(400))


@pytest.fixture
def folder(tmp_path) -> Path:
    """Three Parquet files, one of them in a folder of its own."""
    (tmp_path / "in" / "more").mkdir(parents=True)
    for at, name in enumerate(("a.parquet", "b.parquet", "more/c.parquet")):
        rows = table(500, at + 1, 1000 * at)
        parquet.write_table(rows, tmp_path / "in" / name, row_group_size=170)
    return tmp_path / "in"


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.parquet"))


def test_parts_hold_the_ids_in_order_and_the_scores_of_the_whole_table(
    model, folder, tmp_path, monkeypatch
):
    monkeypatch.setattr(streaming, "ROWS_AT_ONCE", 64)
    done = stream_scores(BatchScorer(model), files(folder), tmp_path / "out")
    assert [each.part.relative_to(tmp_path / "out").as_posix() for each in done] == [
        "a.parquet",
        "b.parquet",
        "more/c.parquet",
    ]
    for each in done:
        scores = parquet.read_table(each.part)
        rows = parquet.read_table(each.source)
        judged = model.judge(rows)
        assert scores["order"].to_pylist() == rows["order"].to_pylist()
        np.testing.assert_allclose(scores["score"], judged.scores, atol=1e-12)
        np.testing.assert_array_equal(scores["decision"], judged.decisions)
        assert each.rows == 500
        assert each.flagged == judged.flags.sum()


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_batches_that_are_scored_at_once_come_in_order_with_the_scores_of_one_by_one(
    folder, tmp_path, two_threads, monkeypatch
):
    monkeypatch.setattr(streaming, "ROWS_AT_ONCE", 150)
    monkeypatch.setattr(streaming, "PIECE", 60)
    few = {"epochs": 1, "n_groups": 4, "representation_dim": 16, "hidden_dim": 12}
    slad = TableDetector("slad", parameters=few, id="order", calibration="split")
    torch.set_num_threads(1)  # training gains nothing from two
    scorer = BatchScorer(slad.fit(table(400)))
    torch.set_num_threads(2)
    assert scorer.is_shared
    threads: set[int] = set()
    judge = scorer.model.judge
    monkeypatch.setattr(
        scorer.model, "judge", lambda rows: threads.add(threading.get_ident()) or judge(rows)
    )
    for each in stream_scores(scorer, files(folder), tmp_path / "out"):
        rows = parquet.read_table(each.source)
        found = parquet.read_table(each.part)
        assert found["order"].equals(rows["order"])
        assert parquet.ParquetFile(each.part).num_row_groups == 4  # of 150 rows, or what is left
        np.testing.assert_allclose(found["score"], judge(rows).scores, rtol=0, atol=1e-9)
    assert threading.get_ident() not in threads
    assert torch.get_num_threads() == 2


@pytest.mark.gpu
@pytest.mark.parametrize("detector", ["neighbor-scale", "slad"])
def test_a_gpu_that_several_threads_feed_gives_the_scores_of_the_cpu(
    detector, folder, tmp_path, two_threads, monkeypatch
):
    monkeypatch.setattr(streaming, "ROWS_AT_ONCE", 150)
    monkeypatch.setattr(streaming, "PIECE", 60)
    model = TableDetector(detector, id="order", calibration="split", device="cpu")
    model.fit(table(400)).save(tmp_path / "m.slad")
    on_gpu = BatchScorer.load(tmp_path / "m.slad", device="cuda")
    for each in stream_scores(on_gpu, files(folder), tmp_path / "out"):
        found = parquet.read_table(each.part)["score"]
        expected = model.judge(parquet.read_table(each.source)).scores
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_a_second_start_scores_nothing_again_and_knows_what_was_flagged(model, folder, tmp_path):
    first = stream_scores(BatchScorer(model), files(folder), tmp_path / "out")
    times = [each.part.stat().st_mtime_ns for each in first]
    again = stream_scores(BatchScorer(model), files(folder), tmp_path / "out")
    assert all(each.skipped for each in again)
    assert [each.flagged for each in again] == [each.flagged for each in first]
    assert [each.part.stat().st_mtime_ns for each in again] == times


def test_files_that_came_later_are_added(model, folder, tmp_path):
    stream_scores(BatchScorer(model), files(folder), tmp_path / "out")
    parquet.write_table(table(50, 9, 9000), folder / "d.parquet")
    done = stream_scores(BatchScorer(model), files(folder), tmp_path / "out")
    assert [each.source.name for each in done if not each.skipped] == ["d.parquet"]


def test_scores_of_another_rule_or_of_changed_files_are_not_mixed(model, folder, tmp_path):
    stream_scores(BatchScorer(model), files(folder), tmp_path / "out")
    parquet.write_table(table(501), folder / "a.parquet")
    with pytest.raises(ConfigError, match=r"a\.parquet has changed since"):
        stream_scores(BatchScorer(model), files(folder), tmp_path / "out")
    other = TableDetector("knn-5", id="order", level=0.05).fit(table(400))
    with pytest.raises(ConfigError, match="made with another level"):
        stream_scores(BatchScorer(other), files(folder), tmp_path / "out")


def test_a_folder_of_something_else_and_the_input_s_own_are_refused(model, folder, tmp_path):
    with pytest.raises(ConfigError, match="is the folder of the input"):
        stream_scores(BatchScorer(model), files(folder), folder)
    (tmp_path / "else").mkdir()
    parquet.write_table(table(5), tmp_path / "else" / "x.parquet")
    with pytest.raises(ConfigError, match="of something else"):
        stream_scores(BatchScorer(model), files(folder), tmp_path / "else")


def test_a_damaged_file_ends_the_job_with_its_name_and_leaves_no_half(model, folder, tmp_path):
    (folder / "b.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match=r"b\.parquet is not a complete Parquet file"):
        stream_scores(BatchScorer(model), files(folder), tmp_path / "out")
    left = sorted(path.name for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert left == ["_job.json", "a.parquet"]


def test_text_files_are_scored_as_well(model, tmp_path):
    csv.write_csv(table(100, 3), tmp_path / "rows.csv")
    [done] = stream_scores(BatchScorer(model), [tmp_path / "rows.csv"], tmp_path / "out")
    assert done.part.name == "rows.parquet"
    assert parquet.read_table(done.part)["order"].to_pylist() == list(range(100))


def test_killed_at_any_time_the_job_goes_on_and_no_row_is_lost_or_doubled(model, tmp_path):
    model.save(tmp_path / "m.slad")
    (tmp_path / "in").mkdir()
    for at in range(6):
        parquet.write_table(table(4000, at, 10_000 * at), tmp_path / "in" / f"{at}.parquet")
    words = ["score", "m.slad", "in", "--out", "out/", "--device", "cpu"]

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "slad", *words],
            cwd=tmp_path,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    killed = start()
    until = time.monotonic() + 120
    while len(list(tmp_path.glob("out/*.parquet"))) < 2:
        assert killed.poll() is None, killed.communicate()
        assert time.monotonic() < until
        time.sleep(0.002)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("out/*.parquet")}
    again = start()
    printed, said = again.communicate(timeout=120)
    assert again.returncode == 0, said
    assert all(path.stat().st_mtime_ns == time_ for path, time_ in before.items())
    whole = parquet.read_table(tmp_path / "out")
    assert sorted(whole["order"].to_pylist()) == sorted(
        10_000 * at + row for at in range(6) for row in range(4000)
    )
    assert "24,000 rows" in printed
    assert not [path.name for path in tmp_path.glob("out/.*")]
