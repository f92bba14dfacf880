from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import IsolationForest as Forest

from recipes import table
from slad.detectors.parts.trees import Trees, average_path_length, isolation, usual_length


def cells(n: int, d: int, seed: int = 0) -> np.ndarray:
    return np.tanh(table(n, d, seed)).astype(np.float32)


def walked(forest: Forest, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Path lengths and deviations, node after node."""
    lengths, deviations = np.zeros((2, len(rows), len(forest.estimators_)))
    for number, estimator in enumerate(forest.estimators_):
        tree = estimator.tree_
        for place, row in enumerate(rows):
            node, gaps = 0, []
            while tree.children_left[node] >= 0:
                cell, threshold = row[tree.feature[node]], tree.threshold[node]
                gaps.append(abs(float(cell) - threshold))
                sides = tree.children_left if cell <= threshold else tree.children_right
                node = sides[node]
            rest = average_path_length(np.array([tree.n_node_samples[node]]))[0]
            lengths[place, number] = len(gaps) + rest
            deviations[place, number] = np.mean(gaps) if gaps else 0.0
    return lengths.mean(axis=1), deviations.mean(axis=1)


@pytest.mark.parametrize(("n", "drawn"), [(300, 64), (40, 40), (300, 3), (5, 2), (3, 1)])
def test_all_rows_at_once_go_the_ways_of_each_alone(n, drawn):
    rows = cells(n, 5)
    trees = Trees.grow(rows, 7, drawn, seed=3)
    forest = Forest(n_estimators=7, max_samples=drawn, random_state=3).fit(rows)
    new = 2 * cells(100, 5, seed=1)
    lengths, deviations = trees.lengths_and_deviations(new)
    expected_lengths, expected_deviations = walked(forest, new)
    np.testing.assert_allclose(lengths, expected_lengths, rtol=1e-12)
    np.testing.assert_allclose(deviations, expected_deviations, rtol=1e-5)
    np.testing.assert_array_equal(trees.path_lengths(new), lengths)
    scores = isolation(lengths, usual_length(drawn))
    np.testing.assert_allclose(scores, -forest.score_samples(new), rtol=1e-9)


def test_a_tree_without_cuts_has_no_deviation():
    trees = Trees.grow(np.ones((50, 2), dtype=np.float32), 4, 16, seed=0)
    lengths, deviations = trees.lengths_and_deviations(cells(10, 2))
    np.testing.assert_array_equal(deviations, 0)
    np.testing.assert_allclose(lengths, usual_length(16))


def test_a_cell_on_a_threshold_goes_left_and_deviates_by_nothing():
    trees = Trees.grow(np.array([[0.0], [1.0]], dtype=np.float32), 1, 2, seed=0)
    threshold = float(trees.thresholds[0, 0])
    rows = np.array([[threshold], [threshold + 0.25]], dtype=np.float32)
    lengths, deviations = trees.lengths_and_deviations(rows)
    np.testing.assert_array_equal(lengths, 1)
    np.testing.assert_allclose(deviations, [0, 0.25], atol=1e-6)


@pytest.mark.parametrize(("n", "drawn"), [(300, 64), (40, 40), (5, 2), (3, 1)])
def test_trees_grown_together_isolate_as_those_of_scikit_learn(n, drawn):
    rows, new = cells(n, 5), 2 * cells(200, 5, seed=1)
    together = Trees.grow_together(rows, 300, drawn, seed=3).path_lengths(new)
    apart = Trees.grow(rows, 300, drawn, seed=3).path_lengths(new)
    np.testing.assert_allclose(together, apart, rtol=0.08, atol=1e-9)


def test_trees_grown_together_are_those_of_their_seed():
    rows = cells(200, 4)
    first, same, other = (Trees.grow_together(rows, 5, 64, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.thresholds, same.thresholds)
    assert not np.array_equal(first.thresholds, other.thresholds)


def test_trees_grown_together_cut_no_equal_rows_and_pass_constant_columns_by():
    rows = np.ones((50, 30), dtype=np.float32)
    assert np.isinf(Trees.grow_together(rows, 4, 16, seed=0).thresholds).all()
    rows[:, 7] = np.arange(50)
    trees = Trees.grow_together(rows, 4, 16, seed=0)
    assert set(trees.features[np.isfinite(trees.thresholds)]) == {7}
