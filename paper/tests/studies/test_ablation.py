from __future__ import annotations

from dataclasses import replace

import pytest

from slad_paper.runner.plan import Contender
from slad_paper.runner.worker import carry_out
from slad_paper.studies import ablation, effectiveness
from slad_paper.studies.ablation import STUDY, WITHOUT_WEIGHTS


def test_every_variant_changes_one_parameter_of_the_released_recipe():
    base = Contender.parse(ablation.CONTENDERS[0])
    assert (base.name, base.parameters) == ("slad-released", {})
    for text in ablation.CONTENDERS[1:]:
        contender = Contender.parse(text)
        assert contender.name == "slad-released"
        assert len(contender.parameters) == 1
        assert contender.label == text


@pytest.mark.usefixtures("everything_at_hand")
def test_the_protocol_and_the_exceptions_by_dataset_are_those_of_the_main_table():
    runs, _ = STUDY.plan()
    theirs, _ = effectiveness.STUDY.plan(detectors=["slad-released"])
    for run in theirs:
        alike = [
            each
            for each in runs
            if (each.dataset, each.model_seed) == (run.dataset, run.model_seed)
        ]
        assert len(alike) in (6, 7)
        for each in alike:
            assert (each.split_seed, each.max_rows) == (run.split_seed, run.max_rows)
            assert run.parameters.items() <= each.parameters.items()
    assert len(runs) == 7 * len(theirs) - 5 * (len(STUDY.datasets) - 3)


@pytest.mark.usefixtures("everything_at_hand")
def test_weights_are_taken_away_only_where_there_are_some():
    runs, _ = STUDY.plan()
    without = {run.dataset for run in runs if run.label == WITHOUT_WEIGHTS}
    assert without == {"thyroid", "waveform", "pageblocks"}


@pytest.mark.usefixtures("everything_at_hand")
def test_every_variant_of_a_quick_look_learns_and_scores():
    runs, _ = STUDY.plan(quick=True, datasets=["thyroid"])
    assert [run.label for run in runs] == list(ablation.CONTENDERS)
    for run in runs:
        assert run.parameters["epochs"] == 2
        small = replace(run, dataset="planted-point", max_rows=150)
        (outcome,) = carry_out([small], "cpu")
        assert outcome["status"] == "ok", (run.label, outcome["reason"])
        assert outcome["rows"]["train"] < 100
