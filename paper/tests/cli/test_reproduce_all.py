"""Every table and figure of the paper, as a quick look, by one command."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from slad_paper.cli.reproduce import RUNS, STUDIES


@pytest.mark.data
def test_every_experiment_runs_and_reports_in_a_quick_look(tmp_path, data_root):
    words = ["reproduce", "all", "--quick", "--out", str(tmp_path), "--device", "cpu"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "slad", *words, "--no-pictures"],
        env=os.environ | {"SLAD_DATA": str(data_root), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "is left out:" not in done.stderr
    for name in (*RUNS, *STUDIES):
        page = (tmp_path / name / "report" / f"{name}.md").read_text()
        assert page.startswith("# ")
        assert page.count("|") > 10, f"{name} has no table"
