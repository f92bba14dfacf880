"""`slad reproduce tables`: its plan, its records, and what a stopped start leaves."""

from __future__ import annotations

import json

import numpy as np
import pytest

from made_up_tables import NAMES, write_tables
from slad.cli import main
from slad.core.errors import ConfigError
from slad.detectors import ECOD
from slad_paper.datasets.one_class import CASES, one_class_table, rows_of
from slad_paper.runner.partial import Partial
from slad_paper.runner.running import carry_out
from slad_paper.studies.table_runs import SHOWN, measured
from slad_paper.studies.tables import CONTENDERS, LISTING, STUDY, write_record


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "data"))
    write_tables(tmp_path / "data")
    return tmp_path / "records"


def start(folder, label="ecod", case="own"):
    work, missing = STUDY.plan(folder=folder, detectors=[label], cases=[case], workers=1)
    assert not missing
    return carry_out(work, folder, device="cpu")


def read(folder, name="ecod on own"):
    return json.loads((folder / f"{name}.json").read_text())


def test_a_record_holds_each_metric_of_all_tables_in_the_order_of_the_listing(folder):
    assert start(folder, case="clean").failed == 0
    record = read(folder, "ecod on clean")
    found, result = [], record["result"]
    for name in NAMES:
        rows = rows_of(one_class_table(name), "clean")
        found.append(measured(rows.labels, ECOD().fit(rows.train).anomaly_score(rows.judged)))
    for metric in SHOWN:
        assert result[metric] == [each[metric] for each in found]
    assert result["failures"] == {}
    assert len(result["seconds"]) == result["tables"] == len(NAMES)
    assert record["settings"]["parameters"] == {"contamination": "auto"}
    lines = (folder / LISTING).read_text().splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == list(NAMES)
    assert {path.name for path in folder.iterdir()} >= {"ecod on clean.json", LISTING}
    assert not list(folder.glob("*.partial"))


def test_a_stopped_start_is_gone_on_with_and_nothing_is_done_twice(folder):
    folder.mkdir()
    [case], _ = STUDY.plan(folder=folder, detectors=["ecod"], cases=["own"])
    done = {"status": "ok", "reason": None, "metrics": dict.fromkeys(SHOWN, 0.125), "seconds": 1.0}
    Partial(folder / "ecod on own.partial", case.identity()).add(NAMES[1], done)
    start(folder)
    assert read(folder)["result"]["auc_roc"].count(0.125) == 1
    assert read(folder)["result"]["auc_roc"][1] == 0.125
    assert start(folder).present == 1


def test_a_table_that_fails_is_named_with_its_reason_and_has_no_figures(folder):
    path = one_class_table(NAMES[2]).path
    path.unlink()
    start(folder)
    result = read(folder)["result"]
    assert list(result["failures"]) == [NAMES[2]]
    assert "is not there" in result["failures"][NAMES[2]]
    assert [value is None for value in result["auc_pr"]] == [False, False, True, False]


def test_records_of_other_tables_are_not_mixed(folder):
    start(folder)
    (folder / LISTING).write_text("name,collection,group,features\n")
    with pytest.raises(ConfigError, match="lists other tables than those at hand"):
        start(folder, "copod")


def test_a_plan_is_all_detectors_in_all_cases_and_reads_no_table(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    work, _ = STUDY.plan(folder=tmp_path)
    assert len(work) == len(CONTENDERS) * len(CASES)
    with pytest.raises(ConfigError, match="no case of tables is called 'dirty'"):
        STUDY.plan(cases=["dirty"])
    with pytest.raises(ConfigError, match="no detector is called 'knn-6'"):
        STUDY.plan(detectors=["knn-6"])


def test_a_detector_that_learned_from_these_tables_takes_part_only_where_it_is_named():
    assert "learned-signals" not in CONTENDERS


def test_scores_from_elsewhere_are_recorded_as_those_made_here(folder):
    start(folder, "ecod", "clean")
    scores = {}
    for name in NAMES:
        rows = rows_of(one_class_table(name), "clean")
        scores[name] = ECOD().fit(rows.train).anomaly_score(rows.judged)
    label = "learned-signals (cross-validated)"
    path = write_record(folder, label, "clean", scores, {"splits": 5})
    assert path == folder / f"{label} on clean.json"
    given, made = read(folder, path.stem), read(folder, "ecod on clean")
    assert {metric: given["result"][metric] for metric in SHOWN} == {
        metric: made["result"][metric] for metric in SHOWN
    }
    assert given["settings"]["splits"] == 5
    assert given["settings"]["detector"] == label


def test_scores_from_elsewhere_must_be_of_all_tables_and_a_case(folder):
    with pytest.raises(ConfigError, match="scores of 4 tables are missing, as of 'oddbench__a'"):
        write_record(folder, "mine", "clean", {}, {})
    scores = {name: np.zeros(1) for name in NAMES}
    with pytest.raises(ConfigError, match="no case is called 'dirty'"):
        write_record(folder, "mine", "dirty", scores, {})


def test_the_command_makes_records_and_prints_their_page(folder, capsys):
    words = ["reproduce", "tables", "--detectors", "ecod", "knn-1", "--cases", "clean"]
    assert main([*words, "--out", str(folder), "--workers", "1", "--no-pictures"]) == 0
    printed = capsys.readouterr()
    assert "TPR at 1 % FPR" in printed.out
    assert "4 tables of ecod on clean to do" in printed.err
    assert (folder / "report" / "tables.md").is_file()
