from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from slad_paper.pages.statistics import alike, friedman, holm, pairwise, ranks, top, wilcoxon

TABLES = st.tuples(st.integers(1, 8), st.integers(1, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(st.sampled_from([0.5, 0.6, 0.75, 0.9, 1.0]), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    ).map(np.array)
)


def place_by_counting(row: np.ndarray, at: int) -> float:
    """One more than the better ones, and half of those that tie."""
    better = sum(value > row[at] for value in row)
    ties = sum(value == row[at] for value in row) - 1
    return 1 + better + ties / 2


@given(TABLES)
def test_ranks_and_top_places_are_those_found_by_counting(table):
    places = ranks(table)
    expected = [[place_by_counting(row, at) for at in range(len(row))] for row in table]
    np.testing.assert_array_equal(places, expected)
    np.testing.assert_allclose(places.sum(axis=1), table.shape[1] * (table.shape[1] + 1) / 2)
    for count in (2, 4):
        by_hand = [sum(row[at] <= count for row in expected) for at in range(table.shape[1])]
        assert top(places, count) == by_hand


def test_rounding_does_not_break_ties():
    assert ranks(np.array([[0.1 + 0.2, 0.3]])).tolist() == [[1.5, 1.5]]


def test_holm_s_correction_on_an_example_worked_by_hand():
    # Sorted: 0.005 * 4 = 0.02, 0.01 * 3 = 0.03, 0.03 * 2 = 0.06, 0.04 * 1 raised to 0.06.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.6]) == [1.0, 1.0]
    assert holm([0.03]) == [0.03]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_corrected_p_values_are_no_smaller_and_keep_their_order(p_values):
    corrected = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, corrected, strict=True))
    for (p, q), (r, s) in combinations(zip(p_values, corrected, strict=True), 2):
        assert (p < r and q <= s) or (p > r and q >= s) or (p == r and q == s)


def test_the_pairwise_tests_are_scipy_s_and_count_wins():
    table = np.random.default_rng(0).uniform(size=(20, 3))
    table[3, 0] = table[3, 1]
    pairs = pairwise(table)
    assert [(pair.first, pair.second) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    assert pairs[2].p == stats.wilcoxon(table[:, 1], table[:, 2]).pvalue
    assert pairs[0].wins == (table[:, 0] > table[:, 1]).sum()
    assert pairs[0].ties == 1
    assert pairs[0].wins + pairs[0].ties + pairs[0].losses == 20
    assert [pair.p_holm for pair in pairs] == holm([pair.p for pair in pairs])


def test_chosen_pairs_are_tested_alone_and_corrected_for_their_number():
    table = np.random.default_rng(1).uniform(size=(20, 4))
    chosen = pairwise(table, [(2, 0), (2, 3)])
    assert [(pair.first, pair.second) for pair in chosen] == [(2, 0), (2, 3)]
    assert chosen[1].p == stats.wilcoxon(table[:, 2], table[:, 3]).pvalue
    assert [pair.p_holm for pair in chosen] == holm([pair.p for pair in chosen])


@given(TABLES)
def test_no_table_of_ties_single_datasets_or_single_detectors_breaks_a_test(table):
    for pair in pairwise(table):
        assert 0 <= pair.p <= pair.p_holm <= 1
    result = friedman(table)
    if result is None:
        assert table.shape[0] < 2 or table.shape[1] < 3
    else:
        assert np.isfinite(result[0])
        assert 0 <= result[1] <= 1


def test_detectors_that_always_tie_do_not_differ():
    table = np.full((10, 4), 0.8)
    assert wilcoxon(table[:, 0] - table[:, 1]) == 1.0
    assert friedman(table) == (0.0, 1.0)
    assert alike(pairwise(table), 4) == [[0, 1, 2, 3]]


def test_a_detector_that_always_wins_differs():
    table = np.linspace(0.5, 0.7, 20)[:, None] + [0.2, 0.0, -0.001]
    statistic, p = friedman(table)
    assert p < 1e-6
    assert statistic == pytest.approx(40)  # n (k - 1): the same order on all 20
    assert pairwise(table)[0].p_holm < 1e-4


@given(st.integers(2, 7), st.data())
def test_groups_are_all_the_largest_without_a_significant_pair(count, data):
    table = np.zeros((2, count))
    pairs = [
        type(pair)(**(vars(pair) | {"p_holm": data.draw(st.sampled_from([0.01, 0.5]))}))
        for pair in pairwise(table)
    ]
    apart = {(pair.first, pair.second) for pair in pairs if pair.p_holm < 0.05}
    calm = [
        set(group)
        for size in range(2, count + 1)
        for group in combinations(range(count), size)
        if not apart & set(combinations(group, 2))
    ]
    largest = sorted(sorted(group) for group in calm if not any(group < other for other in calm))
    assert alike(pairs, count) == largest
