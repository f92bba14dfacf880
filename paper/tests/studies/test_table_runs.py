"""A detector on a table: what it learns from, how own rows are scored, what fails alone."""

from __future__ import annotations

import numpy as np
import pytest

from made_up_tables import NAMES, write_tables
from slad.core.errors import ConfigError
from slad.decisions import Standard
from slad.detectors import KNN, Detector, registry
from slad_paper.datasets.one_class import Rows, one_class_table, rows_of
from slad_paper.studies.table_runs import (
    SHOWN,
    TableRun,
    carry_out,
    detector_of,
    folds_of,
    measured,
)

SMALL_SLAD = (
    "slad-subspaces[n_groups=3,group_size=4,representation_dim=8,hidden_dim=8,epochs=2,n_members=1]"
)


@pytest.fixture(autouse=True)
def tables(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    write_tables(tmp_path)


@pytest.mark.parametrize(("case", "clean"), [("clean", True), ("own", False), ("mixed", False)])
def test_a_detector_that_knows_of_cases_is_told_which_one_it_is_in(case, clean):
    assert detector_of("learned-signals", case).get_params()["clean"] is clean


def test_a_label_is_a_name_with_parameters_or_one_of_this_study():
    assert detector_of("knn-5", "clean").get_params()["n_neighbors"] == 5
    assert detector_of("knn-5[scaling=minmax]", "clean").get_params()["scaling"] == "minmax"
    assert detector_of("knn-50", "own").get_params()["n_neighbors"] == 50
    with pytest.raises(ConfigError, match="no detector is called 'knn-60'"):
        detector_of("knn-60", "own")


def test_folds_differ_in_seed_and_starts_do_not():
    seeds = [detector_of("iforest", "own", fold).get_params()["random_state"] for fold in (0, 0, 1)]
    assert seeds[0] == seeds[1] != seeds[2]


@pytest.mark.parametrize("case", ["clean", "mixed"])
def test_other_rows_are_judged_by_one_fit_on_all_training_rows(case):
    rows = rows_of(one_class_table(NAMES[0]), case)
    scores = KNN(n_neighbors=5).fit(rows.train).anomaly_score(rows.judged)
    [outcome] = carry_out([TableRun("knn-5", case, NAMES[0])], "cpu")
    assert outcome["status"] == "ok"
    assert outcome["metrics"] == measured(rows.labels, scores)
    assert tuple(outcome["metrics"]) == SHOWN


def test_every_own_row_is_scored_by_a_fold_that_did_not_see_it_in_its_unit():
    rows = rows_of(one_class_table(NAMES[1]), "own")
    folds = folds_of(rows)
    assert len(folds) == 5
    scores = np.full(len(rows.judged), np.nan)
    for fold in folds:
        assert not set(fold.train) & set(fold.held)
        held = KNN(n_neighbors=1).fit(rows.train[fold.train]).anomaly_score(rows.judged[fold.held])
        scores[fold.held] = Standard.fit(held).apply(held)
    [outcome] = carry_out([TableRun("knn-1", "own", NAMES[1])], "cpu")
    assert outcome["metrics"] == measured(rows.labels, scores)


def test_large_tables_that_judge_themselves_have_two_folds():
    rows = np.zeros((10_000, 1))
    assert len(folds_of(Rows(rows, rows, np.zeros(10_000, int), own=True))) == 2


@pytest.mark.parametrize("case", ["clean", "own"])
def test_tables_that_train_as_one_stack_get_what_they_get_alone(case):
    runs = [TableRun(SMALL_SLAD, case, name) for name in NAMES[:2]]
    together = list(carry_out(runs, "cpu"))
    alone = [outcome for run in runs for outcome in carry_out([run], "cpu")]
    assert [each["metrics"] for each in together] == [each["metrics"] for each in alone]


def test_a_table_that_breaks_a_stack_fails_alone(monkeypatch):
    monkeypatch.setattr(
        "slad_paper.studies.table_runs.rows_of",
        lambda table, case: _broken(rows_of(table, case), table.name == NAMES[1]),
    )
    outcomes = list(carry_out([TableRun("knn-1", "clean", name) for name in NAMES[:3]], "cpu"))
    assert [each["status"] for each in outcomes] == ["ok", "failed", "ok"]
    assert outcomes[1]["metrics"] is None
    assert outcomes[1]["reason"].startswith("DataError: ")


def _broken(rows: Rows, broken: bool) -> Rows:
    return Rows(rows.train * np.nan, rows.judged, rows.labels, rows.own) if broken else rows


def test_a_detector_of_any_name_can_be_made():
    for name in registry.names():
        assert isinstance(detector_of(name, "own"), Detector)
