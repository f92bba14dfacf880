"""A saved model on a real Spark: the same scores, and a dead worker loses no row."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import loads
import pytest
import rows

pytest.importorskip("pyspark", reason="pip install 'slad[spark]'")

from slad.engines import spark

pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("ignore"),  # of pyspark, which are not ours
]


@pytest.fixture(scope="module")
def session(spark_session):
    return spark_session


@pytest.fixture(scope="module")
def model():
    return rows.fitted()


@pytest.fixture
def saved(model, tmp_path) -> Path:
    model.save(tmp_path / "m.slad")
    return tmp_path / "m.slad"


def by_id(frame) -> list[tuple[int, float]]:
    return [(row["order"], row["score"]) for row in frame.select("order", "score").collect()]


def test_spark_gives_the_scores_of_this_process(session, model, saved, tmp_path):
    folder = rows.files(tmp_path / "in")
    frame = spark.score(saved, session.read.parquet(str(folder)))
    assert frame.columns == ["order", "score", "error", "pvalue", "decision"]
    found, here = by_id(frame), rows.expected(model, folder)
    assert len(found) == len(here)
    assert dict(found) == pytest.approx(here, abs=1e-6)


def test_a_folder_is_scored_into_a_folder_and_its_own_columns_can_come_along(
    session, saved, tmp_path
):
    folder = rows.files(tmp_path / "in", count=2, rows=300)
    assert spark.score_files(session, saved, str(folder), str(tmp_path / "out")) == 600
    frame = spark.score(saved, session.read.parquet(str(folder)), keep_columns=True)
    assert frame.columns[:4] == ["order", "price", "weight", "item"]


def test_every_worker_process_loads_the_model_once(session, saved, tmp_path):
    folder = rows.files(tmp_path / "in")
    log = tmp_path / "log"
    rows_read = session.read.parquet(str(folder))
    frame = spark.score(saved, rows_read, scorer=loads.counting(log))
    assert frame.count() == len(frame.collect()) == 8000  # two jobs, several partitions each
    at_work = loads.counted(log, "batch")
    assert sum(at_work.values()) > 8
    assert set(at_work) <= set(loads.counted(log, "load"))
    assert set(loads.counted(log, "load").values()) == {1}


def test_a_worker_killed_in_the_middle_of_a_job_loses_no_row(session, model, saved, tmp_path):
    folder = rows.files(tmp_path / "in", count=8, rows=4000)
    frame = spark.score(saved, session.read.parquet(str(folder)))
    found: list[tuple[int, float]] = []
    job = threading.Thread(target=lambda: found.extend(by_id(frame)))
    tracker = session.sparkContext.statusTracker()
    job.start()
    until = time.monotonic() + 120
    killed = 0
    while job.is_alive() and not killed and time.monotonic() < until:
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        if any(stage and 0 < stage.numCompletedTasks < stage.numTasks for stage in stages):
            os.kill(workers()[0], signal.SIGKILL)
            killed += 1
        time.sleep(0.01)
    job.join(240)
    here = rows.expected(model, folder)
    assert len(found) == len(here)
    assert dict(found) == pytest.approx(here, abs=1e-6)
    assert killed == 1, "the job ended before a worker could be killed"


def workers() -> list[int]:
    """Processes of Spark's Python workers: children of its daemon."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                of_daemon = b"pyspark.daemon" in Path(f"/proc/{parent}/cmdline").read_bytes()
            except (OSError, ValueError):
                continue
            if b"daemon" in command and of_daemon:
                found.append(int(entry.name))
    return found
