"""How far the result can be trusted: known labels, checks, the training loss."""

from __future__ import annotations

import re

import made_up_findings as made_up
import pytest
from page_reader import Reader

from slad.model.findings import Findings
from slad.report.checks import checks, evaluation


def found(**more) -> Findings:
    return Findings.from_json(made_up.payments() | more)


def text(html: str | None) -> str:
    assert html is not None
    return Reader(html).text


def points(html: str | None) -> list[tuple[float, float]]:
    (drawn,) = re.findall('<polyline points="([^"]*)"', html or "")
    return [tuple(map(float, each.split(","))) for each in drawn.split()]


def test_figures_of_known_labels_stand_beside_their_meaning():
    said = text(evaluation(found()))
    assert "The column fraud was used for this comparison only." in said
    assert "It labels 10 rows as “1”." in said
    assert "Recall70\u00a0%of the labelled anomalies are flagged" in said
    assert "AUC-ROC0.971" in said  # no fraction of rows, so not in percent


def test_a_precision_of_no_flagged_rows_is_a_dash():
    measured = made_up.payments()["evaluation"] | {"precision": None}
    assert "Precision–" in text(evaluation(found(evaluation=measured)))


def test_without_labels_there_is_no_comparison():
    assert evaluation(found(evaluation=None)) is None


@pytest.mark.parametrize(
    ("ok", "word"), [(True, "passed"), (False, "attention"), (None, "not tested")]
)
def test_a_check_says_its_outcome_in_a_word(ok, word):
    check = {"name": "Folds agree", "ok": ok, "text": "by 0.4"}
    said = text(checks(found(checks=[check], history=None)))
    assert f"{word}Folds agreeby 0.4" in said


@pytest.mark.parametrize("loss", [[], [0.3]])
def test_without_checks_or_a_loss_that_can_fall_there_is_no_section(loss):
    assert checks(found(checks=[], history={"loss": loss})) is None
    assert checks(found(checks=[], history=None)) is None


def test_the_curve_goes_from_left_to_right_and_down_with_the_loss():
    curve = checks(found(checks=[], history={"loss": [4.0, 1.0, 2.0, 0.0]}))
    assert points(curve) == [(0, 0), (33.33, 75), (66.67, 50), (100, 100)]
    assert "from 4 to 0 in 4 epochs" in text(curve)


def test_a_loss_that_stands_still_is_a_flat_line():
    assert points(checks(found(history={"loss": [0.5, 0.5]}))) == [(0, 100), (100, 100)]
