"""The page on the search: means over sources, the rule, and what training adds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from made_up_cases import case as made_up_case
from slad.core.errors import DataError
from slad_paper.datasets.suite import tasks
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import Table, as_markdown, as_text
from slad_paper.pages.subspace_search import report

TASKS = [each.name for each in tasks()]


def case(name: str, **scores: float) -> CaseRecord:
    """A record of 0.1 whose AUCs differ a little from task to task, with these means."""
    wave = [0.001 * (at % 7 - 3) for at in range(len(TASKS))]
    values = {
        score.replace("_", " ").replace("SLAD", "SLAD()"): {
            "auc_roc": [mean + each for each in wave],
            "auc_pr": [mean - 0.2 + each for each in wave],
        }
        for score, mean in scores.items()
    }
    settings = {"seed": 0}
    result = {"tasks": TASKS, "scores": values}
    return made_up_case("subspace-search", name, settings, result, gpu=None, slad="0.1.0")


def test_what_is_surely_ahead_in_both_metrics_takes_the_place_of_the_default():
    page = as_text(report([case("references", SLAD=0.7), case("default", loss=0.8, tails=0.6)]))
    assert "It holds for: default by loss." in " ".join(page.split())
    page = as_text(report([case("references", SLAD=0.7), case("default", loss=0.7, tails=0.6)]))
    assert "It holds for none." in " ".join(page.split())


def test_ahead_in_one_metric_alone_is_not_enough():
    better = case("default", loss=0.8)
    better.result["scores"]["loss"]["auc_pr"] = [0.3] * len(TASKS)
    page = as_text(report([case("references", SLAD=0.7), better]))
    assert "It holds for none." in " ".join(page.split())


def test_training_is_compared_with_the_same_score_of_the_untrained_network():
    records = [case("references", SLAD=0.7), case("default", loss=0.6), case("untrained", loss=0.5)]
    made = report(records)
    tables = [part for part in made.brief if isinstance(part, Table)]
    assert [cell.text for cell in tables[1].rows[0]] == ["loss", *["+0.1000", "<0.001"] * 2]
    assert "| default | **0.600** |" in as_markdown(made)


def test_records_of_other_tasks_or_without_references_are_refused():
    with pytest.raises(DataError, match="references and a variant are needed"):
        report([case("default", loss=0.6)])
    other = case("default", loss=0.6)
    other = replace(other, result=other.result | {"tasks": TASKS[::-1]})
    with pytest.raises(DataError, match="other tasks than references"):
        report([case("references", SLAD=0.7), other])
