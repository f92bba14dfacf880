from __future__ import annotations

import json

import pytest

from slad.cli import main
from slad.core.errors import DataError
from slad_paper.runner.packing import recorded
from slad_paper.runner.records import REFERENCE
from slad_paper.studies import rivals

HEAD = "detector,dataset,runs,auc_roc,auc_roc_std,auc_pr,auc_pr_std,train_rows,features\n"
LINES = (
    "dsvdd,02-arrhythmia,1,0.7819,0.0000,0.5640,0.0000,193,274\n"
    "dsvdd,45_wine,1,0.9,0.0000,0.6,0.0000,59,13\n"
    "slad_released,45_wine,2,0.9,0.01,0.6,0.01,59,13\n"
)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "figures.csv"
    path.write_text(HEAD + LINES)
    return path


def test_figures_come_under_our_names_and_other_detectors_are_left_out(file):
    first, second = rivals.read_figures(file)
    assert first == {
        "detector": "dsvdd",
        "dataset": "arrhythmia",
        "runs": 1,
        "train_rows": 193,
        "features": 274,
        "auc_roc": 0.7819,
        "auc_pr": 0.564,
    }
    assert second["dataset"] == "45_wine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("detector,dataset\n", "no column runs, auc_roc"),
        (HEAD, "no line of any of icl"),
        (HEAD + "icl,nowhere,1,1,0,1,0,1,1\n", "'nowhere', which is no dataset"),
        (HEAD + "icl,45_wine,1,good,0,1,0,1,1\n", "icl on 45_wine: could not convert"),
    ],
)
def test_a_file_of_another_kind_is_refused_by_what_it_lacks(file, text, said):
    file.write_text(text)
    with pytest.raises(DataError, match=said):
        rivals.read_figures(file)


def test_what_is_kept_is_read_back_and_says_what_it_is(file, tmp_path):
    figures = rivals.read_figures(file)
    rivals.keep(figures, tmp_path / "rivals")
    assert rivals.kept(tmp_path / "rivals") == figures
    content = json.loads((tmp_path / "rivals" / REFERENCE).read_text())
    assert "DeepOD 0.4.1, 50 epochs, one seed" in content["note"]
    assert content["compared"]["icl-deepod"] == "icl"
    with pytest.raises(DataError, match=rivals.SOURCE):
        rivals.kept(tmp_path / "nowhere")


@pytest.fixture
def folder(file, tmp_path, monkeypatch):
    monkeypatch.setenv(rivals.SOURCE, str(file))
    return tmp_path / "rivals"


@pytest.mark.data
def test_there_is_a_run_for_every_figure_and_seed_with_the_defaults(folder, data_root):
    runs, left_out = rivals.STUDY.plan(detectors=["dsvdd", "goad"], folder=folder)
    assert left_out == ["goad"]
    assert [(run.dataset, run.split_seed, run.model_seed) for run in runs] == [
        ("arrhythmia", 42, 42),
        ("arrhythmia", 42, 43),
        ("45_wine", 42, 42),
        ("45_wine", 42, 43),
    ]
    assert {run.max_rows for run in runs} == {10_000}
    assert all(run.parameters == {} for run in runs)
    assert runs[0].make("cpu").epochs == 50
    chosen, _ = rivals.STUDY.plan(detectors=["dsvdd"], datasets=["45_wine"], folder=folder)
    assert chosen == runs[2:]


@pytest.mark.data
def test_a_second_start_runs_nothing_and_needs_no_file(folder, monkeypatch, capsys, data_root):
    monkeypatch.setattr(rivals, "COMPARED", {"dsvdd": "dsvdd"})
    words = ["reproduce", "rivals", "--out", str(folder), "--device", "cpu", "--no-pictures"]
    assert main(words) == 0
    assert "4 runs to do" in capsys.readouterr().err
    before = recorded(folder)
    record = next(iter(before.values()))
    assert record["experiment"] == "rivals"
    monkeypatch.delenv(rivals.SOURCE)
    assert main(words) == 0
    assert "4 are recorded already" in capsys.readouterr().err
    assert recorded(folder) == before
