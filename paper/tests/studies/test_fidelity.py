from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from slad.core.errors import DataError
from slad_paper.runner.records import write_record
from slad_paper.runner.study import Case
from slad_paper.studies import fidelity

HERE = Path(__file__).parents[2]


def test_every_variant_is_the_released_recipe_with_one_thing_changed():
    plain = fidelity.SLAD.released().get_params()
    for name, change in fidelity.VARIANTS.items():
        changed = fidelity.SLAD.released(**change).get_params()
        different = [key for key in plain if plain[key] != changed[key]]
        assert different == list(change)
        assert len(change) == (0 if name == "released" else 1)


def case(recipe, dataset, seeds):
    return Case(f"{recipe}-{dataset}", {"recipe": recipe, "dataset": dataset, "model_seeds": seeds})


def test_a_case_says_what_made_it_and_is_printed(tmp_path):
    kl = case("kl", "wine", [1, 2])
    result = fidelity.run(kl, "cpu")
    assert len(result["auc_roc"]) == len(result["auc_pr"]) == 2
    assert min(result["auc_roc"]) > 0.5
    assert result["parameters"]["epochs"] == 100
    assert result["parameters"]["loss"] == "kl"
    settings = dict(kl.settings) | {"dataset": "thyroid"}
    record = {"settings": settings, "result": result, "environment": {}}
    write_record(tmp_path / "kl-thyroid.json", record)
    row = next(line for line in fidelity.table(tmp_path) if line.startswith("| kl"))
    assert f"{np.mean(result['auc_roc']):.3f}" in row


def test_a_missing_dataset_is_named_with_the_way_out(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    with pytest.raises(DataError, match=r"01-thyroid\.csv.*SLAD_DATA"):
        fidelity.run(case("released", "thyroid", [1]), "cpu")


def test_the_committed_records_are_those_of_all_cases_but_the_peer_s():
    planned, missing = fidelity.STUDY.plan(folder=HERE / "results" / "fidelity")
    assert len(planned) == 44
    assert not missing


def test_the_page_shows_the_table_of_the_committed_records():
    printed = (HERE / "docs" / "fidelity.md").read_text()
    lines = list(fidelity.table(HERE / "results" / "fidelity"))
    for line in lines[2:]:
        assert line in printed
