from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from slad.core.rows import DenseRows, SparseRows
from slad.detectors.parts import neighbors
from slad.detectors.parts.neighbors import DenseIndex, SparseIndex, TreeIndex, make_index

INDEXES = {"dense": DenseIndex, "tree": TreeIndex, "sparse": SparseIndex}


def rows_for(kind: str, X: np.ndarray) -> DenseRows | SparseRows:
    X = X.astype(np.float32)
    if kind == "sparse":
        return SparseRows(csr_array(X), torch.zeros(X.shape[1]))
    return DenseRows(torch.from_numpy(X))


def all_distances(queries: np.ndarray, X: np.ndarray) -> np.ndarray:
    queries, X = (part.astype(np.float32).astype(np.float64) for part in (queries, X))
    return np.sqrt(((queries[:, None] - X[None]) ** 2).sum(axis=2))


def assert_nearest(kind: str, X: np.ndarray, queries: np.ndarray, k: int) -> None:
    index = INDEXES[kind](rows_for(kind, X), k)
    distances, places = index.nearest(rows_for(kind, queries))
    every = all_distances(queries, X)
    np.testing.assert_allclose(distances, np.sort(every)[:, :k], rtol=1e-12, atol=0)
    np.testing.assert_allclose(np.take_along_axis(every, places, 1), distances, rtol=1e-12, atol=0)
    assert all(len(set(row)) == k for row in places)


def assert_nearest_others(kind: str, X: np.ndarray, k: int) -> None:
    index = INDEXES[kind](rows_for(kind, X), k)
    first, some = len(X) // 3, rows_for(kind, X[len(X) // 3 :])
    distances, places = index.nearest(some, first)
    every = all_distances(X, X)
    np.fill_diagonal(every, np.inf)
    np.testing.assert_allclose(distances, np.sort(every)[first:, :k], rtol=1e-12, atol=0)
    assert not (places == first + np.arange(len(places))[:, None]).any()


@pytest.mark.parametrize("kind", list(INDEXES))
@given(data=st.data())
def test_the_nearest_are_found_among_copies_and_ties(kind, data):
    seed = data.draw(st.integers(0, 2**31))
    n, d, levels = (data.draw(st.integers(*ends)) for ends in ((2, 80), (1, 9), (1, 40)))
    k = data.draw(st.integers(1, n - 1))
    rng = np.random.default_rng(seed)
    X, queries = (rng.integers(0, levels, size=(m, d)) * 0.37 for m in (n, 11))
    assert_nearest(kind, X, np.concatenate([queries, X[:3]]), k)
    assert_nearest_others(kind, X, k)


@pytest.mark.parametrize("n", [128, 129, 1025, 9000])
@pytest.mark.parametrize("k", [1, 5, 100])
@pytest.mark.parametrize("levels", [3, 10**6])
def test_the_nearest_are_found_through_groups_of_groups(n, k, levels):
    rng = np.random.default_rng(0)
    X, queries = (rng.integers(0, levels, size=(m, 7)) / levels for m in (n, 11))
    assert_nearest("dense", X, queries, k)
    index = DenseIndex(rows_for("dense", X), k)
    distances, _ = index.nearest(rows_for("dense", X[:20]), 0)
    others = all_distances(X[:20], X)
    np.fill_diagonal(others, np.inf)
    np.testing.assert_allclose(distances, np.sort(others)[:, :k], rtol=1e-12, atol=0)


@pytest.mark.parametrize("kind", list(INDEXES))
@pytest.mark.parametrize("far", [0, 10, 1000])
def test_rows_far_from_the_origin_are_told_apart_all_the_same(kind, far):
    rng = np.random.default_rng(0)
    X, queries = (far + rng.normal(size=(m, 5)) * 1e-3 for m in (500, 50))
    assert_nearest(kind, X, queries, 7)
    assert_nearest_others(kind, X, 7)


@pytest.mark.parametrize("kind", list(INDEXES))
def test_a_copy_is_at_distance_0(kind):
    X = np.random.default_rng(0).normal(size=(300, 40)) * 1e3
    index = INDEXES[kind](rows_for(kind, X), 2)
    distances, places = index.nearest(rows_for(kind, X))
    assert (distances[:, 0] == 0).all()
    assert (distances[:, 1] > 0).all()
    np.testing.assert_array_equal(places[:, 0], np.arange(300))


def test_single_precision_alone_would_miss_neighbours(monkeypatch):
    rng = np.random.default_rng(0)
    X, queries = (1000 + rng.normal(size=(m, 20)) * 1e-2 for m in (2000, 100))
    precisions = []
    search = DenseIndex._block_nearest

    def record(self, queries, own, bounds):
        precisions.append(bounds.dtype)
        return search(self, queries, own, bounds)

    monkeypatch.setattr(DenseIndex, "_block_nearest", record)
    assert_nearest("dense", X, queries, 3)
    assert set(precisions) == {torch.float32, torch.float64}
    precisions.clear()
    assert_nearest("dense", X - 1000, queries - 1000, 3)
    assert set(precisions) == {torch.float32}


@pytest.mark.parametrize("kind", list(INDEXES))
def test_blocks_of_any_size_find_the_same(kind, monkeypatch):
    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(200, 12)), rng.normal(size=(90, 12))
    whole = INDEXES[kind](rows_for(kind, X), 4).nearest(rows_for(kind, queries))
    monkeypatch.setitem(neighbors.CELLS, "cpu", 1)
    monkeypatch.setattr(neighbors, "PAIRS", 5)
    parts = INDEXES[kind](rows_for(kind, X), 4).nearest(rows_for(kind, queries))
    np.testing.assert_allclose(parts[0], whole[0], rtol=1e-12)
    np.testing.assert_array_equal(parts[1], whole[1])


@pytest.mark.parametrize("n", [100, 100_000, 3_000_000])
def test_a_block_of_products_has_a_bounded_size(n):
    index = DenseIndex(DenseRows(torch.zeros(n, 1)), 5)
    assert index._block * n <= max(neighbors.CELLS["cpu"], 8 * n)
    assert index.chunk % index._block == 0


def test_few_features_get_a_tree_and_sparse_rows_stay_sparse():
    kinds = {3: TreeIndex, 6: TreeIndex, 7: DenseIndex}
    for d, kind in kinds.items():
        assert isinstance(make_index(rows_for("dense", np.zeros((5, d))), 1), kind)
        assert isinstance(make_index(rows_for("sparse", np.zeros((5, d))), 1), SparseIndex)
