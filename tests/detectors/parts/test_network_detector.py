"""Rows for training, and blocks for scoring, of detectors whose networks train on rows."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from recipes import table
from slad.core.errors import ResourceError
from slad.detectors import Autoencoder
from slad.detectors.parts import network_detector
from slad.detectors.parts.network_detector import BLOCK_CELLS, LARGEST_BLOCK, TableRows
from slad.detectors.parts.scaling import Scaler

CPU = torch.device("cpu")
SMALL = {"epochs": 2, "random_state": 0, "device": "cpu"}


def rows_of(X) -> TableRows:
    return TableRows(X, Scaler.fit("minmax", X), CPU)


def mostly_zeros(n: int = 20, d: int = 6) -> np.ndarray:
    return table(n, d) * (np.random.default_rng(0).uniform(size=(n, d)) < 0.3)


@pytest.mark.parametrize("free", [2**30, 0], ids=["fits", "does not fit"])
def test_a_sparse_table_gives_the_rows_of_its_dense_twin_whether_it_fits_or_not(free, monkeypatch):
    X = mostly_zeros()
    dense = rows_of(X)
    monkeypatch.setattr(network_detector, "available_memory", lambda device: free)
    sparse = rows_of(csr_array(X))
    assert (sparse.values is None) == (free == 0)
    assert len(sparse) == len(dense) == 20
    chosen = torch.tensor([7, 7, 0, 19])
    torch.testing.assert_close(sparse.take(chosen), dense.take(chosen))


def test_a_dense_table_on_a_cpu_is_taken_however_little_memory_is_free(monkeypatch):
    monkeypatch.setattr(network_detector, "available_memory", lambda device: 0)
    assert rows_of(table(20, 3)).values is not None


@pytest.mark.parametrize("size", [1, 8, 20, 100])
def test_blocks_hold_all_rows_in_order(size):
    rows = rows_of(table(20, 3))
    blocks = list(rows.blocks(size))
    assert all(len(block) == size for block in blocks[:-1])
    torch.testing.assert_close(torch.cat(blocks), rows.values, rtol=0, atol=0)


@pytest.mark.parametrize("n_members", [1, 40])
def test_a_scoring_block_is_a_power_of_two_within_its_limits(n_members):
    scorer = Autoencoder(**SMALL, n_members=n_members).fit(table(40, 200))._scorer
    block = scorer.block
    assert block & (block - 1) == 0
    assert 8 <= block <= LARGEST_BLOCK["cpu"]
    cells = scorer.method.cells_per_row * n_members
    assert block == 8 or block * cells <= BLOCK_CELLS["cpu"]


def test_scores_have_a_column_for_each_member_whose_mean_is_the_score():
    X = table(60, 4)
    detector = Autoencoder(**SMALL, n_members=3).fit(X)
    parts = detector.score_parts(X)
    assert parts.shape == (60, 3)
    assert len(np.unique(parts[0])) == 3
    np.testing.assert_array_equal(detector.anomaly_score(X), parts.mean(axis=1))


def test_more_members_begin_with_the_members_of_fewer():
    X = table(60, 4)
    one, three = (Autoencoder(**SMALL, n_members=n).fit(X).score_parts(X) for n in (1, 3))
    np.testing.assert_allclose(three[:, 0], one[:, 0], rtol=1e-6)


def test_work_that_does_not_fit_is_refused_with_the_estimate_and_ways_out(monkeypatch):
    monkeypatch.setattr(network_detector, "available_memory", lambda device: 1000)
    with pytest.raises(ResourceError, match=r"Autoencoder needs about .* features.* are free on"):
        Autoencoder(**SMALL).fit(table(30, 4))
