"""What the base class gives every detector, shown on the smallest one there is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError

from slad.core.errors import ArtifactError, ConfigError, TrainingError, TrainingWarning
from slad.core.state import State
from slad.detectors.base import Detector


class Distance(Detector):
    """The distance from the mean of the first column, times a factor."""

    def __init__(self, factor=1.0, contamination="auto", random_state=None):
        self.factor = factor
        self.contamination = contamination
        self.random_state = random_state

    def fit(self, X, y=None):
        self._check_parameters()
        self._forget()
        table = self._check(X, reset=True)
        self.mean_, self.seed_ = float(table[:, [0]].mean()), 17
        self._set_offset(self._anomaly_score(table))
        return self

    def _anomaly_score(self, X):
        return np.abs(np.asarray(X[:, [0]].sum(axis=1)).ravel() - self.mean_) * self.factor

    def _fitted_state(self):
        return State({"mean": self.mean_}, {})

    def _set_fitted_state(self, state):
        self.mean_ = state.values["mean"]


COLUMN = np.arange(9.0)[:, None]
"""Distances from the mean: 4, 3, 2, 1, 0, 1, 2, 3, 4."""


def test_tukey_s_fence_or_the_share_of_anomalies_sets_the_threshold():
    assert Distance().fit(COLUMN).offset_ == -(3 + 1.5 * (3 - 1))
    detector = Distance(contamination=0.25).fit(COLUMN)
    assert detector.offset_ == -3
    assert detector.predict(COLUMN).tolist() == [-1, 1, 1, 1, 1, 1, 1, 1, -1]  # 3 is not above 3


def test_scikit_learn_s_sign_is_the_opposite_and_zero_is_the_threshold():
    detector = Distance(contamination=0.25).fit(COLUMN)
    new = [[4.0], [14.0]]
    assert detector.anomaly_score(new).tolist() == [0, 10]
    assert detector.score_samples(new).tolist() == [0, -10]
    assert detector.decision_function(new).tolist() == [3, -7]
    assert detector.score_parts(new).tolist() == [[0], [10]]


@pytest.mark.parametrize("value", [-0.1, 0.51, True, np.True_, "half", None, float("nan")])
def test_a_contamination_that_is_no_fraction_up_to_a_half_is_refused(value):
    with pytest.raises(ConfigError, match="contamination="):
        Distance(contamination=value).fit(COLUMN)


@pytest.mark.parametrize("value", [0, 0.5, np.float32(0.25), "auto"])
def test_fractions_of_any_number_type_are_taken(value):
    assert np.isfinite(Distance(contamination=value).fit(COLUMN).offset_)


def test_scores_that_are_no_numbers_are_an_error_with_their_count():
    detector = Distance().fit(COLUMN).set_params(factor=np.inf)
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(TrainingError, match="3 of 3 scores are not numbers"),
    ):
        detector.anomaly_score([[4.0], [90.0], [-90.0]])  # 0 times infinity, and infinity


def test_equal_scores_of_all_training_rows_warn():
    with pytest.warns(TrainingWarning, match="all 3 training rows the same score, 2"):
        Distance()._warn_of_constant(np.full(3, 2.0))
    Distance()._warn_of_constant(np.zeros(1))  # one row alone says nothing
    Distance()._warn_of_constant(np.array([0.0, 1e-300]))


def test_entries_that_are_stored_in_parts_are_summed_in_a_copy():
    parts = csr_array((np.ones(3), np.array([0, 0, 1]), np.array([0, 3])), shape=(1, 2))
    parts.has_canonical_format = False
    checked = Distance()._check(parts, reset=True)
    assert checked.nnz == 2
    assert parts.nnz == 3


def test_forgetting_takes_what_was_fitted_and_leaves_parameters():
    detector = Distance(factor=2.0).fit(COLUMN)
    detector._forget()
    assert vars(detector) == {"factor": 2.0, "contamination": "auto", "random_state": None}
    with pytest.raises(NotFittedError):
        detector.anomaly_score(COLUMN)


# -- saved models ----------------------------------------------------------------------------------


def test_a_state_makes_the_same_detector_again():
    frame = pd.DataFrame(COLUMN, columns=["height"])
    detector = Distance(factor=np.float64(2), contamination=0.25).fit(frame)
    values, arrays = detector.state()
    assert type(values["parameters"]["factor"]) is float
    again = Distance.from_state(State(values, arrays))
    np.testing.assert_array_equal(again.predict(frame), detector.predict(frame))
    assert list(again.feature_names_in_) == ["height"]
    assert again.get_params() == detector.get_params()


def test_of_a_generator_the_seed_that_was_drawn_is_kept():
    detector = Distance(random_state=np.random.default_rng(0)).fit(COLUMN)
    assert detector.state().values["parameters"]["random_state"] == 17


def test_the_state_of_another_class_is_refused_by_name():
    values, arrays = Distance().fit(COLUMN).state()
    other = State(values | {"detector": "Forest"}, arrays)
    with pytest.raises(ArtifactError, match=r"m\.slad holds a Forest, not a Distance; use slad"):
        Distance.from_state(other, where="m.slad")


@pytest.mark.parametrize("lost", ["parameters", "fitted"])
def test_a_state_that_does_not_fit_this_version_is_refused_with_the_one_that_wrote_it(lost):
    values, arrays = Distance().fit(COLUMN).state()
    values = {key: value for key, value in values.items() if key != lost} | {"slad_version": "9.9"}
    with pytest.raises(ArtifactError, match=r"was written by slad 9\.9 .*KeyError.*fit again"):
        Distance.from_state(State(values, arrays))


def test_a_parameter_of_another_version_is_refused_and_not_ignored():
    values, arrays = Distance().fit(COLUMN).state()
    values["parameters"]["temperature"] = 3
    with pytest.raises(ArtifactError, match="does not fit this version"):
        Distance.from_state(State(values, arrays))


def test_only_parameters_that_change_no_score_may_change_on_loading():
    state = Distance().fit(COLUMN).state()
    with pytest.raises(ConfigError, match=r"factor of a Distance cannot change.*that can: none"):
        Distance.from_state(state, factor=3.0)
