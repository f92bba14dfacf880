"""What a worker does with a unit of runs, in this process."""

from __future__ import annotations

import plans
import pytest

from slad_paper.runner.plan import Contender, runs_of
from slad_paper.runner.worker import carry_out

BROKEN = Contender("slad-subspaces", dict(plans.SMALL_SLAD.parameters) | {"learning_rate": 1e30})
IDLE = Contender(
    "slad-subspaces", dict(plans.SMALL_SLAD.parameters) | {"learning_rate": 0.0, "epochs": 40}
)


def test_a_stack_gives_every_run_what_it_gets_alone_and_its_share_of_the_time():
    unit = plans.plan(2, [plans.SMALL_SLAD], ["wine", "planted-local"])
    stacked = list(carry_out(unit, "cpu"))
    alone = [outcome for run in unit for outcome in carry_out([run], "cpu")]
    assert [each["metrics"] for each in stacked] == [each["metrics"] for each in alone]
    assert [each["rows"] for each in stacked] == [each["rows"] for each in alone]
    assert {each["seconds"]["stacked"] for each in stacked} == {4}
    assert len({each["seconds"]["fit"] for each in stacked}) == 1
    assert {each["seconds"]["stacked"] for each in alone} == {1}


def test_one_run_that_breaks_a_stack_fails_and_the_others_do_not():
    unit = plans.plan(1, [plans.SMALL_SLAD, BROKEN, plans.SMALL_SLAD], ["wine"])
    good, bad, other = carry_out(unit, "cpu")
    assert good["status"] == other["status"] == "ok"
    assert good["seconds"]["stacked"] == 1
    assert bad["status"] == "failed"
    assert bad["reason"].startswith("TrainingError: ")
    assert bad["metrics"] is None


def test_a_run_that_breaks_a_stack_breaks_it_only_around_itself():
    runs = plans.plan(1, [BROKEN, *[plans.SMALL_SLAD] * 7], ["wine"])
    outcomes = list(carry_out(runs, "cpu"))
    assert [each["status"] for each in outcomes] == ["failed", *["ok"] * 7]
    assert [each["seconds"]["stacked"] for each in outcomes[1:]] == [1, 2, 2, 4, 4, 4, 4]
    assert len({each["metrics"]["auc_roc"] for each in outcomes[1:]}) == 1


@pytest.mark.parametrize("others", [0, 1])
def test_a_warning_is_recorded_and_one_of_a_stack_says_so(others):
    unit = plans.plan(1, [IDLE, *[plans.SMALL_SLAD] * others], ["wine"])
    [words] = next(carry_out(unit, "cpu"))["warnings"]
    assert "did not learn" in words
    assert words.startswith("in a stack of 2: ") == bool(others)


def test_a_contaminated_run_trains_on_anomalies_and_tests_on_half_of_them():
    plain, mixed = (
        next(carry_out(runs_of("toy", [Contender("knn-1")], ["wine"], [(0, 0)],
                               contaminations=(rate,)), "cpu"))
        for rate in (None, 0.1)
    )  # fmt: skip
    assert mixed["rows"]["train"] > plain["rows"]["train"]
    assert mixed["rows"]["test_anomalies"] == -(-plain["rows"]["test_anomalies"] // 2)
