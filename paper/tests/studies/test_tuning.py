"""The tuning suite as an experiment: its plan, and a mixed task through a worker."""

from __future__ import annotations

import numpy as np
import pytest

from slad.core.errors import DataError
from slad_paper.datasets.readers.task import content_sum
from slad_paper.datasets.suite import manifest, tasks
from slad_paper.runner.plan import Contender, runs_of
from slad_paper.runner.worker import carry_out
from slad_paper.studies.tuning import STUDY


@pytest.mark.usefixtures("everything_at_hand")
def test_every_task_is_run_with_three_seeds_that_split_anew():
    runs, missing = STUDY.plan(detectors=["knn-1", "iforest"])
    assert not missing
    assert len(runs) == 2 * 3 * len(tasks())
    assert {run.split_seed for run in runs} == {0, 1, 2}
    assert {run.max_rows for run in runs} == {None}


@pytest.mark.usefixtures("everything_at_hand")
def test_a_quick_look_takes_two_small_tasks_one_of_them_mixed():
    runs, _ = STUDY.plan(detectors=["knn-1"], quick=True)
    chosen = [manifest.task(run.dataset) for run in runs]
    assert [task.mixed for task in chosen] == [False, True]
    assert all(task.rows < 400 for task in chosen)


def test_a_suite_that_was_not_built_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setenv("SLAD_SUITE", str(tmp_path))
    with pytest.raises(DataError, match=r"none of the datasets of tuning is at hand"):
        STUDY.plan(detectors=["knn-1"])


def test_a_mixed_task_reaches_a_detector_as_numbers(monkeypatch, tmp_path):
    pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=200), rng.integers(0, 3, 200)]).astype(np.float32)
    y = (np.arange(200) % 20 == 0).astype(np.uint8)
    X[y == 1, 1] = 5
    X[::9, 0] = np.nan
    name, gaps = "suite-made-up-mixed", int(np.isnan(X).sum())
    about = (name, "made-up", "class", "here", 200, 2, 10, (1,), gaps, "none")
    task = manifest.Task(*about, content_sum(X, y))
    np.savez(tmp_path / f"{name}.npz", X=X, y=y)
    monkeypatch.setenv("SLAD_SUITE", str(tmp_path))
    monkeypatch.setattr(manifest, "_by_name", lambda: {name: task})
    [outcome] = carry_out(runs_of("tuning", [Contender("knn-1")], [name], [(0, 0)]), "cpu")
    assert outcome["status"] == "ok", outcome["reason"]
    assert outcome["rows"]["features"] > 2
    assert outcome["sha256"] == task.sha256
    assert outcome["metrics"]["auc_roc"] > 0.9  # a value that no training row has
