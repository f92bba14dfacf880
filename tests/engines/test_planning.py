"""What a row costs, and what a job of many rows takes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import rows

from slad.core.errors import ConfigError
from slad.engines.planning import Plan, Question, Rates, answer, cost_of, lines, main, slad_cost
from slad.model import TableDetector


def test_operations_of_a_row_are_those_of_the_matrices_that_score_it():
    model = rows.fitted()
    wanted = 0
    for fold_model in model.fold_models_:
        for scorer in fold_model.detector._scorers:
            matrix = scorer.folded()  # groups, subspaces x units, features + 1
            outputs = matrix.shape[0] * matrix.shape[1]
            wanted += 2 * matrix.numel() + 2 * outputs
    assert cost_of(model).flops == wanted
    assert cost_of(model).bytes_read == 3 * 4  # price, weight and item; not the id


def test_a_row_of_a_detector_without_a_formula_is_refused():
    model = TableDetector("knn-5", id="order").fit(rows.table(200))
    with pytest.raises(
        ConfigError, match="knn-5 cannot count the operations that a row takes: use slad,"
    ):
        cost_of(model)


def test_more_workers_are_never_as_well_used_and_the_store_bounds_them_all():
    rates = Rates(core=50_000.0, convert=500_000.0, gpu=5e6)
    found = answer(Question(10**8, [10, 100, 1000], [1, 8], 50_000), rates)
    cores = [each for each in found["plans"] if each["kind"] == "core"]
    efficiency = [each["efficiency"] for each in cores]
    assert efficiency == sorted(efficiency, reverse=True)
    moved = 10**8 * sum(found["cost"][name] for name in ("bytes_read", "bytes_written"))
    bound = moved / (found["assumptions"]["store_gb_per_s"] * 1e9)
    assert all(each["seconds"] > bound for each in found["plans"])
    assert len(list(lines(found))) == 2 + 5


def test_a_plan_cuts_a_job_into_equal_tasks():
    plan = Plan(10_500_000, 4, 1e5, 1e6, slad_cost(32))
    load = plan.load()
    assert load.tasks == 10
    assert load.tasks * load.score_seconds == pytest.approx(105)
    assert load.bytes_a_task == pytest.approx(1_050_000 * (32 * 4 + 32))


def test_the_command_prints_the_table_and_says_what_it_lacks(tmp_path, capsys):
    words = ["--rows", "1e8", "--cores", "10", "--rate", "5e4", "--convert-rate", "5e5"]
    main([*words, "--out", str(tmp_path / "plan.json")])
    assert "| 10 cores | " in capsys.readouterr().out
    kept = json.loads((tmp_path / "plan.json").read_text())
    assert np.isclose(kept["rates"]["core"], 5e4)
    with pytest.raises(ConfigError, match="use --rate and --convert-rate"):
        main(["--records", str(tmp_path)])


SPEED = Path(__file__).parents[2] / "paper" / "results" / "speed"


@pytest.mark.skipif(not (SPEED / "plan.json").exists(), reason="the records are in the repository")
@pytest.mark.parametrize("name", ["plan.json", "plan-small-tasks.json"])
def test_the_committed_plan_is_that_of_the_committed_rates(name):
    kept = json.loads((SPEED / name).read_text())
    cores, gpus = (
        [each["workers"] for each in kept["plans"] if each["kind"] == kind]
        for kind in ("core", "GPU")
    )
    asked = Question(kept["rows"], cores, gpus, kept["rows_a_task"])
    again = answer(asked, Rates.recorded(SPEED))
    assert kept["table"] == list(lines(again)), (
        "python -m slad.engines.planning --out makes it anew"
    )
    assert kept["rates"] == pytest.approx(again["rates"])
