from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array
from sklearn.covariance import EmpiricalCovariance, LedoitWolf
from sklearn.metrics import roc_auc_score

import slad
from recipes import table, with_anomalies
from slad.core.errors import ConfigError
from slad.detectors import PCA, make
from slad.detectors.parts import principal_components


def standardised(train: np.ndarray, X: np.ndarray) -> np.ndarray:
    return (X - train.mean(axis=0)) / train.std(axis=0)


def by_the_paper(train: np.ndarray, X: np.ndarray, major: float, minor: float) -> np.ndarray:
    """Weighted squares along the chosen eigenvectors of the correlation matrix."""
    values, vectors = np.linalg.eigh(np.corrcoef(train, rowvar=False))
    values, vectors = values[::-1], vectors[:, ::-1]
    q = 1 + int((np.cumsum(values)[:-1] < major * values.sum()).sum())
    chosen = (np.arange(len(values)) < q) | (values < minor)
    coordinates = standardised(train, X) @ vectors
    return (coordinates**2 / values)[:, chosen].sum(axis=1)


def wide_sparse(n: int, d: int, seed: int = 0, density: float = 0.05) -> np.ndarray:
    """More columns than rows, mostly zeros, but for a full column far from zero."""
    X = random_array((n, d), density=density, rng=np.random.default_rng(seed)).toarray()
    X[:, 1] = 1e4 + X[:, 1] + np.random.default_rng(seed + 7).uniform(size=n)
    return X


@pytest.mark.parametrize(("major", "minor"), [(0.5, 0.2), (0.9, 0.0), (0.2, 1.0)])
def test_chosen_components_count_as_in_the_paper(major, minor):
    train, test, _ = with_anomalies(300, 12)
    detector = PCA(major=major, minor=minor).fit(train)
    np.testing.assert_allclose(
        detector.anomaly_score(test), by_the_paper(train, test, major, minor), rtol=1e-8
    )
    np.testing.assert_allclose(
        detector.eigenvalues_, np.linalg.eigvalsh(np.corrcoef(train, rowvar=False))[::-1]
    )
    assert 0 < detector.n_components_ < 12


@pytest.mark.parametrize("d", [1, 7, 60])
def test_over_all_components_it_is_scikit_learn_s_mahalanobis_distance(d):
    train, test, _ = with_anomalies(300, d)
    expected = EmpiricalCovariance().fit(train).mahalanobis(test)
    np.testing.assert_allclose(PCA(major=1.0).fit(train).anomaly_score(test), expected, rtol=1e-6)


@pytest.mark.parametrize(("n", "d"), [(300, 7), (300, 60), (40, 60), (12, 300)])
def test_the_recipe_mahalanobis_is_scikit_learn_s_ledoit_wolf_of_standardised_rows(n, d):
    train, test, _ = with_anomalies(n, d)
    model = LedoitWolf().fit(standardised(train, train))
    detector = make("mahalanobis").fit(train)
    assert detector.shrinkage_ == pytest.approx(model.shrinkage_, rel=1e-9)
    expected = model.mahalanobis(standardised(train, test))
    np.testing.assert_allclose(detector.anomaly_score(test), expected, rtol=1e-7)


@pytest.mark.parametrize("shrinkage", [0.01, 0.5, 1.0])
@pytest.mark.parametrize("n", [15, 200])
def test_a_given_shrinkage_moves_the_covariance_so_far(n, shrinkage):
    train, test = table(n, 30), table(50, 30, seed=1)
    Z, new = standardised(train, train), standardised(train, test)
    covariance = (1 - shrinkage) * Z.T @ Z / n + shrinkage * np.eye(30)
    expected = np.einsum("nd,de,ne->n", new, np.linalg.inv(covariance), new)
    scores = PCA(major=1.0, shrinkage=shrinkage).fit(train).anomaly_score(test)
    np.testing.assert_allclose(scores, expected, rtol=1e-8)


def test_without_shrinkage_any_other_axes_give_the_same_distance():
    train, test = table(200, 6), table(50, 6, seed=1)
    turned = np.random.default_rng(2).normal(size=(6, 6))
    expected = PCA(major=1.0).fit(train).anomaly_score(test)
    scores = PCA(major=1.0).fit(train @ turned + 3).anomaly_score(test @ turned + 3)
    np.testing.assert_allclose(scores, expected, rtol=1e-6)


@pytest.mark.parametrize("n", [8, 200])
def test_where_columns_depend_on_each_other_it_is_the_pseudo_inverse(n):
    X = table(n, 12)
    X[:, 3] = X[:, 1] - 2 * X[:, 2]
    X[:, 4] = 7.0
    kept = np.delete(X, 4, axis=1)
    Z = standardised(kept, kept)
    expected = np.einsum("nd,de,ne->n", Z, np.linalg.pinv(Z.T @ Z / n, rcond=1e-10), Z)
    np.testing.assert_allclose(PCA(major=1.0).fit(X).anomaly_score(X), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["pca", "mahalanobis"])
@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
@pytest.mark.parametrize(("n", "d"), [(200, 15), (30, 200)])
def test_rounding_far_from_zero_makes_no_component(name, wrap, n, d):
    clean = table(n, d) * (np.arange(d) < 15)
    clean[:, 0], clean[:, 1] = np.arange(n), 0
    X = clean + 1e9 * (np.arange(d) < 2)
    X[::2, 1] += np.spacing(1e9)  # constant but for the last bit
    expected = make(name).fit(clean).anomaly_score(clean)
    np.testing.assert_allclose(make(name).fit(wrap(X)).anomaly_score(wrap(X)), expected, rtol=1e-5)


def test_a_broken_relation_that_always_held_counts_under_shrinkage_only():
    X = table(200, 3)
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    new = X[:1] + np.array([0, 0, 0, 50.0])
    plain, shrunk = PCA(major=1.0).fit(X), make("mahalanobis").fit(X)
    assert plain.anomaly_score(new)[0] < plain.anomaly_score(X).max()
    assert shrunk.anomaly_score(new)[0] > 5 * shrunk.anomaly_score(X).max()


@pytest.mark.parametrize("name", ["pca", "mahalanobis"])
@pytest.mark.parametrize("n", [20, 60])
def test_a_wide_sparse_table_is_kept_sparse_and_scores_as_the_dense_one(name, n):
    train, test = wide_sparse(n, 300), wide_sparse(50, 300, seed=1, density=0.2)
    dense, sparse = make(name).fit(train), make(name).fit(csr_array(train))
    assert sparse.keeps_training_data
    assert not dense.keeps_training_data
    assert sparse.n_components_ == dense.n_components_
    assert sparse.shrinkage_ == pytest.approx(dense.shrinkage_)
    expected = dense.anomaly_score(test)
    for detector in (dense, sparse):
        for rows in (test, csr_array(test)):
            np.testing.assert_allclose(detector.anomaly_score(rows), expected, rtol=1e-7)


@pytest.mark.parametrize("name", ["pca", "mahalanobis"])
@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_in_a_wide_table_a_row_scores_the_same_alone_and_in_any_batch(name, wrap):
    detector = make(name).fit(wrap(wide_sparse(40, 500)))
    X = wrap(wide_sparse(300, 500, seed=1))
    whole = detector.anomaly_score(X)
    for start, size in ((0, 1), (299, 1), (7, 100), (40, 257)):
        part = detector.anomaly_score(X[start : start + size])
        np.testing.assert_allclose(part, whole[start : start + size], rtol=1e-12, atol=0)


@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_a_saved_model_of_a_wide_table_scores_the_same_to_the_bit(wrap, tmp_path):
    X = wrap(wide_sparse(40, 200))
    detector = make("mahalanobis").fit(X)
    detector.save(tmp_path / "model")
    loaded = slad.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.anomaly_score(X), detector.anomaly_score(X))
    np.testing.assert_array_equal(loaded.eigenvalues_, detector.eigenvalues_)
    assert loaded.keeps_training_data == detector.keeps_training_data
    assert (loaded.n_components_, loaded.shrinkage_) == (
        detector.n_components_,
        detector.shrinkage_,
    )


@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_blocks_of_any_size_give_the_same(wrap, monkeypatch):
    X = wrap(wide_sparse(90, 20, density=0.3))
    whole = PCA().fit(X).anomaly_score(X)
    monkeypatch.setattr(principal_components, "CELLS", 50)
    monkeypatch.setattr(principal_components, "BLOCK", 16)
    np.testing.assert_allclose(PCA().fit(X).anomaly_score(X), whole, rtol=1e-9)


@pytest.mark.parametrize("name", ["pca", "mahalanobis"])
def test_one_training_row_or_none_that_varies_is_enough(name):
    detector = make(name).fit([[3.0, 4.0]])
    assert detector.anomaly_score([[3.0, 4.0]])[0] == 0
    far = 25.0 if name == "mahalanobis" else 0.0  # without any variance there is no component
    assert detector.anomaly_score([[6.0, 8.0]])[0] == far


@pytest.mark.parametrize("name", ["pca", "mahalanobis"])
@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_a_cell_however_large_gets_a_finite_score_above_all_others(name, wrap):
    X = wide_sparse(30, 200) if wrap is csr_array else table(100, 4)
    detector = make(name).fit(wrap(X))
    new = X[:1].copy()
    new[0, 0] = 1.7e308
    assert detector.anomaly_score(wrap(new))[0] > 1e9 * detector.anomaly_score(wrap(X)).max()


def test_it_finds_anomalies_that_break_correlations():
    train, test, labels = with_anomalies(400, 8)
    for name in ("pca", "mahalanobis"):
        assert roc_auc_score(labels, make(name).fit(train).anomaly_score(test)) > 0.8


BAD = [
    *(("major", value) for value in (-0.1, 1.1, "half", None, True)),
    *(("minor", value) for value in (-0.1, "few", None, float("inf"))),
    *(("shrinkage", value) for value in (-0.1, 1.1, "much", None)),
]


@pytest.mark.parametrize(("name", "value"), BAD, ids=[f"{n}={v!r}" for n, v in BAD])
def test_a_value_that_cannot_work_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=f"{name}="):
        PCA(**{name: value}).fit(table(30, 3))
