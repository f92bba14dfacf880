from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csc_matrix, csr_array, csr_matrix, random_array

from recipes import MODELS, SMALL, every_model, make, table
from slad import SLAD
from slad.detectors.parts.scaling import SCALINGS


def mostly_zero(n: int = 300, d: int = 12) -> np.ndarray:
    """Mostly zeros, but for a few full columns whose least value is not zero."""
    rng = np.random.default_rng(0)
    X = table(n, d) * (rng.uniform(size=(n, d)) < 0.1)
    X[:, 3] = rng.uniform(5, 7, size=n)
    X[:, 7] = -rng.uniform(2, 3, size=n)
    return X


@pytest.mark.parametrize("scaling", list(SCALINGS))
def test_a_sparse_table_scores_as_the_dense_one_under_every_scaling(scaling):
    X = mostly_zero()
    detector = SLAD(scaling=scaling, **SMALL).fit(X)
    expected = detector.anomaly_score(X)
    sparse = detector.anomaly_score(csr_array(X))
    np.testing.assert_allclose(sparse, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
@pytest.mark.parametrize("scaling", list(SCALINGS))
def test_a_sparse_table_trains_as_the_dense_one_under_every_scaling(scaling):
    X = mostly_zero()
    # Few and small steps: training carries every rounding on.
    settings = SMALL | {"scaling": scaling, "epochs": 1, "learning_rate": 1e-4}
    dense, sparse = SLAD(**settings).fit(X), SLAD(**settings).fit(csr_array(X))
    np.testing.assert_allclose(sparse.anomaly_score(X), dense.anomaly_score(X), rtol=1e-3)


@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
@every_model
def test_every_model_takes_every_sparse_format(model):
    X = mostly_zero()
    settings = {"epochs": 1, "learning_rate": 1e-4}
    expected = make(model, **settings).fit(X).anomaly_score(X)
    for kind in (csr_array, csr_matrix, csc_array, csc_matrix, coo_array):
        scores = make(model, **settings).fit(kind(X)).anomaly_score(kind(X))
        np.testing.assert_allclose(scores, expected, rtol=1e-3)


@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
@every_model
def test_every_model_takes_long_indices(model):
    X = csr_array(mostly_zero(60, 20))
    long = csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), X.shape)
    assert long.indices.dtype == np.int64
    expected = make(model, epochs=1).fit(X).anomaly_score(X)
    scores = make(model, epochs=1).fit(long).anomaly_score(long)
    np.testing.assert_array_equal(scores, expected)


@pytest.mark.parametrize("scaling", list(SCALINGS))
def test_an_entry_stored_in_two_parts_counts_as_their_sum(scaling):
    X = mostly_zero(60, 8)
    whole = csr_array(X)
    parts = csr_array(
        (np.repeat(whole.data / 2, 2), np.repeat(whole.indices, 2), 2 * whole.indptr),
        shape=X.shape,
    )
    assert not parts.has_canonical_format
    detector = SLAD(scaling=scaling, **SMALL).fit(X)
    np.testing.assert_allclose(
        detector.anomaly_score(parts), detector.anomaly_score(X), rtol=1e-4, atol=1e-6
    )


def test_stored_zeros_are_zeros():
    X = csr_array(mostly_zero())
    explicit = X.copy()
    explicit.data[::3] = 0
    detector = SLAD(**SMALL).fit(X)
    np.testing.assert_allclose(
        detector.anomaly_score(explicit),
        detector.anomaly_score(explicit.toarray()),
        rtol=1e-4,
        atol=1e-6,
    )


@pytest.mark.parametrize("scaling", list(SCALINGS))
def test_a_full_column_far_from_zero_does_not_blur_the_others(scaling):
    X = mostly_zero()
    X[:, 3] = 1e6 + np.random.default_rng(1).uniform(size=len(X))
    X[:, 7] = 1e6
    if scaling == "none":
        X[:, [3, 7]] /= 1e6
    detector = SLAD(scaling=scaling, **SMALL).fit(X)
    np.testing.assert_allclose(
        detector.anomaly_score(csr_array(X)), detector.anomaly_score(X), rtol=1e-3
    )


# Not those whose weights grow with the square of the features: they refuse such a table.
@pytest.mark.parametrize(
    "model", [model for model in MODELS if "zero_padding" not in model and "GAAL" not in model]
)
def test_a_wide_sparse_table_is_never_made_dense_as_a_whole(model, monkeypatch):
    shapes = []

    def recording(original):
        def record(self, *args, **options):
            shapes.append(self.shape)
            return original(self, *args, **options)

        return record

    for kind in (csr_array, csr_matrix, csc_array, csc_matrix):
        for method in ("toarray", "todense"):
            monkeypatch.setattr(kind, method, recording(getattr(kind, method)))
    n, d = 300, 60_000
    X = random_array((n, d), density=1e-3, format="csr", rng=np.random.default_rng(0))
    tracemalloc.start()
    few = {"n_groups": 2, "epochs": 1, "n_transformations": 2, "window": d - 10, "n_members": 1}
    detector = make(model, **few).fit(X)
    scores = detector.anomaly_score(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.isfinite(scores).all()
    assert max((rows * columns for rows, columns in shapes), default=0) < n * d // 2
    assert peak < n * d * 8
