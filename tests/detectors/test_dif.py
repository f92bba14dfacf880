from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array
from sklearn.ensemble import IsolationForest as Forest
from sklearn.metrics import roc_auc_score

from recipes import MODELS, table, with_anomalies
from slad.core.errors import ConfigError, TrainingWarning
from slad.core.seeds import Streams
from slad.detectors import DeepIsolationForest, dif
from slad.detectors.parts.random_networks import standard_normal
from slad.detectors.parts.trees import usual_length

small = MODELS["DeepIsolationForest"]


def mostly_zero(n: int, d: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = table(n, d, seed) * (rng.uniform(size=(n, d)) < 0.08)
    X[:, 3] = rng.uniform(5, 7, size=n)  # a full column far from zero
    return X


def member_matrices(seed: int, member: int, count: int, sizes: list[int]) -> list[np.ndarray]:
    """Each layer of one network, written out: W o p q'."""
    matrices = []
    for layer, (into, out) in enumerate(pairwise(sizes)):
        shared = standard_normal(seed, f"layer {layer}", into, out)
        p = standard_normal(seed, f"layer {layer} rows", count, into)
        q = standard_normal(seed, f"layer {layer} columns", count, out)
        matrices.append(shared.numpy() * np.outer(p[member], q[member]))
    return matrices


def slow_scores(
    train: np.ndarray, test: np.ndarray, *, seed: int, count: int, trees: int
) -> np.ndarray:
    """Row after row and tree after tree, with scikit-learn's forests."""
    low, high = train.min(axis=0), train.max(axis=0)
    sizes, drawn = [train.shape[1], 12, 8, 16], min(64, len(train))
    parts = []
    for member in range(count):
        train_cells, test_cells = ((X - low) / (high - low) for X in (train, test))
        for place, matrix in enumerate(member_matrices(seed, member, count, sizes)):
            bend = np.tanh if place else np.asarray
            train_cells, test_cells = bend(train_cells) @ matrix, bend(test_cells) @ matrix
        mean, deviation = train_cells.mean(axis=0), train_cells.std(axis=0)
        train_cells, test_cells = (
            np.tanh((X - mean) / deviation).astype(np.float32) for X in (train_cells, test_cells)
        )
        forest = Forest(
            n_estimators=trees,
            max_samples=drawn,
            random_state=Streams(seed, member).key("trees") % 2**32,
        ).fit(train_cells)
        gaps = np.zeros((len(test), trees))
        for number, estimator in enumerate(forest.estimators_):
            tree, nodes = estimator.tree_, estimator.decision_path(test_cells)
            for row in range(len(test)):
                path = nodes.indices[nodes.indptr[row] : nodes.indptr[row + 1]]
                cuts = path[tree.children_left[path] >= 0]
                distances = np.abs(test_cells[row, tree.feature[cuts]] - tree.threshold[cuts])
                gaps[row, number] = distances.mean() if len(cuts) else 0
        parts.append(-forest.score_samples(test_cells) * gaps.mean(axis=1))
    return np.mean(parts, axis=0)


@pytest.mark.parametrize("d", [2, 9])
def test_scores_are_those_of_a_slow_implementation(d):
    train, test, _ = with_anomalies(300, d)
    detector = small(n_estimators=5).fit(train)
    expected = slow_scores(train, test[:100], seed=0, count=4, trees=5)
    np.testing.assert_allclose(detector.anomaly_score(test[:100]), expected, rtol=1e-4)


def test_the_score_is_the_mean_of_its_parts():
    train, test, _ = with_anomalies(200, 5)
    detector = small().fit(train)
    parts = detector.score_parts(test)
    assert parts.shape == (len(test), 4)
    np.testing.assert_allclose(parts.mean(axis=1), detector.anomaly_score(test), rtol=1e-12)


def test_chunks_of_rows_change_no_score(monkeypatch):
    train, test, _ = with_anomalies(600, 5)
    detector = small().fit(train)
    expected = detector.anomaly_score(test)
    monkeypatch.setattr(dif, "CHUNK", 100)
    monkeypatch.setattr(dif, "PATHS", 50)
    np.testing.assert_array_equal(detector.anomaly_score(test), expected)
    np.testing.assert_allclose(detector.score_parts(test).mean(axis=1), expected, rtol=1e-12)


@pytest.mark.parametrize("scaling", ["minmax", "standard", "none"])
def test_sparse_and_dense_tables_give_the_same_scores(scaling):
    train, test = mostly_zero(400, 70), mostly_zero(100, 70, seed=1)
    expected = small(scaling=scaling).fit(train).anomaly_score(test)
    detector = small(scaling=scaling).fit(csr_array(train))
    assert detector._sparse
    # A row whose output lies on a cut but for rounding may go the other way.
    for same in (csr_array(test), test):
        close = np.isclose(detector.anomaly_score(same), expected, rtol=1e-4)
        assert close.mean() > 0.97


def test_a_model_of_a_wide_table_holds_no_weights():
    X = csr_array(random_array((60, 30_000), density=0.002, rng=np.random.default_rng(0)))
    detector = small().fit(X)
    arrays = detector.state().arrays
    assert {name for name, array in arrays.items() if array.size >= 30_000} == {
        "scaler.center",
        "scaler.scale",
    }
    assert np.ptp(detector.anomaly_score(X)) > 0


def test_rows_that_are_all_alike_score_0_and_that_is_said():
    with pytest.warns(TrainingWarning, match="check whether all rows are equal"):
        detector = small().fit(np.full((50, 3), 7.0))
    np.testing.assert_array_equal(detector.anomaly_score([[7.0] * 3, [8.0] * 3]), 0)


def test_the_usual_path_length_is_that_of_the_rows_drawn():
    assert small().fit(table(200, 3))._usual == usual_length(64)
    assert small().fit(table(30, 3))._usual == usual_length(30)


def test_large_seeds_work_and_far_networks_differ():
    X = table(60, 3)
    first, same, other = (
        small(random_state=seed).fit(X).anomaly_score(X) for seed in (2**40, 2**40, 2**40 + 2**32)
    )
    np.testing.assert_array_equal(first, same)
    assert not np.allclose(first, other, rtol=1e-3)


@pytest.mark.parametrize(
    "name",
    [
        "n_representations",
        "n_estimators",
        "max_samples",
        "hidden_dim",
        "second_hidden_dim",
        "representation_dim",
    ],
)
@pytest.mark.parametrize("value", [0, 1.5, "6", None, True])
def test_a_count_that_is_none_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=f"{name}={value!r}"):
        DeepIsolationForest(**{name: value}).fit(table(30, 3))


def test_it_finds_anomalies_that_break_correlations():
    train, test, labels = with_anomalies(400, 8)
    detector = DeepIsolationForest(random_state=0).fit(train)
    assert roc_auc_score(labels, detector.anomaly_score(test)) > 0.75
