"""Metrics of events against cases worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from slad.core.errors import DataError
from slad_paper.runner.metrics import auc_pr, auc_roc
from slad_paper.studies.series_metrics import (
    affiliation,
    events,
    measure_series,
    soft_labels,
    volumes,
)


def marked(length: int, *intervals: tuple[int, int]) -> np.ndarray:
    labels = np.zeros(length, dtype=int)
    for first, end in intervals:
        labels[first:end] = 1
    return labels


def test_events_are_runs_also_at_both_ends():
    assert events(np.array([1, 0, 1, 1])).tolist() == [[0, 1], [2, 4]]
    assert events(np.zeros(3, dtype=int)).shape == (0, 2)


# -- affiliation -----------------------------------------------------------------------------------


def test_an_alarm_beside_an_event_is_judged_by_how_likely_chance_is_as_far():
    # Alarm [8, 9), event [4, 6) of [0, 10). An alarm at distance d has 2 (4 - d) / 10 of the zone
    # further away; d goes from 2 to 3. A point y of the event is 8 - y away from the alarm, and
    # (2 y - 8) + 2 of the 10 are further from it.
    found = affiliation(marked(10, (4, 6)), marked(10, (8, 9)))
    assert found.precision == pytest.approx(0.3)
    assert found.recall == pytest.approx(0.4)
    assert found.f1 == pytest.approx(2 * 0.3 * 0.4 / 0.7)


def test_the_example_of_the_paper_in_minutes():
    labels = marked(180, (0, 10), (50, 70), (170, 175))
    alarms = marked(180, (5, 6), (7, 10), (11, 12), (40, 60), (115, 130), (135, 140), (165, 170))
    # First zone [0, 30), second [30, 120), third [120, 180); the middle figures are the paper's.
    precisions = [(4 + 18.5 / 30) / 5, 0.672222222, (50 + 87.5 + 250) / 60 / 20]
    recalls = [(131.25 / 30 + 1 + 29.5 / 30 + 3) / 10, 0.944444444, 55 / 60]
    found = affiliation(labels, alarms)
    assert found.precision == pytest.approx(np.mean(precisions))
    assert found.recall == pytest.approx(np.mean(recalls))


def test_alarms_that_are_the_events_are_perfect():
    labels = marked(50, (3, 9), (20, 21), (40, 50))
    found = affiliation(labels, labels)
    assert (found.precision, found.recall, found.f1) == (1.0, 1.0, 1.0)


def test_an_event_without_alarms_in_its_zone_has_no_recall_and_counts_for_no_precision():
    labels, alarms = marked(40, (5, 10), (30, 35)), marked(40, (5, 10))
    found = affiliation(labels, alarms)
    assert (found.precision, found.recall) == (1.0, 0.5)
    none = affiliation(labels, np.zeros(40, dtype=int))
    assert (none.precision, none.recall, none.f1) == (0.0, 0.0, 0.0)


def test_one_alarm_in_a_long_event_is_not_the_whole_event():
    labels, alarms = marked(400, (100, 300)), marked(400, (100, 101))
    assert affiliation(labels, alarms).recall < 0.7
    assert affiliation(labels, alarms).recall < affiliation(labels, marked(400, (199, 200))).recall


def test_sums_over_quarters_of_steps_are_the_integrals():
    rng = np.random.default_rng(0)
    for _ in range(20):
        labels, alarms = ((rng.random(12) < 0.3).astype(int) for _ in range(2))
        if labels.min() == labels.max() or not alarms.any():
            continue
        fine = affiliation(np.repeat(labels, 7), np.repeat(alarms, 7))  # other steps, same shape
        found = affiliation(labels, alarms)
        assert found.precision == pytest.approx(fine.precision)
        assert found.recall == pytest.approx(fine.recall)


# -- volumes ---------------------------------------------------------------------------------------


def test_without_a_buffer_and_with_one_event_the_volumes_are_the_plain_areas():
    rng = np.random.default_rng(0)
    labels, scores = marked(60, (20, 35)), rng.normal(size=60).round(1)
    scores[scores.argmax()] = scores[20:35].max()  # the event is reached by the first alarm
    roc, pr = volumes(labels, scores, buffer=0)
    assert roc == pytest.approx(auc_roc(labels, scores))
    assert pr == pytest.approx(auc_pr(labels, scores))


def test_recall_counts_by_the_share_of_events_that_were_reached():
    # Recall 1/2 x 1/2, the same, 1 x 1; precision 1, 1/2, 2/3; false alarms 0, 1, 1.
    roc, pr = volumes(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.1]), buffer=0)
    assert roc == pytest.approx(0.25)
    assert pr == pytest.approx(0.25 + 0.75 * 2 / 3)


def test_labels_fall_off_on_both_sides_of_an_event():
    soft = soft_labels(marked(9, (4, 5)), 4)
    expected = [0, 0, 0.5**0.5, 0.75**0.5, 1, 0.75**0.5, 0.5**0.5, 0, 0]
    np.testing.assert_allclose(soft, expected)
    assert soft_labels(marked(9, (0, 2), (3, 9)), 8).tolist()[2] == pytest.approx((7 / 8) ** 0.5)


def test_a_late_alarm_is_worth_something_with_a_buffer_and_nothing_without():
    labels, scores = marked(200, (100, 110)), np.zeros(200)
    scores[112:116] = 1.0
    assert auc_roc(labels, scores) < 0.5
    assert volumes(labels, scores, buffer=40)[0] > volumes(labels, scores, buffer=0)[0] + 0.05


def test_scores_that_all_tie_are_no_better_than_chance():
    labels = marked(50, (10, 20))
    assert volumes(labels, np.ones(50), buffer=0)[0] == pytest.approx(0.5)


# -- together --------------------------------------------------------------------------------------


def test_perfect_scores_have_perfect_metrics():
    labels = marked(300, (50, 80), (200, 210))
    found = measure_series(labels, labels + 0.0, threshold=0.5)
    for name in ("auc_roc", "auc_pr", "affiliation_precision", "affiliation_recall"):
        assert found[name] == pytest.approx(1.0)
    assert found["alarms"] == pytest.approx(40 / 300)


@pytest.mark.parametrize(
    ("labels", "scores", "said"),
    [
        (np.array([0, 1]), np.zeros(3), "one label and one value"),
        (np.array([0, 0]), np.zeros(2), "both 0 and 1"),
        (np.array([0, 1]), np.array([0.0, np.nan]), "NaN"),
    ],
)
def test_what_cannot_be_measured_is_refused(labels, scores, said):
    with pytest.raises(DataError, match=said):
        measure_series(labels, scores, 0.5)
