"""Tables nobody hopes for."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from recipes import MODELS, every_model, make, table
from slad.core.errors import TrainingWarning

EDGE = st.sampled_from([0.0, 1.0, -1.0, 0.1, 1e-300, -1e-300, 5e-324, 1e300, -1e300, 1e15, 1e-7])
DTYPES = ["float64", "float32", "float16", "int64", "int32", "uint8", "int8", "bool"]

pytestmark = [
    every_model,
    pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning"),
]


def assert_scores(model, X) -> None:
    detector = make(model, epochs=1).fit(X)
    scores = detector.anomaly_score(X)
    assert scores.shape == (X.shape[0],)
    assert np.isfinite(scores).all()
    assert set(detector.predict(X)) <= {-1, 1}


@settings(max_examples=25)
@given(
    rows=st.integers(1, 5).flatmap(
        lambda d: st.lists(st.lists(EDGE, min_size=d, max_size=d), min_size=1, max_size=8)
    ),
    sparse=st.booleans(),
)
def test_any_finite_table_gets_finite_scores(model, rows, sparse):
    X = np.array(rows)
    assert_scores(model, csr_array(X) if sparse else X)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_kind_of_number_is_taken(model, dtype):
    X = np.random.default_rng(0).integers(0, 100, size=(40, 4)).astype(dtype)
    assert_scores(model, X)
    expected = MODELS[model]().fit(X.astype(float)).anomaly_score(X.astype(float))
    np.testing.assert_allclose(MODELS[model]().fit(X).anomaly_score(X), expected, rtol=1e-4)


@pytest.mark.parametrize("n", [1, 2, 3, 19, 127, 129])
@pytest.mark.parametrize("d", [1, 2])
def test_one_or_two_features_and_few_rows_are_enough(model, n, d):
    assert_scores(model, table(n, d))


@pytest.mark.parametrize("d", [49, 50, 51, 300])
def test_more_features_than_rows_is_fine(model, d):
    assert_scores(model, table(5, d))


def test_constant_columns_do_not_disturb_the_others(model):
    X = table(100, 4)
    X[:, 1], X[:, 3] = 0.1, 1e9
    assert_scores(model, X)
    assert np.ptp(MODELS[model]().fit(X).anomaly_score(X)) > 0


def test_a_constant_column_that_changes_later_gets_a_number(model):
    X = table(100, 4)
    X[:, 1] = 5.0
    detector = MODELS[model]().fit(X)
    X[:50, 1] = 6.0
    assert np.isfinite(detector.anomaly_score(X)).all()


def test_rows_all_alike_score_alike_and_that_is_said(model):
    X = np.ones((100, 3))
    with pytest.warns(TrainingWarning, match=r"same score|did not learn"):
        detector = MODELS[model]().fit(X)
    assert np.ptp(detector.anomaly_score(X)) == 0


@pytest.mark.parametrize("size", [1e-250, 1e-100, 1e-30, 1e30, 1e200, 1e300])
def test_the_unit_of_measurement_does_not_matter(model, size):
    X = table(100, 4)
    X /= np.abs(X).max() * 2
    expected = MODELS[model]().fit(X).anomaly_score(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = MODELS[model]().fit(X * size).anomaly_score(X * size)
    np.testing.assert_allclose(scores, expected, rtol=1e-3)
