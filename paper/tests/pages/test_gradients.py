"""The page on gradients: its verdicts follow the records."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from made_up_cases import case as made_up_case
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import FAILS, HOLDS, PARTLY
from slad_paper.pages.document import as_markdown
from slad_paper.pages.gradients import report
from slad_paper.pages.gradients_claims import claims_of, moments
from slad_paper.pages.write import write
from slad_paper.studies.gradients import STUDY

REAL = {"dataset": "made-up", "recipe": "paper", "epochs": [0, 5]}


def about(total: float, single: float, spread: float, mean: float) -> dict[str, float]:
    return {"sum": total, "single": single, "spread": spread, "mean": mean}


def real_result(ratios: dict[int, float]) -> dict[str, Any]:
    """100 inliers and 10 anomalies: the squared law says 100."""
    rows = []
    for epoch, ratio in ratios.items():
        for seed, shift in enumerate((0.5, 1.5)):
            one = {
                "inliers": about(ratio * shift, 1.0, 0.5, 0.5),
                "anomalies": about(1.0 * shift, 2.0, 1.0, 1.0),
                "cosine": 0.5,
            }
            rows.append({"seed": seed, "epoch": epoch, "output": one, "all": one})
    return {"inliers": 100, "anomalies": 10, "rows": rows}


@pytest.fixture(scope="module")
def simulated() -> dict[str, Any]:
    cases = [case for case in STUDY.cases(True) if "dataset" not in case.settings]
    return {case.name: STUDY.run(case, "cpu") for case in cases}


def records(simulated: dict[str, Any], ratios: dict[int, float]) -> list[CaseRecord]:
    made_up = [made_up_case("gradients", name, {}, result) for name, result in simulated.items()]
    real = made_up_case("gradients", "made-up", REAL, real_result(ratios))
    return [*made_up, real]


def verdict(found: list[CaseRecord], beginning: str) -> str:
    (one,) = [claim.verdict for claim in claims_of(found) if claim.text.startswith(beginning)]
    return one


def test_a_quick_look_already_says_what_holds(simulated):
    found = records(simulated, {0: 100.0, 5: 4.0})
    expected = {
        "the squared gradient of N rows": HOLDS,
        "the ratio of inliers to anomalies is about, appendix": FAILS,
        "Q is the printed constant": FAILS,
        "Q by the same expansion": PARTLY,
        "inliers induce": HOLDS,
        "the ratio is about (N_in / N_an)^2 (SLAD's own network, before": HOLDS,
        "the ratio is about (N_in / N_an)^2 (SLAD's own network, after": FAILS,
        "the ratio is about N_in / N_an (SLAD's own network, before": FAILS,
    }
    assert {text: verdict(found, text) for text in expected} == expected


def test_the_verdicts_on_slad_s_network_follow_its_ratios(simulated):
    plain = records(simulated, {0: 10.0, 5: 0.5})
    assert verdict(plain, "the ratio is about N_in / N_an (SLAD's own network, before") == HOLDS
    assert verdict(plain, "inliers induce") == PARTLY


def test_an_exponent_of_one_would_end_the_square(simulated):
    changed = copy.deepcopy(simulated)
    changed["growth"]["lines"]["the paper's case"]["exponent_of_many"] = 1.0
    assert verdict(records(changed, {0: 1.0, 5: 1.0}), "the squared gradient of N rows") == FAILS


def test_expectations_are_taken_before_the_ratio():
    first = moments(records({}, {0: 100.0, 5: 4.0}))[0]
    assert first.ratio == pytest.approx(100.0)
    assert first.single == pytest.approx(2.0)
    assert first.squared("inliers", [1, 10]).tolist() == [1.0, 55.0]


def test_the_page_has_its_pictures(simulated, tmp_path):
    names = {path.name for path in write(report(records(simulated, {0: 9.0, 5: 4.0})), tmp_path)}
    assert {f"gradients-{name}.svg" for name in ("growth", "ratio", "real")} <= names


def test_cases_that_were_not_run_are_left_out(simulated):
    text = as_markdown(report(records({"growth": simulated["growth"]}, {0: 9.0, 5: 4.0})))
    assert "How the sum of N gradients grows" in text
    assert "The constant Q" not in text
