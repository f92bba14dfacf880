"""The text on stdout."""

from __future__ import annotations

from dataclasses import replace

import made_up_findings as made_up
import pytest
from order_tables import orders, write_csv

from slad.cli import text_output
from slad.model.findings import Findings


def test_a_guessed_anomaly_is_said_and_positive_overrules_it(slad, table):
    rows = [row | {"fraud": "blue" if row["fraud"] else "green"} for row in orders()]
    write_csv(table, rows)
    words = ("detect", table, "--detector", "ecod", "--id", "order", "--label", "fraud")
    assert "blue is taken as the anomaly because it is the rarer value" in slad(*words).out
    said = slad(*words, "--positive", "green").out
    assert "green = anomaly" in said
    assert "rarer" not in said


@pytest.fixture
def found() -> Findings:
    """40 payments, the first 12 of them flagged."""
    return Findings.from_json(made_up.payments())


def test_the_first_line_counts_and_then_come_as_many_rows_as_asked_for(found):
    first, *rest = text_output.strangest(replace(found, reject=None), 3)
    assert first == ("payments.csv: 12 of 1,000 rows flagged as strange. The strangest rows:")
    assert [line[:5] for line in rest[1::3]] == ["  1. ", "  2. ", "  3. "]
    assert rest[2] == f"     {found.rows[0].reasons[0].sentence}"
    assert len(rest) == 9


def test_unsure_rows_are_counted_only_where_rows_can_be_set_aside(found):
    assert ", 0 unsure" not in next(text_output.strangest(replace(found, reject=None), 0))
    counts = replace(found.counts, unsure=2)
    assert "strange, 2 unsure." in next(text_output.strangest(replace(found, counts=counts), 0))


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "row 1,384, P-1: score 3.14 ± 0.25, p-value 0.002, strange"),
        ({"id": None, "error": None}, "row 1,384: score 3.14, p-value 0.002, strange"),
        ({"flagged": False}, "row 1,384, P-1: score 3.14 ± 0.25, p-value 0.002, usual"),
        (
            {"flagged": False, "unsure": True},
            "row 1,384, P-1: score 3.14 ± 0.25, p-value 0.002, unsure",
        ),
    ],
)
def test_a_row_is_one_line(found, changes, line):
    known = {"row": 1384, "id": "P-1", "score": 3.1415, "error": 0.25, "pvalue": 0.002}
    row = replace(found.rows[0], **known | {"flagged": True, "unsure": False} | changes)
    assert next(text_output.explained(replace(found, rows=[row]), 1)) == line


def test_reasons_come_with_their_share_and_no_more_than_asked_for(found):
    row = found.rows[0]
    lines = list(text_output.explained(replace(found, rows=[row]), 2))
    assert lines[1:] == [
        f"   62%  {row.reasons[0].sentence}",
        f"   21%  {row.reasons[1].sentence}",
        "",
    ]


def test_a_row_without_a_reason_says_so(found):
    row = replace(found.rows[0], reasons=[])
    lines = list(text_output.explained(replace(found, rows=[row]), 2))
    assert lines[1:] == ["        no single column makes it strange", ""]


def test_the_guarantee_says_where_the_rule_is_the_default(found):
    assert text_output.guarantee(found, default=False) == found.rule.sentence
    assert text_output.guarantee(found, default=True) == (
        f"{found.rule.sentence} (--fpr 0.01 is the default.)"
    )


def test_an_evaluation_is_one_sentence_and_a_guess_one_more(found):
    sentence, guess = text_output.evaluation(found, guessed=True)
    assert sentence == (
        "Compared with fraud (1 = anomaly, 10 rows): AUC-ROC 0.971, AUC-PR 0.684; precision 58%, "
        "recall 70%, false-alarm rate 0.51%."
    )
    assert guess.startswith("(1 is taken as the anomaly because it is the rarer value")
    assert list(text_output.evaluation(found, guessed=False)) == [sentence]


def test_without_flags_there_is_no_precision_and_without_labels_no_evaluation(found):
    none = replace(found.evaluation, precision=None, positives=1)
    [sentence] = text_output.evaluation(replace(found, evaluation=none), guessed=False)
    assert "anomaly, 1 row)" in sentence
    assert "precision undefined (no flags)" in sentence
    assert list(text_output.evaluation(replace(found, evaluation=None), guessed=True)) == []
