"""Choosing on one half of the sources and judging on the other, on made-up tables."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from slad.core.errors import ConfigError, DataError
from slad_paper.runner.halving import Scores, repeated_halvings

NAMES = ("knn-1", "knn-1[scaling=minmax]", "one", "other", "third")
REFERENCE = NAMES[:2]
SOURCES = tuple(f"s{at % 40}" for at in range(100))
"""Of 40 sources, some have two tasks and some three."""


def made_up(ahead: float = 0.0, noise: float = 0.05) -> Scores:
    """Candidates that differ by chance, but for `one`, which is ahead."""
    rng = np.random.default_rng(0)
    values = {}
    for metric, level in (("auc_roc", 0.8), ("auc_pr", 0.5)):
        difficulty = rng.uniform(-0.15, 0.15, size=(100, 1))
        table = level + difficulty + rng.normal(scale=noise, size=(100, 5))
        table[:, 2] += ahead
        values[metric] = table
    return Scores(NAMES, SOURCES, values)


def test_a_source_never_lies_in_both_halves_and_always_in_one():
    for halving in repeated_halvings(made_up(), REFERENCE, times=50):
        assert not set(halving.choosing) & set(halving.confirming)
        assert set(halving.choosing) | set(halving.confirming) == set(SOURCES)
        assert len(halving.choosing) == len(halving.confirming) == 20
        assert all(len(each) == 20 for each in halving.differences.values())


@pytest.mark.parametrize("by", ["mean", "rank"])
def test_a_better_candidate_is_chosen_and_stays_ahead(by):
    halvings = list(repeated_halvings(made_up(ahead=0.05), REFERENCE, by=by))
    assert Counter(each.chosen for each in halvings)["one"] > 190
    for metric in ("auc_roc", "auc_pr"):
        means = [each.differences[metric].mean() for each in halvings]
        assert np.mean(means) == pytest.approx(0.05, abs=0.02)


def test_what_was_best_by_chance_is_not_ahead_on_the_other_half():
    rng = np.random.default_rng(1)
    names = (*REFERENCE, *(f"chance {at}" for at in range(30)))
    table = 0.8 + rng.normal(scale=0.1, size=(100, 32))
    halvings = list(repeated_halvings(Scores(names, SOURCES, {"auc_roc": table}), REFERENCE))
    every = list(range(2, 32))
    best = table[:, every].mean(axis=0).max() - table[:, :2].mean(axis=0).max()
    judged = np.mean([each.differences["auc_roc"].mean() for each in halvings])
    assert best > 0.01
    assert abs(judged) < best / 2


def test_the_reference_is_chosen_on_the_same_half():
    scores = made_up()
    scores.values["auc_roc"][:, 1] += 0.2
    assert {each.reference for each in repeated_halvings(scores, REFERENCE, times=20)} == {NAMES[1]}


def test_a_source_counts_once_however_many_tasks_it_has():
    values = np.array([[0.5, 0.9], [0.5, 0.9], [0.5, 0.9], [0.9, 0.5], [0.9, 0.5]])
    scores = Scores(("a", "b"), ("many", "many", "many", "one", "two"), {"auc_roc": values})
    sources, means = scores.by_source()
    assert sources == ("many", "one", "two")
    np.testing.assert_allclose(means["auc_roc"].mean(axis=0), [2.3 / 3, 1.9 / 3])


def test_halvings_are_the_same_for_a_seed_and_others_for_another():
    def halves(seed: int) -> list[tuple[str, ...]]:
        return [
            each.choosing for each in repeated_halvings(made_up(), REFERENCE, times=5, seed=seed)
        ]

    assert halves(0) == halves(0) != halves(1)


def test_tables_with_holes_and_choices_of_nothing_are_refused():
    scores = made_up()
    scores.values["auc_pr"][3, 1] = np.nan
    with pytest.raises(DataError, match=r"auc_pr.* with 1 cells"):
        Scores(NAMES, SOURCES, scores.values)
    with pytest.raises(ConfigError, match="0 candidates"):
        next(repeated_halvings(made_up(), NAMES))
    with pytest.raises(ConfigError, match="way to choose"):
        next(repeated_halvings(made_up(), REFERENCE, by="median"))
    with pytest.raises(ConfigError, match="knn-2"):
        next(repeated_halvings(made_up(), ["knn-2"]))
