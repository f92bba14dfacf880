from __future__ import annotations

import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from made_up_records import record, write
from slad.core.errors import ConfigError
from slad_paper.pages import build

LONG = "slad[epochs=20,loss=jensen_shannon]"
NAMES = ("slad", "slad-released", "iforest", "knn-1", "lof", LONG)


def runs(experiment: str) -> list[dict]:
    rng = np.random.default_rng(0)
    names = ("thyroid", "bank") if experiment == "effectiveness" else ("1_ALOI", "10_cover", "3_x")
    return [
        record(name, data, *rng.uniform(0.5, 1, 2), model=model, experiment=experiment)
        for name in NAMES
        for data in names
        for model in (1, 2)
    ]


@pytest.mark.parametrize("experiment", ["effectiveness", "adbench"])
def test_pictures_are_whole_files_and_the_same_twice(tmp_path, experiment):
    folder = write(tmp_path, *runs(experiment))
    for out in ("first", "second"):
        build(folder, tmp_path / out)
    first = {path.name: path.read_bytes() for path in (tmp_path / "first").iterdir()}
    second = {path.name: path.read_bytes() for path in (tmp_path / "second").iterdir()}
    assert first == second
    count = 2 if experiment == "effectiveness" else 5
    pictures = {name: content for name, content in first.items() if name.endswith("svg")}
    assert len(pictures) == count
    for content in pictures.values():
        assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
        assert b"<dc:date>" not in content
        assert len(content) > 10_000


def test_markdown_shows_the_pictures_that_were_written_and_no_others(tmp_path):
    folder = write(tmp_path, *runs("adbench"))
    build(folder, tmp_path / "with")
    build(folder, tmp_path / "without", pictures=False)
    with_pictures = (tmp_path / "with" / "adbench.md").read_text()
    for name in ("ranks-auc-roc", "ranks-auc-pr", "values"):
        assert f"(adbench-{name}.svg)" in with_pictures
        assert (tmp_path / "with" / f"adbench-{name}.svg").exists()
    assert "![" not in (tmp_path / "without" / "adbench.md").read_text()
    assert {path.suffix for path in (tmp_path / "without").iterdir()} == {".md", ".csv"}


def test_no_half_written_file_is_left_behind(tmp_path):
    build(write(tmp_path, *runs("adbench")), tmp_path / "out", pictures=False)
    assert not [path.name for path in (tmp_path / "out").iterdir() if path.name.startswith(".")]


def test_drawing_leaves_matplotlib_s_settings_alone(tmp_path):
    import matplotlib

    with matplotlib.rc_context({"font.size": 33}):
        before = dict(matplotlib.rcParams)
        build(write(tmp_path, *runs("adbench")), tmp_path / "out")
        assert dict(matplotlib.rcParams) == before


def test_without_matplotlib_one_line_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    shown = build(write(tmp_path, *runs("adbench")), tmp_path / "out")
    assert "avg. rank" in shown
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {".md", ".csv"}
    assert capsys.readouterr().err.splitlines() == [
        "no pictures, matplotlib is not installed: pip install 'slad-paper[pictures]'"
    ]


def test_records_of_several_experiments_make_several_reports(tmp_path):
    folders = [write(tmp_path, *runs(name)) for name in ("effectiveness", "adbench")]
    shown = build(folders, tmp_path / "out", pictures=False)
    assert "on ADBench" in shown
    assert "the paper's datasets" in shown
    assert {"adbench.md", "effectiveness.md"} <= {p.name for p in (tmp_path / "out").iterdir()}


def test_reports_go_to_a_folder_of_their_experiment_unless_told(tmp_path, monkeypatch):
    folder = write(tmp_path, *runs("adbench"))
    monkeypatch.chdir(tmp_path)
    build(folder, pictures=False)
    assert (tmp_path / "report" / "adbench" / "adbench.md").exists()


def test_an_experiment_without_a_report_is_named_before_anything_is_written(tmp_path):
    folder = write(tmp_path, record(experiment="adbensch"))
    with pytest.raises(ConfigError, match="'adbensch'; did you mean adbench"):
        build(folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()
