"""Probabilities of useful subspaces: closed forms against sums, enumeration and fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from slad_paper.studies.usefulness import (
    COUNTINGS,
    as_printed,
    exact,
    limit_of_distinct,
    of_group,
    probability,
    rounded,
)

SIZES = [(1, 1, 1), (4, 1, 1), (8, 4, 2), (9, 9, 9), (10, 5, 5), (50, 20, 3), (60, 7, 7)]


@pytest.mark.parametrize("sizes", SIZES)
def test_the_closed_form_is_the_sum_that_the_lemma_prints(sizes):
    assert probability("repeats", *sizes) == pytest.approx(as_printed(*sizes), abs=1e-12)


@pytest.mark.parametrize("counting", COUNTINGS)
@pytest.mark.parametrize("sizes", SIZES)
def test_floats_are_the_fractions(counting, sizes):
    found = probability(counting, *sizes)
    assert found == pytest.approx(float(exact(counting, *sizes)), abs=1e-12)


@pytest.mark.parametrize(("n", "m", "q"), [(5, 3, 2), (7, 7, 4), (8, 2, 2), (9, 4, 1)])
def test_subsets_follow_the_hypergeometric_law(n, m, q):
    by_length = [
        Fraction(sum(comb(m, k) * comb(n - m, j - k) for k in range(q, j + 1)), comb(n, j))
        for j in range(1, n + 1)
    ]
    assert exact("subset", n, m, q) == sum(by_length) / n


@pytest.mark.parametrize(("m", "q"), [(1, 1), (2, 1), (2, 2), (3, 2), (4, 3)])
def test_both_ways_of_counting_draws_with_replacement_are_those_of_all_sequences(m, q):
    n = 4
    useful = {"repeats": Fraction(0), "distinct": Fraction(0)}
    for length in range(1, n + 1):
        for drawn in product(range(n), repeat=length):
            effective = [feature for feature in drawn if feature < m]
            share = Fraction(1, n * n**length)
            useful["repeats"] += share * (len(effective) >= q)
            useful["distinct"] += share * (len(set(effective)) >= q)
    for counting, expected in useful.items():
        assert exact(counting, n, m, q) == expected


def test_nothing_needed_is_certain():
    assert all(probability(counting, 6, 3, 0) == pytest.approx(1) for counting in COUNTINGS)


def test_the_bound_is_exceeded_wherever_the_number_needed_is_whole():
    for n in range(1, 13):
        for m in range(1, n + 1):
            for q in range(1, m + 1):
                for counting in ("repeats", "subset"):
                    excess = exact(counting, n, m, q) - (1 - Fraction(q, m))
                    assert excess >= Fraction(1, n) * (1 - Fraction(q, m))
                    assert excess > 0


def test_the_lemma_s_probability_may_rise_with_the_number_of_features():
    assert exact("repeats", 7, 6, 6) < exact("repeats", 8, 6, 6)
    assert exact("subset", 7, 6, 6) > exact("subset", 8, 6, 6)


@pytest.mark.parametrize("alpha", [0.25, 0.5, 0.75])
def test_draws_with_replacement_counted_once_come_to_their_limit_from_above(alpha):
    limit = limit_of_distinct(alpha)
    away = [
        probability("distinct", n, n // 2, int(alpha * n // 2)) - limit for n in (80, 400, 2000)
    ]
    assert away[0] > away[1] > away[2] >= -1e-12
    assert away[2] < 0.002
    assert limit < 1 - alpha


@pytest.mark.parametrize(
    ("numerator", "up", "nearest", "down"),
    [(9, 3, 2, 2), (10, 3, 3, 2), (8, 2, 2, 2), (0, 0, 0, 0)],
)
def test_sizes_are_rounded_without_floats(numerator, up, nearest, down):
    found = [rounded(numerator, 4, rounding) for rounding in ("up", "nearest", "down")]
    assert found == [up, nearest, down]
    assert rounded(np.array([numerator]), 4, "up").tolist() == [up]


def test_a_group_is_useful_if_one_of_its_subspaces_is():
    assert of_group(Fraction(1, 2), 10) == 1 - Fraction(1, 1024)
