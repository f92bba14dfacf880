from __future__ import annotations

import json

import numpy as np
import pytest

from slad.core.errors import DataError
from slad.experiments import fidelity
from slad.experiments.records import environment, write_record


def test_half_of_the_normal_rows_train_and_all_others_test_in_random_order():
    labels = np.repeat([0, 1], [101, 20])
    train, test = fidelity.split(labels, seed=3)
    assert len(train) == 50
    assert not labels[train].any()
    assert sorted(np.concatenate([train, test])) == list(range(121))
    assert (np.diff(labels[test]) != 0).sum() > 5  # not the normals first, the anomalies after
    assert not np.array_equal(train, np.sort(train))


def test_a_dataset_s_name_decides_only_the_documented_epochs_and_scaling():
    changed = {"epochs", "scaling"}
    plain = fidelity.make("released", "bank", 0).get_params()
    for dataset in fidelity.DATASETS:
        for name, value in fidelity.make("released", dataset, 0).get_params().items():
            assert name in changed or value == plain[name]
        assert fidelity.make("default", dataset, 0).get_params()["epochs"] == 10


def test_a_run_is_recorded_with_what_made_it(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.normal(size=(60, 3)), rng.normal(size=(9, 3)) + 8])
    np.savez(tmp_path / "toy.npz", X=rows, y=np.repeat([0, 1], [60, 9]))
    toy = fidelity.Printed("toy.npz", (0.99, 0.01), (0.99, 0.01))
    monkeypatch.setitem(fidelity.DATASETS, "toy", toy)
    record = fidelity.run("default", "toy", tmp_path, seeds=(1, 2))
    assert len(record["auc_roc"]) == 2
    assert min(record["auc_roc"]) > 0.9
    assert record["parameters"]["epochs"] == 10
    write_record(tmp_path / "default-toy.json", record)
    row = next(line for line in fidelity.table(tmp_path) if line.startswith("| toy"))
    assert f"{np.mean(record['auc_roc']):.3f}" in row


def test_a_missing_dataset_is_named_with_the_way_out(tmp_path):
    with pytest.raises(DataError, match=r"01-thyroid\.csv.*SLAD_DATA"):
        fidelity.run("released", "thyroid", tmp_path)


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
