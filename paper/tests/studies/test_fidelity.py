from __future__ import annotations

import json

import numpy as np
import pytest

from slad.core.errors import DataError
from slad_paper.runner.records import environment, write_record
from slad_paper.studies import fidelity


def test_every_variant_is_the_released_recipe_with_one_thing_changed():
    plain = fidelity.SLAD.released().get_params()
    for name, change in fidelity.VARIANTS.items():
        changed = fidelity.SLAD.released(**change).get_params()
        different = [key for key in plain if plain[key] != changed[key]]
        assert different == list(change)
        assert len(change) == (0 if name == "released" else 1)


def test_a_run_is_recorded_with_what_made_it_and_printed(tmp_path):
    record = fidelity.run("kl", "wine", seeds=(1, 2))
    assert len(record["auc_roc"]) == len(record["auc_pr"]) == 2
    assert min(record["auc_roc"]) > 0.5
    assert record["parameters"]["epochs"] == 100
    assert record["parameters"]["loss"] == "kl"
    write_record(fidelity.record_path(tmp_path, "kl", "thyroid"), record)
    row = next(line for line in fidelity.table(tmp_path) if line.startswith("| kl"))
    assert f"{np.mean(record['auc_roc']):.3f}" in row


def test_a_missing_dataset_is_named_with_the_way_out(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    with pytest.raises(DataError, match=r"01-thyroid\.csv.*SLAD_DATA"):
        fidelity.run("released", "thyroid")


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
