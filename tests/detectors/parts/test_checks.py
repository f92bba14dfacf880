from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from recipes import MODELS, every_model, table
from slad.core.errors import DataError, SladError

pytestmark = [
    every_model,
    pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning"),  # LOF: copies of rows
]


def with_cells(value: float, rows: list[int], column: int) -> np.ndarray:
    X = table(50, 4)
    X[rows, column] = value
    return X


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_refused_with_its_column_and_count(model, value):
    X = with_cells(value, [3, 7], 2)
    kind = "NaN" if np.isnan(value) else "inf"
    frame = pd.DataFrame(X, columns=["age", "pay", "rent", "size"])
    fitted, named = (
        MODELS[model]().fit(table(50, 4)),
        MODELS[model]().fit(frame.fillna(0).clip(0, 1)),
    )
    for act in (MODELS[model]().fit, fitted.anomaly_score):
        with pytest.raises(DataError, match=f"column 2 has 2 .*{kind}"):
            act(X)
        with pytest.raises(DataError, match=f"column 2 has 2 .*{kind}"):
            act(csr_array(X))
        with pytest.raises(DataError, match=f"column 2 has 2 .*{kind}"):
            act(X.astype(np.float32))
    for act in (MODELS[model]().fit, named.anomaly_score):
        with pytest.raises(DataError, match=f"column 'rent' has 2 .*{kind}"):
            act(frame)


def test_the_worst_of_several_columns_is_named(model):
    X = with_cells(np.nan, [3, 7, 9], 1)
    X[0, 0] = np.nan
    with pytest.raises(DataError, match=r"column 1 has 3 NaN.*1 more"):
        MODELS[model]().fit(X)


def test_infinities_that_cancel_in_a_sum_are_found(model):
    X = with_cells(np.inf, [3], 1)
    X[4, 1] = -np.inf
    with pytest.raises(DataError, match=r"column 1 has 2 .*inf"):
        MODELS[model]().fit(X)


def test_a_missing_value_in_an_object_column_is_a_missing_value(model):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1, None, 3]}, dtype=object)
    with pytest.raises(DataError, match="column 'b' has 1 NaN"):
        MODELS[model]().fit(frame)


@pytest.mark.parametrize(
    "column",
    [
        ["red", "green", "blue"],
        pd.Categorical(["red", "green", "red"]),
        pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]),
        [1.0, "red", 2.0],
    ],
    ids=["text", "categorical", "dates", "mixed"],
)
def test_a_column_of_text_is_named_with_a_value(model, column):
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0], "colour": column})
    with pytest.raises(DataError, match=r"column 'colour' holds .*(red|2020).*encode"):
        MODELS[model]().fit(frame)


def test_a_number_too_large_for_the_scaling_is_an_error_not_a_nan(model):
    X = table(50, 4)
    detector = MODELS[model]().fit(X)
    X[5, 3] = 1e300
    if getattr(detector, "scaling", None) == "minmax":
        with pytest.raises(DataError, match="column 3 is too large"):
            detector.anomaly_score(X)
    else:
        assert np.isfinite(detector.anomaly_score(X)).all()


@pytest.mark.parametrize("bad", [[], [[]], [1.0, 2.0], "rows", None, np.zeros((0, 3))])
def test_what_is_no_table_is_refused(model, bad):
    with pytest.raises((ValueError, TypeError)):
        MODELS[model]().fit(bad)


def test_complex_numbers_are_refused(model):
    with pytest.raises(ValueError, match=r"[Cc]omplex"):
        MODELS[model]().fit(table(10, 3) * 1j)


def test_the_errors_are_value_errors_of_slad(model):
    with pytest.raises(SladError) as caught:
        MODELS[model]().fit(with_cells(np.nan, [1], 1))
    assert isinstance(caught.value, ValueError)


def test_lists_are_tables_too(model):
    X = table(20, 3)
    scores = MODELS[model]().fit(X.tolist()).anomaly_score(X.tolist())
    np.testing.assert_array_equal(scores, MODELS[model]().fit(X).anomaly_score(X))


def test_numbers_of_a_nullable_data_frame_are_taken(model):
    frame = pd.DataFrame({"a": range(30), "b": [True, False] * 15}).convert_dtypes()
    plain = np.column_stack([np.arange(30), [1, 0] * 15]).astype(float)
    scores = MODELS[model]().fit(frame).anomaly_score(frame)
    np.testing.assert_allclose(scores, fresh_scores(model, plain), rtol=1e-6)


def fresh_scores(model, X):
    return MODELS[model]().fit(X).anomaly_score(X)
