"""The detector of many signals: cases, decisions, and what it keeps."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import roc_auc_score

from recipes import table, with_anomalies
from slad import LearnedSignals, TableDetector
from slad.core.errors import ConfigError, TrainingWarning
from slad.detectors.signals.weights import SEEKS


@pytest.mark.parametrize("clean", [True, False])
def test_broken_dependencies_are_found(clean):
    train, test, labels = with_anomalies(600, 8)
    detector = LearnedSignals(clean=clean, random_state=0).fit(train)
    assert roc_auc_score(labels, detector.anomaly_score(test)) > 0.95


def test_anomalies_among_the_training_rows_are_found_by_the_other_rows():
    train, test, labels = with_anomalies(600, 8)
    rows = np.concatenate([train, test[labels == 1][:30]])
    detector = LearnedSignals(clean=False, random_state=0).fit(rows)
    truth = np.arange(len(rows)) >= len(train)
    assert roc_auc_score(truth, detector.training_scores_) > 0.9


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("seeks", SEEKS)
def test_rows_far_from_all_others_are_stranger_than_any_of_them(clean, seeks):
    rows = table(300, 3)
    detector = LearnedSignals(clean=clean, seeks=seeks, random_state=0).fit(rows)
    center, step = rows.mean(axis=0), 3 * rows.std(axis=0)
    scores = detector.anomaly_score([center + k * step for k in (2, 3, 5)])
    assert (scores > detector.training_scores_.max()).all()


def test_no_more_rows_are_compared_with_than_asked_for():
    rows = table(400, 4)
    some = LearnedSignals(max_rows=50, random_state=0).fit(rows)
    assert len(some.training_scores_) == 50
    every = LearnedSignals(max_rows=None, random_state=0).fit(rows)
    assert len(every.training_scores_) == 400


def test_a_table_model_tells_which_case_it_is():
    rows = table(120, 3)
    for clean in (True, False):
        model = TableDetector("learned-signals", clean=clean, level=0.05).fit(rows)
        assert {each.detector.clean for each in model.fold_models_} == {clean}


def test_a_table_with_words_is_searched_for_wrong_cells_and_one_of_numbers_for_odd_rows():
    numbers = {f"x{at}": column for at, column in enumerate(table(120, 3).T)}
    words = {"word": ["tea", "cup", "jug"] * 40}
    for columns, seeks in ((numbers, "rows"), (numbers | words, "cells")):
        model = TableDetector("learned-signals", level=0.05).fit(pa.table(columns))
        assert {each.detector.seeks for each in model.fold_models_} == {seeks}
    told = TableDetector("learned-signals", parameters={"seeks": "rows"}, level=0.05)
    fitted = told.fit(pa.table(numbers | words))
    assert {each.detector.seeks for each in fitted.fold_models_} == {"rows"}


def test_a_table_of_numbers_with_gaps_is_searched_for_wrong_cells():
    rows = table(120, 3)
    rows[5, 1] = np.nan
    frame = pa.table({f"x{at}": column for at, column in enumerate(rows.T)})
    model = TableDetector("learned-signals", level=0.05).fit(frame)
    assert {each.detector.seeks for each in model.fold_models_} == {"cells"}


def test_wild_cells_are_stranger_than_gaps():
    rows = np.random.default_rng(0).normal(20, 3, size=(500, 6))
    rows[::28, 5] = np.nan
    wild = {11: 2000.0, 21: -50.0, 31: 1e6}
    for row, value in wild.items():
        rows[row, 0] = value
    frame = pa.table({f"x{at}": column for at, column in enumerate(rows.T)})
    judged = TableDetector(own_rows=True).fit(frame).judge_own()
    assert set(judged.order[:3].tolist()) == set(wild)


@pytest.mark.parametrize("seeks", SEEKS)
@pytest.mark.parametrize("clean", [True, False])
def test_where_most_rows_are_equal_such_a_row_is_not_flagged(seeks, clean):
    rng = np.random.default_rng(0)
    counts = (rng.random((1500, 6)) < 0.01) * rng.integers(1, 9, (1500, 6)).astype(float)
    copies = rng.normal(size=(400, 4))
    copies[:360] = copies[0]
    for rows in (counts, copies):
        detector = LearnedSignals(clean=clean, seeks=seeks, random_state=0).fit(rows[::2])
        assert 0 < (detector.predict(rows[1::2]) < 0).mean() < 0.15
    with pytest.warns(TrainingWarning, match="the same score"):
        detector = LearnedSignals(clean=clean, seeks=seeks, random_state=0).fit(np.ones((50, 4)))
    assert (detector.predict(np.ones((100, 4))) == 1).all()


def test_what_is_sought_is_one_of_two():
    with pytest.raises(ConfigError, match="no kind of anomaly is called 'errors'"):
        LearnedSignals(seeks="errors").fit(table(20, 3))
    with pytest.raises(ConfigError, match="no kind of anomaly is called 5"):
        LearnedSignals(seeks=5).fit(table(20, 3))


def test_parameters_that_are_set_later_do_not_change_a_fitted_detector(tmp_path):
    train, test, _ = with_anomalies(200, 4)
    detector = LearnedSignals(random_state=0).fit(train)
    before = detector.anomaly_score(test)
    detector.set_params(seeks="cells", clean=False)
    np.testing.assert_array_equal(detector.anomaly_score(test), before)
    detector.save(tmp_path / "model.slad")
    again = LearnedSignals.load(tmp_path / "model.slad")
    np.testing.assert_array_equal(again.anomaly_score(test), before)


def test_clean_that_is_no_truth_value_is_refused():
    with pytest.raises(ConfigError, match="clean='no' is neither True nor False"):
        LearnedSignals(clean="no").fit(table(20, 3))
