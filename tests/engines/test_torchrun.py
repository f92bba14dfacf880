"""Two processes of torchrun: as good as one, and when one dies the job says so and goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from made_up_shards import numbers_table, strange_rows, written
from sklearn.metrics import roc_auc_score

from slad.core.artifact import read_artifact
from slad.engines.fitting import fit_files
from slad.engines.torchrun import started_by_torchrun
from slad.model import TableDetector

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="finds the processes of a job in /proc"
)
EPOCHS = 12


def test_torchrun_is_known_by_all_of_its_variables():
    every = dict.fromkeys(("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR"), "0")
    assert started_by_torchrun(every)
    for name in every:
        assert not started_by_torchrun({key: "0" for key in every if key != name})


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with a table in four files."""
    folder = tmp_path_factory.mktemp("job")
    written(folder / "in", numbers_table(2400), files=4, group=200)
    return folder


def start(place: Path, *words: str) -> subprocess.Popen[str]:
    launch = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    options = ["--device", "cpu", "--set", f"epochs={EPOCHS}", "--calibration", "split"]
    return subprocess.Popen(
        [sys.executable, *launch, "-m", "slad", "fit", "in", *options, *words],
        cwd=place,
        env=os.environ | {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def whole(place) -> tuple[Path, str]:
    """A model that two processes fitted undisturbed, and what they printed."""
    job = start(place, "--out", "whole.slad")
    printed, said = job.communicate(timeout=120)
    assert job.returncode == 0, said
    assert said.count("slad: detector: slad (auto: several processes can only train") == 1
    return place / "whole.slad", printed


def test_two_processes_learn_what_one_does_and_one_of_them_speaks(place, whole):
    model, printed = whole
    assert printed.count("2,400 rows of 4 files in in, streamed by 2 processes") == 1
    assert not list(place.glob("whole.slad.checkpoint"))
    two = TableDetector.load(model, device="cpu")
    one = fit_files(
        TableDetector("slad", parameters={"epochs": EPOCHS}, device="cpu"),
        sorted((place / "in").glob("*.parquet")),
    )
    rows, strange = strange_rows(500)
    aucs = [roc_auc_score(strange, each.anomaly_score(rows)) for each in (one, two)]
    assert min(aucs) > 0.9
    assert abs(aucs[0] - aucs[1]) < 0.01
    assert two.plan_ == one.plan_
    np.testing.assert_allclose(
        two.fold_models_[0].detector._scaler.center,
        one.fold_models_[0].detector._scaler.center,
        rtol=1e-12,
    )


def test_a_killed_process_ends_the_job_with_a_sentence_and_a_second_start_ends_it_well(
    place, whole
):
    job = start(place, "--out", "killed.slad")
    until = time.monotonic() + 120
    while not (place / "killed.slad.checkpoint").exists():
        assert job.poll() is None, job.communicate()
        assert time.monotonic() < until
        time.sleep(0.002)
    os.kill(pid_of_rank(1, job.pid), signal.SIGKILL)
    died = time.monotonic()
    _, said = job.communicate(timeout=120)
    assert job.returncode != 0
    assert time.monotonic() - died < 60
    told = re.findall(
        r"^slad: rank 1 of 2 died: start the same command again to resume from epoch \d+$",
        said,
        re.MULTILINE,
    )
    assert len(told) == 1, said
    again = start(place, "--out", "killed.slad")
    _, said = again.communicate(timeout=120)
    assert again.returncode == 0, said
    assert re.search(r"resuming from epoch \d+", said)
    same_arrays(place / "killed.slad", whole[0])


def same_arrays(one: Path, other: Path) -> None:
    mine, theirs = read_artifact(one)[1], read_artifact(other)[1]
    assert mine.keys() == theirs.keys()
    for name, array in mine.items():
        np.testing.assert_array_equal(array, theirs[name], err_msg=name)


def pid_of_rank(rank: int, parent: int) -> int:
    """The process of a job that has this rank."""
    for folder in Path("/proc").iterdir():
        try:
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) != parent:
                continue
            if f"RANK={rank}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                return int(folder.name)
        except (OSError, ValueError, IndexError):
            continue
    raise AssertionError(f"no process of rank {rank}")
