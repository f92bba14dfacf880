"""Every metric against its definition, written out over all pairs or all orders."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score, roc_curve

from slad.core.errors import DataError
from slad_paper.runner.metrics import METRICS, measure

FEW = st.integers(0, 6)


@st.composite
def judged_rows(draw, largest=30, values=FEW):
    """Labels of both kinds, and scores with many ties."""
    size = draw(st.integers(2, largest))
    labels = np.array(draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)))
    labels[0], labels[1] = 0, 1
    scores = draw(st.lists(values, min_size=size, max_size=size))
    return labels, np.array(scores, dtype=float)


@given(judged_rows())
def test_auc_roc_is_the_share_of_pairs_in_order_with_ties_as_half(rows):
    labels, scores = rows
    odd, normal = scores[labels == 1][:, None], scores[labels == 0]
    expected = ((odd > normal) + 0.5 * (odd == normal)).mean()
    assert measure(labels, scores)["auc_roc"] == pytest.approx(expected)
    assert measure(labels, scores)["auc_roc"] == pytest.approx(roc_auc_score(labels, scores))


@given(judged_rows())
def test_auc_pr_is_the_mean_precision_at_the_score_of_each_anomaly(rows):
    labels, scores = rows
    at_anomalies = [labels[scores >= score].mean() for score in scores[labels == 1]]
    found = measure(labels, scores)["auc_pr"]
    assert found == pytest.approx(np.mean(at_anomalies))
    assert found == pytest.approx(average_precision_score(labels, scores))


@given(judged_rows(largest=7, values=st.integers(0, 2)))
def test_precision_at_n_is_the_mean_over_all_orders_of_tied_rows(rows):
    labels, scores = rows
    count = labels.sum()
    orders = [o for o in permutations(range(len(scores))) if (np.diff(scores[list(o)]) <= 0).all()]
    expected = np.mean([labels[list(order[:count])].mean() for order in orders])
    assert measure(labels, scores)["precision_at_n"] == pytest.approx(expected)


@given(judged_rows())
def test_f1_flags_as_many_rows_as_there_are_anomalies_and_ties(rows):
    labels, scores = rows
    threshold = sorted(scores, reverse=True)[labels.sum() - 1]
    assert measure(labels, scores)["f1"] == pytest.approx(f1_score(labels, scores >= threshold))


@given(judged_rows(values=st.floats(-1, 1)))
def test_partial_auc_is_the_standardised_area_up_to_one_percent_false_alarms(rows):
    labels, scores = rows
    false, true, _ = roc_curve(labels, scores, drop_intermediate=False)
    grid = np.linspace(0, 0.01, 100_001)
    # On the vertical parts of the curve interpolation takes the last point, as it should.
    area = np.trapezoid(np.interp(grid, false, true), grid)
    least, most = 0.01**2 / 2, 0.01
    expected = (1 + (area - least) / (most - least)) / 2
    assert measure(labels, scores)["partial_auc"] == pytest.approx(expected, abs=1e-4)


@given(judged_rows(values=st.floats(-1, 1)))
def test_tpr_at_1_is_the_height_of_the_roc_curve_at_one_percent(rows):
    labels, scores = rows
    false, true, _ = roc_curve(labels, scores, drop_intermediate=False)
    # On the vertical parts of the curve interpolation takes the last point, as it should.
    assert measure(labels, scores)["tpr_at_1"] == pytest.approx(np.interp(0.01, false, true))


@pytest.mark.parametrize(("normal", "expected"), [(50, 0.3), (99, 0.3), (100, 0.7), (199, 0.7)])
def test_tpr_at_1_allows_as_many_false_alarms_as_make_one_percent(normal, expected):
    """The highest: 3 anomalies, a normal row, 4 anomalies, a normal row, 3 anomalies."""
    labels = np.array([1] * 3 + [0] + [1] * 4 + [0] + [1] * 3 + [0] * (normal - 2))
    assert measure(labels, -np.arange(len(labels)))["tpr_at_1"] == expected


def test_tpr_at_1_counts_rows_that_tie_by_the_chance_that_makes_one_percent():
    """4 anomalies tie with 4 of 100 normal rows: a chance of a quarter makes one false alarm."""
    labels = np.array([1] * 2 + [1, 0] * 4 + [0] * 96)
    scores = np.repeat([2.0, 1.0, 0.0], [2, 8, 96])
    assert measure(labels, scores)["tpr_at_1"] == pytest.approx((2 + 4 / 4) / 6)


@given(judged_rows(values=st.integers(-5, 5)), st.randoms())
def test_no_metric_depends_on_the_order_of_the_rows_or_the_unit_of_the_scores(rows, random):
    labels, scores = rows
    order = list(range(len(labels)))
    random.shuffle(order)
    expected = measure(labels, scores)
    assert measure(labels[order], scores[order]) == pytest.approx(expected)
    assert measure(labels, 3 * scores + 7) == pytest.approx(expected)


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_equal_scores_are_worth_a_random_order_whichever_rows_come_first(order):
    labels = np.repeat([0, 1], [90, 10])[order]
    found = measure(labels, np.ones(100))
    assert found["auc_roc"] == 0.5
    assert found["partial_auc"] == pytest.approx(0.5)
    assert found["tpr_at_1"] == pytest.approx(0.01)
    assert found["auc_pr"] == found["precision_at_n"] == pytest.approx(0.1)


def test_a_perfect_order_is_worth_one_in_every_metric():
    labels = np.repeat([0, 1], [500, 20])
    assert measure(labels, labels + 0.0) == dict.fromkeys(METRICS, 1.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_no_number_raises(bad):
    with pytest.raises(DataError, match="1 of 3 scores"):
        measure(np.array([0, 1, 0]), np.array([0.1, bad, 0.2]))


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1], [0, 1, 2]])
def test_labels_of_one_kind_raise(labels):
    with pytest.raises(DataError, match="both 0"):
        measure(np.array(labels), np.arange(3.0))


def test_lengths_that_differ_raise():
    with pytest.raises(DataError, match=r"shape"):
        measure(np.array([0, 1]), np.arange(3.0))


@pytest.mark.parametrize("anomalies", [9, 21, 49])
def test_a_perfect_order_gains_nothing_by_rounding(anomalies):
    labels = np.repeat([0, 1], [50, anomalies])
    scores = labels + np.linspace(0, 0.5, len(labels))
    assert measure(labels, scores)["auc_pr"] == 1.0
