"""What holds on a CPU holds on a GPU."""

from __future__ import annotations

import pytest

from slad_paper.runner.packing import recorded
from slad_paper.runner.plan import Contender, runs_of
from slad_paper.runner.running import carry_out

pytestmark = pytest.mark.gpu


def test_a_plan_runs_as_stacks_and_finds_what_the_cpu_finds(tmp_path):
    contenders = [
        Contender("slad-subspaces", {"epochs": 3}),
        Contender("knn-1"),
        Contender("iforest"),
    ]
    seeds = [(0, 0), (1, 1)]
    runs = runs_of("toy", contenders, ["wine", "planted-local"], seeds, max_rows=600)
    for device in ("cpu", "cuda"):
        assert carry_out(runs, tmp_path / device, workers=2, device=device).failed == 0
    found = {device: recorded(tmp_path / device) for device in ("cpu", "cuda")}
    for run in runs:
        here, there = (found[device][run.path(tmp_path / device)] for device in found)
        assert here["parameters"] == there["parameters"]
        assert there["metrics"]["auc_roc"] == pytest.approx(here["metrics"]["auc_roc"], abs=0.02)
        assert there["seconds"]["stacked"] == (4 if run.detector == "slad-subspaces" else 1)
        assert (there["device"] == "cpu") == (run.detector == "iforest")
        assert ("gpu" in there["peak_memory"]) == (run.detector != "iforest")
