"""Detectors that are fitted in one step: check, learn, set the threshold."""

from __future__ import annotations

import numpy as np
import pytest

from slad.core.errors import ConfigError, DataError, TrainingWarning
from slad.detectors.direct import DirectDetector


class Size(DirectDetector):
    """The largest cell of a row. Keeps the order in which it is called."""

    def __init__(self, contamination="auto"):
        self.contamination = contamination

    def _learn(self, X):
        self.learned_ = X.shape

    def _anomaly_score(self, X):
        assert hasattr(self, "learned_")
        return X.max(axis=1)


class Halved(Size):
    """The threshold comes from other scores than those of new rows."""

    def _training_scores(self, X):
        return self._anomaly_score(X) / 2


ROWS = np.arange(10.0).reshape(5, 2)


def test_a_fit_learns_from_the_checked_table_and_sets_the_threshold():
    detector = Size(contamination=0.25)
    assert detector.fit(ROWS.tolist(), y=["ignored"] * 5) is detector
    assert detector.learned_ == (5, 2)
    assert detector.n_features_in_ == 2
    assert detector.offset_ == -7  # of 1, 3, 5, 7 and 9
    assert detector.predict(ROWS).tolist() == [1, 1, 1, 1, -1]


def test_the_threshold_comes_from_the_training_scores():
    assert Halved(contamination=0.25).fit(ROWS).offset_ == -3.5


def test_equal_training_scores_are_said():
    with pytest.warns(TrainingWarning, match="Size gives all 3 training rows the same score"):
        Size().fit(np.ones((3, 2)))


def test_a_parameter_that_cannot_work_is_refused_before_the_first_model_is_forgotten():
    detector = Size().fit(ROWS)
    with pytest.raises(ConfigError):
        detector.set_params(contamination=2).fit(ROWS)
    assert detector.anomaly_score(ROWS).tolist() == [1, 3, 5, 7, 9]


def test_a_table_that_cannot_be_used_leaves_no_model():
    detector = Size().fit(ROWS)
    with pytest.raises(DataError):
        detector.fit([[np.nan, 1.0]])
    assert not hasattr(detector, "learned_")
