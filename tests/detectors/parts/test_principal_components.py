"""Principal components of standardised rows, against numpy's of the whole table."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from recipes import table
from slad.detectors.parts import principal_components
from slad.detectors.parts.principal_components import (
    LARGEST,
    Components,
    DenseAxes,
    SparseAxes,
    Standard,
    axes_from_state,
)


def wide_sparse(n: int = 12, d: int = 300) -> np.ndarray:
    """Mostly zeros, a full column far from zero, and an empty one."""
    rng = np.random.default_rng(0)
    X = random_array((n, d), density=0.05, rng=rng).toarray()
    X[:, 1] = 1e4 + rng.uniform(size=n)
    X[:, 2] = 0
    return X


def standardised(X: np.ndarray) -> np.ndarray:
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)


def projected(axes: DenseAxes | SparseAxes, X) -> tuple[np.ndarray, np.ndarray]:
    starts, coordinates, squares = zip(*axes.project(X), strict=True)
    assert starts[0] == 0
    return np.concatenate(coordinates), np.concatenate(squares)


# -- standardised rows -----------------------------------------------------------------------------


def test_a_sparse_row_is_the_baseline_plus_its_offsets():
    X = wide_sparse()
    standard = Standard.fit(csr_array(X))
    offsets = standard.offsets(csr_array(X))
    whole = standard.baseline + offsets.toarray()
    np.testing.assert_allclose(whole, standard.rows(X), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(standard.rows(csr_array(X)), standard.rows(X), rtol=0)
    assert standard.baseline[1] == 0  # far from zero, so stored whole
    assert offsets.nnz < X.size / 4


def test_standardising_leaves_the_table_alone():
    X = wide_sparse()
    before = X.copy()
    standard = Standard.fit(X)
    standard.rows(X)
    standard.offsets(csr_array(X))
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_a_cell_however_large_is_cut_off_with_its_sign(wrap):
    standard = Standard(np.zeros(2), np.full(2, 1e-10))
    cells = standard.rows(wrap(np.array([[1e305, -1e305]])))
    assert cells.tolist() == [[LARGEST, -LARGEST]]


# -- components ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(50, 6), (6, 20)])
def test_variances_are_eigenvalues_of_the_correlation_matrix(n, d):
    X = table(n, d)
    components = Components.of(X)
    expected = np.linalg.eigvalsh(np.corrcoef(X, rowvar=False))[::-1]
    found = components.variances
    np.testing.assert_allclose(found, expected[: len(found)], rtol=1e-9)
    assert len(found) == min(n - 1, d)
    assert components.complete == (n > d)
    np.testing.assert_allclose(expected[len(found) :], 0, atol=1e-10)
    vectors = components.axes.vectors
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(found)), atol=1e-10)


def test_coordinates_along_the_axes_have_the_components_variances():
    X = table(50, 6)
    components = Components.of(X)
    coordinates, squares = projected(components.axes, X)
    np.testing.assert_allclose((coordinates**2).mean(axis=0), components.variances)
    np.testing.assert_allclose(squares, (standardised(X) ** 2).sum(axis=1))
    np.testing.assert_allclose((coordinates**2).sum(axis=1), squares)  # the axes are complete


def test_a_wide_sparse_table_has_the_components_of_its_dense_twin():
    X = wide_sparse()
    dense, sparse = Components.of(X), Components.of(csr_array(X))
    assert isinstance(dense.axes, DenseAxes)
    assert isinstance(sparse.axes, SparseAxes)
    np.testing.assert_allclose(sparse.variances, dense.variances, rtol=1e-9)
    assert sparse.fourth == pytest.approx(dense.fourth)
    for rows in (X, csr_array(X)):
        mine, squares = projected(sparse.axes, rows)
        theirs, expected = projected(dense.axes, rows)
        np.testing.assert_allclose(np.abs(mine), np.abs(theirs), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(squares, expected, rtol=1e-9)


def test_a_column_given_twice_adds_a_component_without_variance():
    X = table(40, 3)
    variances = Components.of(X[:, [0, 1, 2, 0]]).variances
    assert (variances > 0).tolist() == [True, True, True, False]
    assert variances[3] == 0


def test_blocks_of_any_size_give_the_same_components(monkeypatch):
    X = table(300, 4)
    expected = Components.of(X).variances
    monkeypatch.setattr(principal_components, "CELLS", 1)
    np.testing.assert_allclose(Components.of(X).variances, expected, rtol=1e-10)


@pytest.mark.parametrize("X", [np.full((5, 2), 3.0), np.array([[1.0, 2.0]])])
def test_where_nothing_varies_shrinkage_is_whole(X):
    components = Components.of(X)
    assert components.mean_variance == 1
    assert components.ledoit_wolf(len(X)) == 1


# -- axes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_axes_come_back_from_their_state_and_can_be_chosen(wrap):
    X = wrap(wide_sparse())
    axes = Components.of(X).axes
    again = axes_from_state(axes.state(), axes.standard)
    assert type(again) is type(axes)
    whole, _ = projected(axes, X)
    np.testing.assert_array_equal(projected(again, X)[0], whole)
    some, _ = projected(axes.take(np.array([3, 0])), X)
    np.testing.assert_allclose(some, whole[:, [3, 0]], rtol=1e-12, atol=1e-12)
