"""Columns that move together become groups."""

from __future__ import annotations

import numpy as np
import pytest

from slad.explain import correlated_blocks
from slad.explain.correlation import block_correlations


def test_columns_that_move_together_are_a_group_and_a_chain_of_them_is_not():
    rng = np.random.default_rng(0)
    base = rng.normal(size=(500, 1))
    chain = np.cumsum(rng.normal(size=(500, 5)), axis=1)[:, 1:]
    rows = np.hstack([base, rng.normal(size=(500, 1)), -base + 0.1 * rng.normal(size=(500, 1))])
    blocks = [(column, column + 1) for column in range(3)]
    assert correlated_blocks(rows, blocks) == [(0, 2)]
    for group in correlated_blocks(chain, [(column, column + 1) for column in range(4)]):
        assert len(group) < 4


def test_a_block_is_as_correlated_as_its_most_correlated_feature():
    rng = np.random.default_rng(0)
    base = rng.normal(size=(200, 1))
    rows = np.hstack([np.ones((200, 1)), base, base, np.ones((200, 1))])
    assert correlated_blocks(rows, [(0, 2), (2, 4)]) == [(0, 1)]


@pytest.mark.parametrize("rows", [np.ones((1, 3)), np.ones((50, 3)), np.zeros((50, 1))])
def test_tables_without_correlations_have_no_groups(rows):
    assert correlated_blocks(rows, [(at, at + 1) for at in range(rows.shape[1])]) == []


def test_correlations_of_blocks_are_the_strongest_of_numpy_s():
    rows = np.random.default_rng(0).normal(size=(60, 4)) @ np.random.default_rng(1).normal(
        size=(4, 5)
    )
    features = [np.array([0, 3]), np.array([1]), np.array([2, 4])]
    found = block_correlations(rows, features)
    each = np.abs(np.corrcoef(rows, rowvar=False))
    for a, mine in enumerate(features):
        for b, other in enumerate(features):
            assert found[a, b] == pytest.approx(each[np.ix_(mine, other)].max())


def test_a_column_that_is_constant_but_for_rounding_correlates_with_nothing():
    rows = np.column_stack([np.arange(20.0), np.full(20, 1e9)])
    rows[10:, 1] = np.nextafter(1e9, 2e9)
    assert block_correlations(rows, [np.array([0]), np.array([1])])[0, 1] == 0


def test_the_least_correlation_of_a_group_can_be_chosen():
    rng = np.random.default_rng(0)
    base = rng.normal(size=500)
    rows = np.column_stack([base, base + rng.normal(size=500)])  # about 0.7
    blocks = [(0, 1), (1, 2)]
    assert correlated_blocks(rows, blocks) == []
    assert correlated_blocks(rows, blocks, least=0.5) == [(0, 1)]
