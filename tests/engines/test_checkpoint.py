"""Checkpoints: a fit that was killed goes on, and a checkpoint belongs to one job."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from made_up_shards import files_of, model_of, numbers_table, written

from slad.core.errors import ConfigError
from slad.core.state import State
from slad.engines import checkpoint as checkpoints
from slad.engines.fitting import fit_files
from slad.engines.ranks import Processes
from slad.learning.callbacks import Report
from slad.model import TableDetector


class Killed(Exception):
    pass


def killed(folder: Path, path: Path, model: TableDetector, monkeypatch, writes: int) -> None:
    """Fit, and die after so many checkpoints."""
    write, so_far = checkpoints.write_artifact, []

    def write_and_die(*what) -> None:
        write(*what)
        so_far.append(what)
        if len(so_far) == writes:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "write_artifact", write_and_die)
        with pytest.raises(Killed):
            fit_files(model, files_of(folder), checkpoint=path)


@pytest.mark.parametrize("every", [60.0, 0.0])
def test_a_fit_that_was_killed_goes_on_and_ends_with_the_same_model(tmp_path, monkeypatch, every):
    """At the end of an epoch, and in the middle of one."""
    monkeypatch.setattr(checkpoints, "EVERY", every)
    monkeypatch.setattr(
        "slad.detectors.slad.objective.WINDOW_BYTES", {"cpu": 128 * 10 * 128 * 4 * 3}
    )
    monkeypatch.setattr("slad.engines.fitting.BUFFER_ROWS", 300)
    folder = written(tmp_path / "in", numbers_table(1200), files=2, group=100)
    whole = fit_files(model_of(n_groups=6), files_of(folder))
    path = tmp_path / "m.checkpoint"
    killed(folder, path, model_of(n_groups=6), monkeypatch, writes=2)
    said: list[str] = []
    resumed = fit_files(model_of(n_groups=6), files_of(folder), checkpoint=path, say=said.append)
    assert any("resuming from epoch" in line for line in said)
    rows = numbers_table(100, 3)
    np.testing.assert_array_equal(resumed.anomaly_score(rows), whole.anomaly_score(rows))
    assert resumed.history() == whole.history()


def test_a_checkpoint_of_another_job_is_refused_with_what_differs(tmp_path, monkeypatch):
    folder = written(tmp_path / "in", numbers_table(600), files=2, group=100)
    path = tmp_path / "m.checkpoint"
    killed(folder, path, model_of(), monkeypatch, writes=1)
    with pytest.raises(
        ConfigError, match="belongs to another job: parameters epochs was 3 and is 4"
    ):
        fit_files(model_of(epochs=4), files_of(folder), checkpoint=path)
    with pytest.raises(ConfigError, match="belongs to another job: seed was 0 and is 7"):
        fit_files(model_of().set_params(random_state=7), files_of(folder), checkpoint=path)
    written(folder, numbers_table(500), files=2, group=100)
    with pytest.raises(
        ConfigError, match=r"belongs to another job: files .*00\.parquet was \d+ and is \d+"
    ):
        fit_files(model_of(), files_of(folder), checkpoint=path)


JOB = {"seed": 3, "parameters": {"epochs": 4}}


def report(*losses: list[float]) -> Report:
    state = State({"losses": losses}, {"weights": np.arange(3.0)})
    return Report(1, 9, list(losses), [0], torch.zeros(1, 3), lambda: state)


def test_a_checkpoint_lies_beside_its_model_under_the_model_s_whole_name():
    assert checkpoints.beside(Path("a/m.v2.slad")) == Path("a/m.v2.slad.checkpoint")


def test_without_a_file_there_is_nothing_to_resume(tmp_path):
    assert checkpoints.read_checkpoint(tmp_path / "m.checkpoint", JOB) is None


def test_the_training_state_comes_back_as_it_was_at_the_end_of_the_last_epoch(tmp_path):
    path, processes = tmp_path / "m.checkpoint", Processes()
    callback = checkpoints.Checkpoint(path, JOB, processes, epoch=0)
    callback.keep(report([0.5], [0.4, 0.3]))
    values, arrays = checkpoints.read_checkpoint(path, JOB)
    assert values == {"losses": [[0.5], [0.4, 0.3]]}
    np.testing.assert_array_equal(arrays["weights"], np.arange(3.0))
    assert processes.hint == "start the same command again to resume from epoch 3"


def test_in_the_middle_of_an_epoch_it_is_written_only_after_a_while(tmp_path, monkeypatch):
    path = tmp_path / "m.checkpoint"
    callback = checkpoints.Checkpoint(path, JOB, Processes(), epoch=1)
    callback.keep(report([0.5]))
    assert not path.exists()
    monkeypatch.setattr(checkpoints, "EVERY", 0.0)
    callback.keep(report([0.5]))
    assert path.exists()


def test_only_the_first_process_writes_and_every_one_knows_where_the_job_would_resume(tmp_path):
    second = Processes()
    second.rank = 1
    checkpoints.Checkpoint(tmp_path / "m.checkpoint", JOB, second, 0).keep(report([0.5]))
    assert not list(tmp_path.iterdir())
    assert second.hint.endswith("resume from epoch 2")


@pytest.mark.parametrize(
    ("job", "message"),
    [
        ({"seed": 4, "parameters": {"epochs": 4}}, "seed was 3 and is 4"),
        ({"seed": 3, "parameters": {"epochs": 5}}, "parameters epochs was 4 and is 5"),
        ({"seed": 3, "parameters": {"epochs": 4, "lr": 1}}, "parameters lr was None and is 1"),
        (JOB | {"rows": 9}, "rows was None and is 9"),
        ({"seed": 3}, r"parameters was \{'epochs': 4\} and is None"),
    ],
)
def test_whatever_differs_between_two_jobs_is_named(tmp_path, job, message):
    path = tmp_path / "m.checkpoint"
    checkpoints.Checkpoint(path, JOB, Processes(), 0).keep(report([0.5]))
    with pytest.raises(ConfigError, match=f"{message}. Delete it to start from the beginning"):
        checkpoints.read_checkpoint(path, job)
