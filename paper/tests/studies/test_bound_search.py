"""The search for counter-examples finds all of them, and no others."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from slad_paper.studies import bound_search
from slad_paper.studies.usefulness import ROUNDINGS, exact, rounded


def broken_by_fractions(counting: str, widest: int) -> list[tuple[int, int, int]]:
    return [
        (n, m, q)
        for n in range(1, widest + 1)
        for m in range(1, n + 1)
        for q in range(1, m + 1)
        if exact(counting, n, m, q) < 1 - Fraction(q, m)
    ]


@pytest.mark.parametrize("counting", ["repeats", "subset"])
def test_whole_sizes_never_break_the_bound(counting):
    found = bound_search.search_whole(counting, 12)
    assert found["searched"] == sum(n * (n + 1) // 2 for n in range(1, 13))
    assert found["broken"] == len(broken_by_fractions(counting, 12)) == 0
    assert found["least_excess_times_n"] == pytest.approx(1)


def test_every_whole_size_that_breaks_the_bound_is_found():
    expected = broken_by_fractions("distinct", 9)
    found = bound_search.search_whole("distinct", 9)
    assert found["broken"] == len(expected) > 0
    smallest = found["smallest"]
    assert smallest["n"] == expected[0][0]
    assert (smallest["n"], smallest["m"], smallest["q"]) in expected
    gaps = [1 - Fraction(q, m) - exact("distinct", n, m, q) for n, m, q in expected]
    assert found["worst"]["gap"] == pytest.approx(float(max(gaps)))


def test_of_subsets_half_of_what_is_not_effective_is_the_share_of_alphas_that_break_the_bound():
    broken = bound_search.search_whole("subset", 40)["alphas_broken"]
    assert broken == pytest.approx({"0.25": 0.375, "0.5": 0.25, "0.75": 0.125, "1.0": 0.0})


@pytest.mark.parametrize("counting", ["repeats", "subset"])
def test_shares_are_searched_under_every_rounding(counting):
    widest = 4
    below = {
        (n, m, q, alpha): exact(counting, n, m, q) < 1 - Fraction(alpha, 100)
        for n in range(1, widest + 1)
        for m in range(1, n + 1)
        for q in range(m + 1)
        for alpha in range(1, 101)
    }
    rows = bound_search.search_shares(counting, widest)
    assert [(row["size"], row["needed"]) for row in rows] == list(product(ROUNDINGS, ROUNDINGS))
    for row in rows:
        expected = 0
        for n, beta, alpha in product(range(1, widest + 1), range(1, 101), range(1, 101)):
            m = max(1, rounded(beta * n, 100, row["size"]))
            expected += below[n, m, rounded(alpha * m, 100, row["needed"]), alpha]
        assert row["searched"] == widest * 10_000
        assert row["broken"] == expected
        assert row["needed"] != "down" or expected == 0
        assert row["needed"] != "up" or expected > 0


def test_fractions_decide_what_floats_cannot(monkeypatch):
    assert exact("subset", 2, 1, 1) == Fraction(3, 4)  # the bound itself at alpha = 0.25
    right = bound_search.search_shares("subset", 4)
    real = bound_search.table
    monkeypatch.setattr(bound_search, "table", lambda *sizes: real(*sizes) - 1e-12)
    shaken = bound_search.search_shares("subset", 4)
    assert [row["broken"] for row in shaken] == [row["broken"] for row in right]


def test_the_map_counts_the_widths_at_which_the_bound_fails():
    found = bound_search.map_of_shares("subset", 8, 25)
    assert found["shares"] == [0.25, 0.5, 0.75, 1.0]
    expected = np.zeros((4, 4))
    for n in range(1, 9):
        for row, alpha in enumerate((25, 50, 75, 100)):
            for column, beta in enumerate((25, 50, 75, 100)):
                m = max(1, rounded(beta * n, 100, "nearest"))
                q = rounded(alpha * m, 100, "up")
                expected[row, column] += exact("subset", n, m, q) < 1 - Fraction(alpha, 100)
    assert np.array(found["failed"]) * 8 == pytest.approx(expected)


def test_the_first_rise_with_the_number_of_features_is_found():
    found = bound_search.search_increases("repeats", 9)
    assert (found["smallest"]["n"], found["smallest"]["m"], found["smallest"]["q"]) == (7, 6, 6)
    assert bound_search.search_increases("repeats", 7)["broken"] == 0
    assert bound_search.search_increases("subset", 9)["broken"] == 0


def test_at_whole_sizes_the_figure_falls_and_with_rounded_ones_it_does_not():
    shares = [Fraction(1, 2), Fraction(1)]
    for counting in ("repeats", "subset"):
        assert bound_search.increases_along(counting, shares, 40, None)["rises"] == 0
        rounded_up = bound_search.increases_along(counting, shares, 40, "up")
        assert rounded_up["rises"] > 0
        assert rounded_up["worst"]["to"] == rounded_up["worst"]["n"] + 1


def test_the_last_line_of_the_proof_is_true_of_the_narrowest_tables_only():
    found = bound_search.last_line_of_proof(30)
    assert found["searched"] == 465
    assert found["true"] == 8
    assert found["widest_true"] == 7
