"""A saved model on a real Ray of this machine: the same scores, and a dead actor loses no row."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import loads
import pytest
import rows

ray = pytest.importorskip("ray", reason="pip install 'slad[ray]'")

from slad.engines import ray as engine  # noqa: E402

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def cluster(ray_cluster):
    return ray_cluster


@pytest.fixture(scope="module")
def model():
    return rows.fitted()


@pytest.fixture
def saved(model, tmp_path) -> Path:
    model.save(tmp_path / "m.slad")
    return tmp_path / "m.slad"


def by_id(dataset) -> list[tuple[int, float]]:
    return [(row["order"], row["score"]) for row in dataset.take_all()]


def test_ray_gives_the_scores_of_this_process(model, saved, tmp_path):
    folder = rows.files(tmp_path / "in")
    found = by_id(engine.score(saved, ray.data.read_parquet(str(folder)), workers=1))
    here = rows.expected(model, folder)
    assert len(found) == len(here)
    assert dict(found) == pytest.approx(here, abs=1e-6)


def test_every_actor_loads_the_model_once(saved, tmp_path):
    folder = rows.files(tmp_path / "in")
    log = tmp_path / "log"
    read = ray.data.read_parquet(str(folder), override_num_blocks=8)
    assert len(by_id(engine.score(saved, read, workers=2, scorer=loads.counting(log)))) == 8000
    at_work = loads.counted(log, "batch")
    assert set(at_work) <= set(loads.counted(log, "load"))
    assert set(loads.counted(log, "load").values()) == {1}


def test_an_actor_killed_in_the_middle_of_a_job_loses_no_row(model, saved, tmp_path):
    folder = rows.files(tmp_path / "in", count=8, rows=4000)
    dataset = engine.score(saved, ray.data.read_parquet(str(folder)), workers=1)
    found: list[tuple[int, float]] = []
    job = threading.Thread(target=lambda: found.extend(by_id(dataset)))
    before = set(actors())
    job.start()
    until = time.monotonic() + 120
    killed = 0
    while job.is_alive() and not killed and time.monotonic() < until:
        for pid in set(actors()) - before:
            time.sleep(1.0)
            os.kill(pid, signal.SIGKILL)
            killed += 1
            break
        time.sleep(0.01)
    job.join(240)
    here = rows.expected(model, folder)
    assert len(found) == len(here)
    assert dict(found) == pytest.approx(here, abs=1e-6)
    assert killed == 1, "the job ended before an actor could be killed"


def actors() -> list[int]:
    """Processes of Ray's actors that map batches."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if b"MapWorker" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found
