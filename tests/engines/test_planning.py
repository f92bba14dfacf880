"""What a row costs, and a simulated cluster: where the answer is known, it is that answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import rows

from slad.core.errors import ConfigError
from slad.engines.planning import Plan, Question, Rates, answer, cost_of, lines, main, slad_cost
from slad.engines.simulation import Assumptions, Load, simulate
from slad.model import TableDetector

EVEN = Assumptions(
    store_gb_per_s=1.0,
    reader_mb_per_s=100.0,
    first_byte_seconds=0.0,
    task_seconds=0.0,
    start_seconds=0.0,
    spread=0.0,
    straggler_share=0.0,
)
"""A cluster on which every task takes exactly as long as planned."""


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


def test_even_tasks_take_what_a_pencil_says():
    load = Load(tasks=8, workers=4, bytes_a_task=50e6, convert_seconds=1.0, score_seconds=2.0)
    found = simulate(load, EVEN)  # two rounds of 0.5 s of reading and 3 s of work
    assert found.seconds == pytest.approx(7.0)
    assert (found.store, found.convert, found.score) == pytest.approx((1 / 7, 2 / 7, 4 / 7))
    assert found.idle == pytest.approx(0, abs=1e-9)


def test_readers_share_the_store_when_they_are_many():
    load = Load(tasks=20, workers=20, bytes_a_task=100e6, convert_seconds=0.0, score_seconds=1.0)
    assert simulate(load, EVEN).seconds == pytest.approx(2.0 + 1.0)  # 2 GB at 1 GB/s, then work


def test_shares_add_up_and_the_same_seed_gives_the_same_job():
    load = Load(tasks=300, workers=40, bytes_a_task=2e8, convert_seconds=2.0, score_seconds=9.0)
    first, again, other = (simulate(load, Assumptions(), seed) for seed in (0, 0, 1))
    shares = [first.store, first.convert, first.score, first.engine, first.idle]
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0
    assert first == again
    assert first != other


def test_one_straggler_holds_up_a_job_of_few_tasks_more_than_one_of_many():
    bad = Assumptions(spread=0.0, straggler_share=0.05, straggler_factor=5.0, start_seconds=0.0)
    coarse = Load(tasks=100, workers=50, bytes_a_task=0.0, convert_seconds=0.0, score_seconds=20.0)
    fine = Load(tasks=2000, workers=50, bytes_a_task=0.0, convert_seconds=0.0, score_seconds=1.0)
    assert simulate(coarse, bad).seconds > 1.5 * simulate(fine, bad).seconds


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
