"""Records: written whole, read under today's names, with the commit of both packages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import slad
from slad_paper.runner import records
from slad_paper.runner.records import environment, named_as_today, read_single, write_record


def test_a_record_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "deep" / "record.json"
    write_record(path, {"value": 1})
    with pytest.raises(ValueError, match="JSON"):
        write_record(path, {"value": float("nan")})
    assert json.loads(path.read_text()) == {"value": 1}
    assert [file.name for file in path.parent.iterdir()] == ["record.json"]


def test_the_environment_names_versions_and_command():
    found = environment()
    assert found["versions"]["torch"]
    assert found["command"]
    assert environment("slad do it")["command"] == "slad do it"


def old(**content):
    return content | {"environment": {"slad": "0.1.0"}}


@pytest.mark.parametrize(
    ("record", "today"),
    [
        (old(detector="slad"), old(detector="neighbor-scale")),
        (old(detector="slad[weighting=equal]"), old(detector="neighbor-scale[weighting=equal]")),
        (old(detector="slad-subspaces"), old(detector="slad-subspaces")),
        (old(runs=[{"detector": "slad"}]), old(runs=[{"detector": "neighbor-scale"}])),
        (
            old(hits=[{"method": "occlusion (slad)"}, {"method": "z-scores"}]),
            old(hits=[{"method": "occlusion (neighbor-scale)"}, {"method": "z-scores"}]),
        ),
    ],
)
def test_records_of_before_0_2_have_today_s_names_of_detectors(record, today):
    assert named_as_today(record) == today
    new = record | {"environment": {"slad": "0.2.0"}}
    assert named_as_today(new) == new


def test_a_record_named_after_a_detector_is_found_under_its_former_name(tmp_path):
    record = old(detector="slad")
    (tmp_path / "slad.json").write_text(json.dumps(record))
    assert read_single(tmp_path / "neighbor-scale.json") == old(detector="neighbor-scale")
    new = {"detector": "slad", "environment": {"slad": "0.2.0"}}
    (tmp_path / "slad.json").write_text(json.dumps(new))
    assert read_single(tmp_path / "neighbor-scale.json") is None
    assert read_single(tmp_path / "slad.json") == new


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A repository with both packages, from which records seem to be written."""
    packages = [tmp_path / "src" / "slad", tmp_path / "paper" / "src" / "slad_paper"]
    for package in packages:
        (package / "runner").mkdir(parents=True)
        (package / "__init__.py").touch()
    monkeypatch.delenv("SLAD_COMMIT", raising=False)
    monkeypatch.setattr(slad, "__file__", str(packages[0] / "__init__.py"))
    monkeypatch.setattr(records, "__file__", str(packages[1] / "runner" / "records.py"))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "one")
    return tmp_path


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.parametrize("changed", ["src/slad/new.py", "paper/src/slad_paper/__init__.py"])
def test_a_change_of_either_package_marks_the_commit(copy, changed):
    head = git(copy, "rev-parse", "HEAD")
    assert records._commit.__wrapped__() == head
    (copy / "results.json").touch()  # a change elsewhere is no change of the source
    assert records._commit.__wrapped__() == head
    (copy / changed).write_text("# changed")
    assert records._commit.__wrapped__() == f"{head}-changed"


def test_no_commit_where_the_packages_are_not_in_one_repository(copy, tmp_path, monkeypatch):
    elsewhere = tmp_path / "installed" / "slad"
    elsewhere.mkdir(parents=True)
    (elsewhere / "__init__.py").touch()
    monkeypatch.setattr(slad, "__file__", str(elsewhere / "__init__.py"))
    assert records._commit.__wrapped__() is None
    monkeypatch.setenv("SLAD_COMMIT", "told")
    assert records._commit.__wrapped__() == "told"
