"""Subspaces that are drawn are as useful as the theory of their way of drawing says."""

from __future__ import annotations

import numpy as np
import pytest

from slad_paper.studies.bound_draws import (
    by_sampler,
    effective_counts,
    share_and_error,
    with_shared_lengths,
)
from slad_paper.studies.usefulness import COUNTINGS, probability


@pytest.mark.parametrize("counting", COUNTINGS)
def test_simulated_subspaces_are_as_useful_as_the_exact_probability_says(counting):
    counts = effective_counts(12, 6, 20_000, np.random.default_rng(0))[counting]
    for q in (1, 3, 6):
        share, error = share_and_error(counts >= q)
        assert abs(share - probability(counting, 12, 6, q)) < 4 * error


@pytest.mark.parametrize(
    ("recipe", "n", "counting"),
    [("paper", 8, "subset"), ("released", 8, "distinct"), ("released", 12, "subset")],
)
def test_slad_s_sampler_draws_as_its_recipe_says(recipe, n, counting):
    needed = [1, n // 4, n // 2]
    rows = by_sampler(recipe, n, n // 2, needed, 60, np.random.default_rng(1))
    for q, row in zip(needed, rows, strict=True):
        assert abs(row["subspaces"] - probability(counting, n, n // 2, q)) < 4 * row["error"]
        assert row["groups"] >= row["subspaces"]


def test_a_shared_pool_of_lengths_makes_groups_less_useful():
    rng = np.random.default_rng(2)
    found = with_shared_lengths(60, 30, 22, pool=10, size=10, pools=4_000, rng=rng)
    assert found["shared"] < found["independent"] - 10 * found["error"]
    whole = with_shared_lengths(60, 30, 22, pool=60, size=10, pools=10, rng=rng)
    assert whole["shared"] == pytest.approx(whole["independent"])
