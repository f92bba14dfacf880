"""The registry of studies: all load, and their committed records are recognised as done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from slad.detectors import registry
from slad_paper import studies
from slad_paper.datasets.one_class import CASES
from slad_paper.runner.comparison import Comparison
from slad_paper.runner.running import _pending
from slad_paper.studies import STUDIES

HERE = Path(__file__).parents[2]
NETWORKS = {name for name in registry.names() if "epochs" in registry.parameter_names(name)}
WAITING = {"dif", "dte-np", "lof", "iforest", "neighbor-scale", "ocsvm"}
UNFINISHED = {
    "contamination": {"icl", "icl-deepod"},
    "rivals": {"goad"},
    "tables": {f"{name} on {case}" for name in {*NETWORKS, *WAITING} for case in CASES},
}
"""Detectors with runs that no record has yet, and such cases."""


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_has_the_name_that_it_is_listed_under(name):
    study = STUDIES[name].load()
    assert study.name == name
    assert isinstance(study, Comparison) == STUDIES[name].compares


def test_every_study_is_listed():
    folder = Path(studies.__file__).parent
    modules = {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if "\nSTUDY = " in path.read_text()
    }
    assert modules == {entry.module for entry in STUDIES.values()}


def test_the_registry_is_read_without_loading_a_study():
    program = (
        "import sys, slad_paper.studies\n"
        "assert not {'torch', 'numpy', 'sklearn'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.skipif(
    not (HERE / "results").is_dir(), reason="the records are in the repository only"
)
@pytest.mark.parametrize("name", STUDIES)
def test_committed_records_are_done_and_need_neither_data_nor_packages(name, tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    monkeypatch.delenv("SLAD_PEERS", raising=False)
    folder = HERE / "results" / name
    work, _ = STUDIES[name].load().plan(folder=folder, device="cpu")
    pending = _pending(work, folder, retry=False)
    assert {getattr(each, "detector", str(each)) for each in pending} <= UNFINISHED.get(name, set())
    assert work or name == "rivals-peer"  # whose first records are among those of rivals
