from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from recipes import table
from slad.core.errors import DataError
from slad.core.rows import DenseRows
from slad.detectors.parts.scaling import SCALINGS, Scaler


def signed_log(z: np.ndarray) -> np.ndarray:
    return np.sign(z) * np.log1p(np.abs(z))


EXPECTED = {
    "minmax": lambda fit, X: MinMaxScaler().fit(fit).transform(X),
    "standard": lambda fit, X: StandardScaler().fit(fit).transform(X).clip(-10, 10),
    "robust": lambda fit, X: RobustScaler().fit(fit).transform(X).clip(-10, 10),
    "signed_log": lambda fit, X: signed_log(StandardScaler().fit(fit).transform(X)),
    "none": lambda fit, X: X,
}


def scaled(scaler: Scaler, X) -> np.ndarray:
    rows = scaler.rows(X)
    if isinstance(rows, DenseRows):
        return rows.values.numpy()
    return rows.offsets.toarray() + rows.baseline.numpy()


def test_every_scaling_has_its_twin_here():
    assert set(EXPECTED) == set(SCALINGS)


@pytest.mark.parametrize("kind", list(SCALINGS))
@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_the_cells_are_those_of_scikit_learn(kind, wrap):
    fit, X = table(200, 6), 3 * table(50, 6, seed=1)
    X[0, 0], X[1, 1] = 1e6, -1e6
    actual = scaled(Scaler.fit(kind, wrap(fit)), wrap(X))
    assert actual.dtype == np.float32
    np.testing.assert_allclose(actual, EXPECTED[kind](fit, X), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["minmax", "standard", "signed_log"])
@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_zeros_and_constants_are_scaled_as_by_scikit_learn(kind, wrap):
    X = table(200, 6) * (np.random.default_rng(0).uniform(size=(200, 6)) < 0.3)
    X[:, 2], X[:, 4] = 0, 7.7
    actual = scaled(Scaler.fit(kind, wrap(X)), wrap(X))
    np.testing.assert_allclose(actual, EXPECTED[kind](X, X), rtol=1e-5, atol=1e-5)


def test_robust_falls_back_to_the_deviation_where_most_cells_are_equal():
    X = np.zeros((100, 1))
    X[:10] = 5.0
    scaler = Scaler.fit("robust", X)
    assert scaler.scale[0] == pytest.approx(X.std())


@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, 1e-200, 1e300, 0.0])
@pytest.mark.parametrize("kind", ["minmax", "standard", "robust", "signed_log"])
def test_a_constant_column_is_centred_and_nothing_more(kind, value):
    scaler = Scaler.fit(kind, np.full((999, 1), value))
    assert scaler.scale[0] == 1
    np.testing.assert_allclose(scaled(scaler, np.full((3, 1), value)), 0, atol=1e-6)


@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_a_cell_too_large_after_scaling_is_refused_by_name(wrap):
    scaler = Scaler.fit("minmax", table(50, 4))
    X = table(5, 4)
    X[1, 2] = 1e200
    with pytest.raises(DataError, match="column 2 is too large for scaling='minmax'"):
        scaler.rows(wrap(X))


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "uint8", "bool", "int64"])
def test_small_number_types_do_not_overflow_in_the_statistics(dtype):
    X = np.random.default_rng(0).integers(0, 128, size=(3000, 3)).astype(dtype)
    for kind in SCALINGS:
        actual = scaled(Scaler.fit(kind, X), X)
        expected = scaled(Scaler.fit(kind, X.astype(float)), X.astype(float))
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)
