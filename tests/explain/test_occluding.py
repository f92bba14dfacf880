"""Contributions of columns: they find what was planted, alike in every batch."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slad import SLAD
from slad.core.errors import ConfigError, DataError
from slad.detectors import KNN
from slad.explain import occlusion
from slad.explain.occluding import MOST


def dependent_rows(n: int, seed: int = 0) -> np.ndarray:
    """Columns 0 to 2 follow one hidden number, 3 and 4 another; 5 is noise."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=(n, 2))
    rows = hidden[:, [0, 0, 0, 1, 1, 1]] + 0.1 * rng.normal(size=(n, 6))
    rows[:, 5] = rng.normal(size=n)
    return rows


def alone(width: int) -> list[tuple[int, int]]:
    return [(column, column + 1) for column in range(width)]


@pytest.fixture(scope="module")
def detector():
    return SLAD(random_state=0, epochs=5).fit(dependent_rows(400))


def test_a_spike_is_blamed_on_its_column(detector):
    rows = dependent_rows(6, seed=1)
    rows[np.arange(6), np.arange(6)] += 8
    found = occlusion(detector.anomaly_score, rows, dependent_rows(200, seed=2), alone(6))
    assert found.contributions.argmax(axis=1).tolist() == list(range(6))


def test_a_usual_value_that_fits_no_other_column_is_blamed(detector):
    rows = dependent_rows(20, seed=1)
    rows[:, :3] = 1.0
    rows[:, 1] = -1.0
    found = occlusion(detector.anomaly_score, rows, dependent_rows(200, seed=2), alone(6))
    assert (found.contributions.argmax(axis=1) == 1).all()


def test_a_column_the_score_does_not_look_at_contributes_nothing():
    rows, reference = dependent_rows(10, seed=1), dependent_rows(50)
    found = occlusion(lambda X: np.abs(X[:, 0]) + 5, rows, reference, alone(6))
    assert np.abs(found.contributions[:, 1:]).max() < 1e-12


def test_of_many_columns_those_most_unlike_comparable_rows_are_tried():
    rng = np.random.default_rng(0)
    reference, rows = rng.normal(size=(60, 2 * MOST)), rng.normal(size=(3, 2 * MOST))
    culprits = np.array([1, MOST, 2 * MOST - 1])
    rows[np.arange(3), culprits] = 9
    scored = []

    def score(X):
        scored.append(len(X))
        return np.abs(X).max(axis=1)

    found = occlusion(score, rows, reference, alone(2 * MOST), draws=2)
    assert found.contributions.argmax(axis=1).tolist() == culprits.tolist()
    assert sum(scored) == len(rows) * (1 + 2 * MOST)  # half of the columns, two draws
    assert (np.count_nonzero(found.contributions, axis=1) <= MOST).all()


def test_all_features_of_a_column_are_replaced_together():
    reference = np.zeros((5, 4))
    rows = np.array([[1.0, 1.0, 1.0, 1.0]])
    both = occlusion(lambda X: X.sum(axis=1), rows, reference, [(0, 1), (1, 3), [0, 3]])
    assert both.contributions.tolist() == [[1.0, 2.0, 2.0]]


def test_replacement_values_come_from_comparable_rows():
    reference = np.array([[0.0, 0.0], [10.0, 10.0]]).repeat(5, axis=0)
    fits = occlusion(lambda X: np.abs(X[:, 0] - X[:, 1]), [[10.0, 4.0]], reference, [(1, 2)])
    assert fits.contributions[0, 0] == pytest.approx(6.0)


def test_other_rows_do_not_change_what_is_found(detector):
    rows, reference = dependent_rows(150, seed=3), dependent_rows(100, seed=2)
    whole = occlusion(detector.anomaly_score, rows, reference, alone(6))
    for part in ([7], [140], list(range(60, 149))):
        mine = occlusion(detector.anomaly_score, rows[part], reference, alone(6))
        assert np.array_equal(mine.contributions, whole.contributions[part])
        assert np.array_equal(mine.nearest, whole.nearest[part])


def test_the_nearest_row_is_not_the_row_itself():
    reference = dependent_rows(30)
    same = occlusion(lambda X: X[:, 0], reference, reference, alone(6))
    assert same.nearest.tolist() == list(range(30))
    own = occlusion(lambda X: X[:, 0], reference, reference, alone(6), own=np.arange(30))
    assert (own.nearest != np.arange(30)).all()


def test_memory_does_not_grow_with_rows_times_columns():
    rng = np.random.default_rng(0)
    rows, reference = rng.normal(size=(200, 200)), rng.normal(size=(100, 200))
    tracemalloc.start()
    occlusion(lambda X: X[:, 0], rows, reference, alone(200))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**27  # all copies at once would take 256 MB


@given(
    n=st.integers(1, 4), m=st.integers(1, 6), d=st.integers(1, 4), constant=st.booleans(),
    seed=st.integers(0, 5),
)  # fmt: skip
def test_tiny_and_constant_tables_are_explained_too(n, m, d, constant, seed):
    rng = np.random.default_rng(seed)
    reference = np.ones((m, d)) if constant else rng.normal(size=(m, d))
    rows = rng.normal(size=(n, d))
    found = occlusion(lambda X: np.abs(X).sum(axis=1), rows, reference, alone(d))
    assert found.contributions.shape == (n, d)
    assert np.isfinite(found.contributions).all()
    assert ((found.nearest >= 0) & (found.nearest < m)).all()


def test_another_detector_is_explained_in_the_same_way():
    rows = dependent_rows(1, seed=1)
    rows[0, 4] = 9
    detector = KNN(n_neighbors=5).fit(dependent_rows(300))
    found = occlusion(detector.anomaly_score, rows, dependent_rows(100, seed=2), alone(6))
    assert found.contributions.argmax() == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reference": np.zeros((0, 2))}, "at least one normal row"),
        ({"reference": np.zeros((3, 5))}, "same features"),
        ({"blocks": [(0, 3)]}, "block 0 has the features"),
        ({"blocks": [[]]}, "block 0 has the features"),
        ({"draws": 0}, "draws=0"),
        ({"own": np.zeros(7, dtype=int)}, "one reference row"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_scored(change, message):
    def never(rows: np.ndarray) -> np.ndarray:
        raise AssertionError("scored")

    given = {"rows": np.zeros((1, 2)), "reference": np.zeros((3, 2)), "blocks": [(0, 2)]} | change
    with pytest.raises((ConfigError, DataError), match=message):
        occlusion(never, **given)
