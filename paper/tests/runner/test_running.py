"""The runner, with real worker processes: records, resuming, failures, kills."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import plans
import pytest

from slad.core.errors import ConfigError, DataError
from slad_paper.runner.plan import Contender, Run
from slad_paper.runner.running import carry_out

HERE = Path(__file__).parent
PROGRAM = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(HERE)!r})
import plans
from slad_paper.runner.running import carry_out
carry_out(plans.plan(seeds=int(sys.argv[2])), Path(sys.argv[1]), workers=2, device="cpu")
"""


def start(folder: Path, seeds: int = 2) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), str(seeds)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_records(folder: Path, count: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 120
    while len(plans.read(folder)) < count:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < until, "no records came"
        time.sleep(0.02)


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if not listed.exists():
        pytest.skip("this system does not say which processes a process has started")
    return [int(word) for word in listed.read_text().split()]


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed")
    carry_out(plans.plan(), folder, workers=1, device="cpu", command="the command")
    return folder


def test_every_run_has_a_record_with_all_that_made_it(undisturbed):
    found = plans.read(undisturbed)
    assert set(found) == {str(run.path(Path())) for run in plans.plan()}
    for record in found.values():
        assert record["status"] == "ok"
        assert set(record["metrics"]) >= {"auc_roc", "auc_pr", "f1", "partial_auc"}
        assert record["environment"]["command"] == "the command"
        assert record["environment"]["versions"]["torch"]
        assert record["environment"]["cpu_threads"] == 1
        assert record["device"] == "cpu"
        assert record["peak_memory"]["process"] > 50e6
        assert record["seconds"]["fit"] > 0
        assert record["rows"]["train"] + record["rows"]["test"] <= 200
        assert record["max_rows"] == 200
    slad = found[f"{plans.SMALL_SLAD.label}/wine-split0-model0.json"]
    assert slad["parameters"]["epochs"] == 2


def test_what_is_recorded_is_not_run_again(undisturbed):
    before = {path: path.stat().st_mtime_ns for path in undisturbed.rglob("*.jsonl")}
    summary = carry_out(plans.plan(), undisturbed, workers=1, device="cpu")
    assert summary.planned == summary.present == len(plans.plan())
    assert {path: path.stat().st_mtime_ns for path in undisturbed.rglob("*.jsonl")} == before


def test_two_workers_find_what_one_finds(undisturbed, tmp_path):
    carry_out(plans.plan(), tmp_path, workers=2, device="cpu")
    assert plans.results(tmp_path) == plans.results(undisturbed)


def test_killed_in_the_middle_and_started_again_it_finds_the_same(undisturbed, tmp_path):
    process = start(tmp_path)
    wait_for_records(tmp_path, 3, process)
    workers = children(process.pid)
    process.kill()
    process.communicate()
    survivors = plans.read(tmp_path)
    assert 3 <= len(survivors) < len(plans.plan())
    half_written = next(tmp_path.glob("*/")) / ".wine-split9.json.x1y2"  # as a kill may leave it
    half_written.write_text('{"form')
    until = time.monotonic() + 30
    while any(alive(pid) for pid in workers):  # nobody goes on working for a dead runner
        assert time.monotonic() < until
        time.sleep(0.05)
    carry_out(plans.plan(), tmp_path, workers=2, device="cpu")
    assert plans.results(tmp_path) == plans.results(undisturbed)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and not whole(path)]
    after = plans.read(tmp_path)
    assert all(after[name] == record for name, record in survivors.items())


def whole(path: Path) -> bool:
    for record in path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]:
        json.loads(record)
    return path.suffix in (".json", ".jsonl")


def test_ctrl_c_ends_it_at_once_and_leaves_whole_records(tmp_path):
    process = start(tmp_path, seeds=30)
    wait_for_records(tmp_path, 2, process)
    workers = children(process.pid)
    assert workers
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode != 0
    assert not any(alive(pid) for pid in workers)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and not whole(path)]


def test_a_worker_that_is_killed_fails_its_run_and_no_other(tmp_path):
    process = start(tmp_path, seeds=6)
    wait_for_records(tmp_path, 1, process)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    records = plans.read(tmp_path)
    assert len(records) == len(plans.plan(seeds=6))
    failed = [record for record in records.values() if record["status"] == "failed"]
    assert len(failed) == 1
    assert "killed by signal 9" in failed[0]["reason"]
    assert failed[0]["metrics"] is None
    assert "1 failed" in said
    summary = carry_out(plans.plan(seeds=6), tmp_path, device="cpu", retry=True)
    assert summary.failed == 0
    assert {record["status"] for record in plans.read(tmp_path).values()} == {"ok"}


def test_a_run_that_breaks_down_is_recorded_with_its_reason_and_never_as_a_zero(tmp_path):
    broken = Contender(
        "slad-subspaces", dict(plans.SMALL_SLAD.parameters) | {"learning_rate": 1e30}
    )
    runs = plans.plan(1, [broken, Contender("knn-1")], ["wine"])
    summary = carry_out(runs, tmp_path, workers=1, device="cpu")
    assert summary.failed == 1
    fine, record = plans.read(tmp_path).values()
    assert record["status"] == "failed"
    assert record["reason"].startswith("TrainingError: ")
    assert record["metrics"] is None
    assert record["parameters"]["learning_rate"] == 1e30
    assert fine["status"] == "ok"
    assert carry_out(runs, tmp_path, workers=1, device="cpu").present == 2


def test_a_dataset_that_is_not_there_is_a_failure_that_names_it(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "nothing"))
    run = Run("toy", "knn-1", "thyroid", 0, None)
    carry_out([run], tmp_path, workers=1, device="cpu")
    [record] = plans.read(tmp_path).values()
    assert "01-thyroid.csv" in record["reason"]


def test_a_record_made_with_other_parameters_is_refused_before_any_work(undisturbed, tmp_path):
    run = Run("toy", "knn-1", "wine", 0, None, max_rows=200)
    path = run.path(tmp_path)
    path.parent.mkdir(parents=True)
    record = plans.read(undisturbed)["knn-1/wine-split0.json"]
    record["parameters"]["n_neighbors"] = 99
    path.write_text(json.dumps(record))
    with pytest.raises(ConfigError, match=r"n_neighbors=99.*1.*--out"):
        carry_out([run], tmp_path, workers=1, device="cpu")


def test_a_damaged_record_is_named(tmp_path):
    run = Run("toy", "knn-1", "wine", 0, None, max_rows=200)
    run.path(tmp_path).parent.mkdir(parents=True)
    run.path(tmp_path).write_text('{"format": 1,')
    with pytest.raises(DataError, match=r"wine-split0\.json is not JSON.*delete it"):
        carry_out([run], tmp_path, workers=1, device="cpu")


def test_a_second_runner_on_the_same_records_is_refused(tmp_path):
    process = start(tmp_path, seeds=30)
    try:
        wait_for_records(tmp_path, 1, process)
        with pytest.raises(ConfigError, match="another job is writing"):
            carry_out(plans.plan(), tmp_path, workers=1, device="cpu")
    finally:
        process.kill()
        process.communicate()
