"""Our classical detectors against scikit-learn and PyOD, on the same rows of ten real datasets.

Equal scores where the definitions are the same. Where PyOD defines something else on purpose
(ECOD, COPOD and PCA), what must be equal all the same is compared, and said in the test's name.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn import covariance, decomposition, ensemble, neighbors, preprocessing, svm
from sklearn.metrics import roc_auc_score

from slad.detectors import COPOD, ECOD, KNN, LOF, PCA, IsolationForest, OneClassSVM, make
from slad_paper.datasets import load
from slad_paper.datasets.protocol import half_normal_split

DATASETS = [
    "thyroid", "arrhythmia", "waveform", "27_PageBlocks", "6_cardio",
    "12_fault", "20_letter", "29_Pima", "43_WDBC", "47_yeast",
]  # fmt: skip

pytestmark = [
    pytest.mark.data,
    # PyOD asks scipy for the skewness of constant columns.
    pytest.mark.filterwarnings("ignore:Precision loss occurred:RuntimeWarning"),
]


class Rows(NamedTuple):
    train: np.ndarray
    test: np.ndarray
    labels: np.ndarray


@pytest.fixture(scope="module", params=DATASETS)
def rows(request, data_root) -> Rows:
    """Rounded to single precision, in which KNN and LOF hold their rows."""
    data = load(request.param, root=data_root, download=False)
    split = half_normal_split(data.X, data.y, 42)
    train, test = (part.astype(np.float32).astype(np.float64) for part in (split.train, split.test))
    return Rows(train, test, split.test_labels)


def pyod(module: str, name: str, **parameters: Any) -> Any:
    pytest.importorskip("pyod", reason="PyOD is not installed")
    return getattr(import_module(f"pyod.models.{module}"), name)(**parameters)


def assert_same_order(labels: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> None:
    assert roc_auc_score(labels, ours) == pytest.approx(roc_auc_score(labels, theirs), abs=1e-3)


def assert_same_but_for_a_constant(ours: np.ndarray, theirs: np.ndarray) -> None:
    assert np.ptp(ours - theirs) < 1e-9 * np.ptp(ours)


def test_isolation_forest_has_the_scores_of_scikit_learn_and_pyod_for_the_same_seed(rows):
    ours = IsolationForest(random_state=0).fit(rows.train).anomaly_score(rows.test)
    forest = ensemble.IsolationForest(random_state=0).fit(rows.train)
    np.testing.assert_allclose(ours, -forest.score_samples(rows.test), rtol=1e-12)
    theirs = pyod("iforest", "IForest", random_state=0).fit(rows.train)
    assert_same_but_for_a_constant(ours, theirs.decision_function(rows.test))


def test_nearest_neighbours_have_the_distances_of_scikit_learn_and_pyod(rows):
    ours = KNN(scaling="none", device="cpu").fit(rows.train)
    scores = ours.anomaly_score(rows.test)
    index = neighbors.NearestNeighbors(n_neighbors=5).fit(rows.train)
    np.testing.assert_allclose(scores, index.kneighbors(rows.test)[0][:, -1], rtol=1e-9)
    theirs = pyod("knn", "KNN", n_neighbors=5).fit(rows.train)
    np.testing.assert_allclose(scores, theirs.decision_function(rows.test), rtol=1e-9)
    np.testing.assert_allclose(ours.training_scores_, theirs.decision_scores_, rtol=1e-9)
    mean = KNN(aggregation="mean", scaling="none", device="cpu").fit(rows.train)
    theirs = pyod("knn", "KNN", n_neighbors=5, method="mean").fit(rows.train)
    np.testing.assert_allclose(
        mean.anomaly_score(rows.test), theirs.decision_function(rows.test), rtol=1e-9
    )


def tied(index: Any, X: np.ndarray, k: int) -> bool:
    """Whether some row's k-th neighbour is as near as the next one: then it is left open."""
    distances = index.kneighbors(X, k + 1)[0]
    return bool((distances[:, k] <= distances[:, k - 1] * (1 + 1e-9)).any())


def test_local_outlier_factors_are_those_of_scikit_learn_and_pyod_but_for_ties(rows):
    ours = LOF(scaling="none", device="cpu").fit(rows.train)
    scores = ours.anomaly_score(rows.test)
    index = neighbors.LocalOutlierFactor(novelty=True).fit(rows.train)
    theirs = pyod("lof", "LOF").fit(rows.train)
    of_new = (-index.score_samples(rows.test), theirs.decision_function(rows.test))
    for other in of_new:
        assert_same_order(rows.labels, scores, other)
    if not tied(index, rows.train, 21) and not tied(index, rows.test, 20):  # on seven of ten
        for other in of_new:
            np.testing.assert_allclose(scores, other, rtol=1e-9)
        np.testing.assert_allclose(ours.training_scores_, theirs.decision_scores_, rtol=1e-9)


def test_one_class_svm_has_the_scores_of_scikit_learn_and_pyod(rows):
    ours = OneClassSVM(scaling="none", max_rows=None).fit(rows.train).anomaly_score(rows.test)
    machine = svm.OneClassSVM().fit(rows.train)
    atol = 1e-9 * np.ptp(ours)
    np.testing.assert_allclose(ours, -machine.score_samples(rows.test), rtol=0, atol=atol)
    theirs = pyod("ocsvm", "OCSVM", gamma="scale").fit(rows.train)
    assert_same_but_for_a_constant(ours, theirs.decision_function(rows.test))


# PyOD's ECOD takes the largest tail column by column, and PyOD ranks new rows of ECOD and COPOD
# together with the training rows: a row alone as if it had been trained on, too.


def with_row(rows: Rows, place: int) -> np.ndarray:
    return np.concatenate([rows.train, rows.test[[place]]])


def paper_s_sums(theirs: Any) -> np.ndarray:
    """PyOD's tails of single cells, put together as in the paper of ECOD."""
    sums = [part.sum(axis=1) for part in (theirs.U_l, theirs.U_r, theirs.U_skew)]
    return np.max(sums, axis=0)


def test_ecod_s_training_rows_score_as_the_paper_puts_pyod_s_tails_together(rows):
    theirs = pyod("ecod", "ECOD").fit(rows.train)
    ours = ECOD().fit(rows.train).anomaly_score(rows.train)
    np.testing.assert_allclose(ours, paper_s_sums(theirs), rtol=1e-12)


def test_ecod_scores_a_row_trained_on_as_the_paper_puts_pyod_s_tails_of_a_new_row_together(rows):
    for place in range(3):
        theirs = pyod("ecod", "ECOD").fit(rows.train)
        theirs.decision_function(rows.test[[place]])
        ours = ECOD().fit(with_row(rows, place)).anomaly_score(rows.test[[place]])
        np.testing.assert_allclose(ours, paper_s_sums(theirs)[-1:], rtol=1e-12)


def test_copod_s_training_rows_have_pyod_s_scores(rows):
    theirs = pyod("copod", "COPOD").fit(rows.train)
    ours = COPOD().fit(rows.train).anomaly_score(rows.train)
    np.testing.assert_allclose(ours, theirs.decision_scores_, rtol=1e-12)


def test_copod_scores_a_row_trained_on_as_pyod_scores_a_new_row_alone(rows):
    for place in range(3):
        theirs = pyod("copod", "COPOD").fit(rows.train)
        ours = COPOD().fit(with_row(rows, place)).anomaly_score(rows.test[[place]])
        score = theirs.decision_function(rows.test[[place]])
        np.testing.assert_allclose(ours, score, rtol=1e-12)


# PyOD's PCA adds up distances between a row and the tips of the eigenvectors, which is not the
# paper's score (and infinite where columns depend on each other). Its components are the paper's.


def weighted_squares(coordinates: np.ndarray, variances: np.ndarray) -> np.ndarray:
    """The paper's sum over major and minor components, written down once more."""
    major = np.cumsum(variances) - variances < 0.5 * variances.sum()
    chosen = (major | (variances < 0.2)) & (variances > 1e-12)
    return (coordinates[:, chosen] ** 2 / variances[chosen]).sum(axis=1)


@pytest.mark.filterwarnings("ignore:(divide by zero|invalid value) encountered:RuntimeWarning")
def test_pca_has_the_paper_s_scores_by_the_components_of_scikit_learn_and_pyod(rows):
    ours = PCA().fit(rows.train).anomaly_score(rows.test)
    n = len(rows.train)
    scaler = preprocessing.StandardScaler().fit(rows.train)
    found = decomposition.PCA().fit(scaler.transform(rows.train))
    theirs = pyod("pca", "PCA").fit(rows.train)
    for scaled, parts in ((scaler, found), (theirs.scaler_, theirs.detector_)):
        coordinates = scaled.transform(rows.test) @ parts.components_.T
        expected = weighted_squares(coordinates, parts.explained_variance_ * (n - 1) / n)
        np.testing.assert_allclose(ours, expected, rtol=1e-3)
        assert_same_order(rows.labels, ours, expected)


def test_mahalanobis_distances_are_those_of_scikit_learn(rows):
    scaler = preprocessing.StandardScaler().fit(rows.train)
    train, test = (scaler.transform(part) for part in (rows.train, rows.test))
    for ours, theirs in (
        (PCA(major=1.0), covariance.EmpiricalCovariance()),
        (make("mahalanobis"), covariance.LedoitWolf()),
    ):
        scores = ours.fit(rows.train).anomaly_score(rows.test)
        expected = theirs.fit(train).mahalanobis(test)
        np.testing.assert_allclose(scores, expected, rtol=1e-3)
        assert_same_order(rows.labels, scores, expected)
