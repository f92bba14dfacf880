"""The page on the bound: its verdicts follow the records."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from made_up_cases import case as made_up_case
from slad_paper.pages.bound import report
from slad_paper.pages.bound_claims import claims_of
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import FAILS, HOLDS, PARTLY
from slad_paper.pages.document import as_markdown
from slad_paper.pages.write import write
from slad_paper.studies.bound import STUDY


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return {case.name: STUDY.run(case, "cpu") for case in STUDY.cases(True)}


def records(results: dict[str, Any]) -> list[CaseRecord]:
    return [made_up_case("bound", name, {}, result) for name, result in results.items()]


def verdict(results: dict[str, Any], beginning: str) -> str:
    (found,) = [claim.verdict for claim in claims_of(results) if claim.text.startswith(beginning)]
    return found


def test_a_quick_look_already_says_what_holds(results):
    expected = {
        "Lemma 1": PARTLY,
        "Theorem 1: Pr >= 1 - alpha, where": HOLDS,
        "the same, drawn": FAILS,
        "Theorem 1 for every alpha": FAILS,
        "Theorem 1: 1 - alpha is the infimum": HOLDS,
        "Proof of Theorem 1": PARTLY,
        "Figure": PARTLY,
        "c = 10": HOLDS,
        "the same of exact probabilities, alpha |G| whole": PARTLY,
    }
    assert {text: verdict(results, text) for text in expected} == expected


def test_one_size_below_the_bound_would_end_the_theorem(results):
    changed = copy.deepcopy(results)
    for counting in ("repeats", "subset"):
        changed["whole"][counting]["broken"] = 1
    assert verdict(changed, "Theorem 1: Pr >= 1 - alpha, where") == FAILS


def test_a_simulation_that_is_far_off_would_end_the_lemma(results):
    changed = copy.deepcopy(results)
    changed["simulation"]["rows"][0]["drawn"] += 0.2
    changed["curves"]["printed_less_closed"] = 0.1
    assert verdict(changed, "Lemma 1") == FAILS


def test_a_group_below_what_is_promised_would_end_the_claim(results):
    changed = copy.deepcopy(results)
    changed["groups"]["printed"]["0.5"][9] = 0.99
    assert verdict(changed, "c = 10") == PARTLY


def test_the_page_has_its_pictures_and_a_row_for_every_point(results, tmp_path):
    made = report(records(results))
    names = {path.name for path in write(made, tmp_path)}
    assert {f"bound-{name}.svg" for name in ("curves", "map", "excess", "groups")} <= names
    points = sum(len(line["widths"]) for line in results["curves"]["lines"])
    assert len(made.data["curves"]) == points


def test_cases_that_were_not_run_are_left_out(results):
    some = {name: results[name] for name in ("limits", "groups")}
    text = as_markdown(report(records(some)))
    assert "infimum" in text
    assert "Lemma 1: Pr" not in text
