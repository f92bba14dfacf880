"""Scales as features: who sees which rows, and that the control is one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from slad_paper.studies import representation as study


@pytest.fixture
def blobs() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    classes = np.arange(60) % 3
    return rng.normal(size=(60, 4)) + 6 * np.eye(3, 4)[classes], classes


def test_pool_and_test_are_halves_of_each_class_without_a_common_row(blobs):
    _, classes = blobs
    pool, test = study.split(classes, None, np.random.default_rng(0))
    assert np.bincount(classes[pool]).tolist() == np.bincount(classes[test]).tolist() == [10] * 3
    assert not set(pool) & set(test)
    pool, test = study.split(classes, 30, np.random.default_rng(0))
    assert len(pool) + len(test) == 30


def test_labels_are_as_many_of_each_class_or_none_at_all(blobs):
    _, classes = blobs
    known = study.labelled(classes, 5, np.random.default_rng(0))
    assert np.bincount(classes[known]).tolist() == [5, 5, 5]
    assert study.labelled(classes, 21, np.random.default_rng(0)) is None


def test_the_control_is_the_same_network_before_training(blobs):
    rows, _ = blobs
    small = {"n_groups": 2, "group_size": 3, "representation_dim": 8, "hidden_dim": 8}
    untrained = study.scales(rows, rows, 0, "cpu", epochs=1, learning_rate=0.0, **small)
    longer = study.scales(rows, rows, 0, "cpu", epochs=9, learning_rate=0.0, **small)
    trained = study.scales(rows, rows, 0, "cpu", epochs=1, **small)
    np.testing.assert_array_equal(untrained, longer)
    assert untrained.shape == trained.shape == (60, 6)
    assert (untrained != trained).any()


def test_detectors_see_no_row_that_tests_and_classifiers_no_label_of_one(blobs, monkeypatch):
    rows, classes = blobs
    seen = []

    def spied(pool, both, seed, device):
        seen.append((pool, both))
        return both

    monkeypatch.setattr(study, "FEATURES", {"raw": spied, "scales": spied})
    found = list(study.accuracies(rows, classes, None, 0, "cpu"))
    for pool, both in seen:
        np.testing.assert_array_equal(pool, both[:30])
        tested = {tuple(row) for row in both[30:]}
        assert not tested & {tuple(row) for row in pool}
    assert {labels for _, _, labels, _ in found} == {5}  # no class has 20 in its pool
    assert {name for name, *_ in found} == {"raw", "scales", study.BOTH}
    assert all(share > 0.9 for *_, share in found)


def test_splits_and_labels_are_the_same_for_all_features(blobs, monkeypatch):
    rows, classes = blobs
    same = {name: lambda pool, both, seed, device: both for name in ("raw", "scales")}
    monkeypatch.setattr(study, "FEATURES", same)
    found = {
        (name, kind): share
        for name, kind, _, share in study.accuracies(rows, classes, None, 1, "cpu")
    }
    for kind in study.CLASSIFIERS:
        assert found["raw", kind] == found["scales", kind]


def test_a_record_is_plain_and_has_a_value_for_every_split(blobs, monkeypatch):
    monkeypatch.setattr(study, "TABLES", {"wine": lambda: blobs, "digits": lambda: blobs})
    raw = {"raw": study.FEATURES["raw"], "scales": study.FEATURES["raw"]}
    monkeypatch.setattr(study, "FEATURES", raw)
    case = study.cases(True)[0]
    result = json.loads(json.dumps(study.run(case, "cpu"), allow_nan=False))
    assert (result["rows"], result["columns"], result["classes"]) == (60, 4, 3)
    assert len(result["accuracy"]["raw"]["5-nn"]["5"]) == case.settings["repeats"]


def test_the_quick_look_needs_no_file():
    assert all(not case.datasets for case in study.cases(True))
    assert [case.name for case in study.cases(False)] == list(study.TABLES)
