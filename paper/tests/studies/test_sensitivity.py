from __future__ import annotations

from dataclasses import replace

import pytest

from slad.detectors import SLAD
from slad_paper.runner.hyper_parameters import BASE, STUDIED, contenders
from slad_paper.runner.plan import Contender
from slad_paper.runner.running import STACK, _units
from slad_paper.runner.worker import carry_out
from slad_paper.studies import effectiveness
from slad_paper.studies.sensitivity import STUDY


@pytest.fixture
def runs(everything_at_hand):
    planned, missing = STUDY.plan()
    assert not missing
    return planned


def test_the_defaults_are_those_of_the_recipe_and_among_the_values():
    recipe = SLAD.released().get_params()
    for studied in STUDIED:
        assert recipe[studied.name] == studied.default
        assert studied.default in studied.values
        assert studied.values == tuple(sorted(studied.values))


def test_one_parameter_is_changed_at_a_time_and_the_default_runs_once():
    assert len(contenders()) == len(set(contenders())) == 1 + 4 + 4 + 5 + 4
    assert contenders().count(BASE) == 1
    for text in contenders()[1:]:
        contender = Contender.parse(text)
        assert contender.label == text
        assert len(contender.parameters) == 1
        assert "." not in text  # a record's folder, and its file once packed, are named so


def test_every_point_runs_under_the_protocol_of_the_main_table(runs):
    datasets, seeds = STUDY.datasets, STUDY.seeds
    assert datasets == effectiveness.STUDY.datasets
    assert len(runs) == len(contenders()) * len(datasets) * len(seeds)
    assert {run.split_seed for run in runs} == {42}
    exceptions = effectiveness.STUDY.of_dataset
    for run in runs:
        assert exceptions.get((BASE, run.dataset), {}).items() <= run.parameters.items()


def test_on_a_gpu_every_stack_is_of_one_point_and_so_of_one_shape(runs):
    stacks, rest = _units(runs, gpu=True)
    assert not rest
    assert sum(map(len, stacks)) == len(runs)
    assert all(len(stack) <= STACK for stack in stacks)
    assert all(len({run.label for run in stack}) == 1 for stack in stacks)


def test_points_of_several_shapes_are_fitted_in_one_call_as_alone(runs):
    small = {"hidden_dim": 8, "epochs": 1, "batch_size": 512}
    chosen = [
        replace(run, dataset="planted-point", max_rows=100, parameters=run.parameters | small)
        for run in runs
        if (run.dataset, run.model_seed) == ("thyroid", 42)
    ]
    assert len(chosen) == len(contenders())
    together = list(carry_out(chosen, "cpu"))
    assert {outcome["status"] for outcome in together} == {"ok"}
    assert {outcome["seconds"]["stacked"] for outcome in together} == {len(chosen)}
    for run, outcome in list(zip(chosen, together, strict=True))[:: len(chosen) // 3]:
        (alone,) = carry_out([run], "cpu")
        assert outcome["metrics"]["auc_roc"] == pytest.approx(alone["metrics"]["auc_roc"], abs=1e-3)


@pytest.mark.usefixtures("everything_at_hand")
def test_a_quick_look_has_every_point():
    planned, _ = STUDY.plan(quick=True)
    assert {run.label for run in planned} == set(contenders())
    assert {run.dataset for run in planned} == {"thyroid", "waveform"}
    assert {(run.max_rows, run.parameters["epochs"]) for run in planned} == {(300, 2)}
