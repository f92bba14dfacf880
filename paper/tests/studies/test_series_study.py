"""The study of time series: what is planted, what is held out, what a record holds."""

from __future__ import annotations

import json

import numpy as np
import pytest

from slad_paper.datasets import Series, find, names
from slad_paper.studies import series as study
from slad_paper.studies.series_faults import FAULTS, planted


def waves(length: int) -> np.ndarray:
    time = np.arange(length) / 5
    noise = np.random.default_rng(length).normal(scale=0.05, size=(length, 3))
    return np.stack([np.sin(time), np.cos(time), 0 * time], axis=1) + noise * [1, 1, 0]


@pytest.fixture
def toy(monkeypatch) -> Series:
    test, labels = waves(120), np.zeros(120, dtype=int)
    test[50:60, 0] += 3
    labels[50:60] = 1
    made = Series("omi-1", waves(200), test, labels, ("a", "b", "c"), find("omi-1"))
    monkeypatch.setattr(study, "load_series", lambda name: made)
    few = {name: study.DETECTORS[name] for name in ("knn-5", "iforest", "z-scores", "chance")}
    monkeypatch.setattr(study, "DETECTORS", few)
    return made


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_changes_the_marked_points_of_channels_that_move_and_nothing_else(kind):
    head, tail = waves(300), waves(400)
    spoilt, labels = planted(kind, tail, head, np.random.default_rng(0))
    changed = spoilt != tail
    assert 0 < labels.sum() < len(labels)
    assert not changed[labels == 0].any()
    assert changed[labels == 1].any()
    assert not changed[:, 2].any()  # it never moves


def test_faults_are_spread_over_short_series_too():
    _, labels = planted("level", waves(80), waves(300), np.random.default_rng(0))
    assert 5 <= labels.sum() < 31


def test_every_series_of_the_catalog_is_judged_and_the_choice_sees_no_more():
    cases = {case.name: case for case in study.cases(False)}
    judged = {name: case for name, case in cases.items() if not name.startswith("choice-")}
    assert [*judged] == [*names("series"), "skab"]
    assert judged["skab"].settings["series"] == names("skab")
    assert all(case.settings["seeds"] == [0, 1, 2] for case in judged.values())
    quick = study.cases(True)
    assert {name for case in quick for name in case.datasets} <= {"msl-gdn", names("skab")[0]}
    for case in [*cases.values(), *quick]:
        json.dumps(dict(case.settings))


def test_detectors_learn_from_the_first_part_and_the_threshold_comes_from_the_rest(
    toy, monkeypatch
):
    seen = {}

    def fit(head, stride, seed, device):
        seen["head"] = head
        return lambda rows: rows[:, 0]

    monkeypatch.setattr(study, "DETECTORS", {"first channel": fit})
    (case,) = [case for case in study.cases(False) if case.name == "omi-1"]
    result = study.run(case, "cpu")["series"][0]
    np.testing.assert_array_equal(seen["head"], toy.train[:160])
    threshold = result["picture"]["scores"]["first channel"][-1]
    assert threshold == pytest.approx(np.quantile(toy.train[160:, 0], 0.99), rel=1e-3)
    alarms = (toy.test[:, 0] > np.quantile(toy.train[160:, 0], 0.99)).mean()
    assert result["results"]["first channel"][0]["alarms"] == pytest.approx(alarms)


def test_a_record_is_plain_and_has_a_run_for_every_seed_that_matters(toy):
    (case,) = [case for case in study.cases(False) if case.name == "omi-1"]
    result = json.loads(json.dumps(study.run(case, "cpu"), allow_nan=False))["series"][0]
    assert [len(runs) for runs in result["results"].values()] == [1, 3, 1, 3]
    assert result["events"] == 1
    assert result["results"]["knn-5"][0]["auc_roc"] > 0.9
    assert len(result["picture"]["labels"]) == 120
    assert len(result["picture"]["scores"]["knn-5"]) == 121


def test_the_choice_looks_at_the_part_that_trains_alone(toy, monkeypatch):
    object.__setattr__(toy, "test", None)
    object.__setattr__(toy, "labels", None)
    monkeypatch.setattr(study, "WAYS", {"spans": study.WAYS["spans"]})
    (case,) = [case for case in study.cases(False) if case.name == "choice-omi-1"]
    result = study.run(case, "cpu")["series"][0]
    assert set(result["results"]["spans"]) == set(FAULTS)


def test_what_weighs_one_for_each_cell_is_slad_on_windows_as_rows():
    plain, shared = (study.WAYS[way](0, "cpu") for way in ("cells, each weighs 1", "cells"))
    assert plain.detector.magnification == study.WINDOW * shared.detector.magnification
