"""A judgement: scores, p-values and decisions of the same rows."""

from __future__ import annotations

import numpy as np
import pytest

from slad.decisions import Calibration, make_rule
from slad.model.judgement import Judgement, decide
from slad.model.scores import Scores

CALIBRATION = Calibration(np.arange(19.0), clean=True, kind="split")


def judged(
    scores: list[float],
    errors: list[float] | None = None,
    *,
    level: float = 0.1,
    rule: str = "fpr",
    reject: float | None = None,
    own: bool = False,
) -> Judgement:
    count = len(scores)
    given = Scores(np.array(scores), np.array(errors or [np.nan] * count), np.zeros(count, int))
    return decide(given, CALIBRATION, make_rule(rule, level), reject, own=own)


def test_rows_are_ordered_strangest_first_and_tied_rows_as_in_the_table() -> None:
    assert judged([1.0, 9.0, 1.0, 30.0, 9.0]).order.tolist() == [3, 1, 4, 0, 2]


def test_a_row_is_flagged_from_the_threshold_on() -> None:
    found = judged([17.0, 17.5, 18.0, 19.0])
    assert found.flags.tolist() == [False, True, True, True]
    assert found.decisions.tolist() == ["usual", "strange", "strange", "strange"]
    assert 17.0 < found.threshold <= 17.5


def test_new_rows_count_themselves_in_the_p_value_and_training_rows_do_not() -> None:
    assert judged([18.0, 99.0]).pvalues.tolist() == [2 / 20, 1 / 20]
    own = judged([18.0, 17.0], own=True)
    assert own.pvalues.tolist() == [1 / 19, 2 / 19]
    assert own.own


def test_without_reject_no_row_is_unsure_however_large_its_error() -> None:
    assert not judged([17.9, 18.1], [50.0, 50.0]).unsure.any()


def test_a_row_near_the_threshold_is_unsure_and_then_not_flagged() -> None:
    found = judged([0.0, 17.3, 18.0, 40.0, 18.0], [1.0, 1.0, 1.0, 1.0, np.nan], reject=0.9)
    assert found.decisions.tolist() == ["usual", "unsure", "unsure", "strange", "strange"]
    assert not (found.unsure & found.flags).any()


def test_where_no_score_would_be_flagged_there_is_no_threshold_and_no_row_is_unsure() -> None:
    found = judged([5.0, 6.0], [1.0, 1.0], rule="fdr", level=0.01, reject=0.9)
    assert found.threshold is None
    assert found.decisions.tolist() == ["usual", "usual"]


@pytest.mark.parametrize("own", [True, False])
def test_scores_and_errors_are_handed_on_as_they_are(own: bool) -> None:
    found = judged([3.0, 1.0], [0.5, np.nan], own=own)
    assert found.scores.tolist() == [3.0, 1.0]
    np.testing.assert_array_equal(found.errors, [0.5, np.nan])


def test_a_table_without_rows_has_a_judgement_without_rows() -> None:
    found = judged([])
    assert (len(found.order), len(found.decisions), len(found.pvalues)) == (0, 0, 0)
