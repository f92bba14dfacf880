from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import NearestNeighbors

from recipes import with_anomalies
from slad.detectors import KNN
from slad.detectors.parts.scaling import SCALINGS, Scaler


@pytest.mark.parametrize("d", [4, 30])
@pytest.mark.parametrize("scaling", list(SCALINGS))
def test_scores_are_the_distances_that_scikit_learn_finds(d, scaling):
    train, test, _ = with_anomalies(300, d)
    scaler = Scaler.fit(scaling, train)
    train_rows, test_rows = (scaler.rows(X).values.double().numpy() for X in (train, test))
    expected, _ = (
        NearestNeighbors(n_neighbors=5, algorithm="kd_tree").fit(train_rows).kneighbors(test_rows)
    )
    largest, mean = (
        KNN(scaling=scaling, aggregation=kind, device="cpu").fit(train).anomaly_score(test)
        for kind in ("largest", "mean")
    )
    np.testing.assert_allclose(largest, expected[:, -1], rtol=1e-9)
    np.testing.assert_allclose(mean, expected.mean(axis=1), rtol=1e-9)


def test_it_finds_anomalies_that_break_correlations():
    train, test, labels = with_anomalies(400, 8)
    assert roc_auc_score(labels, KNN(device="cpu").fit(train).anomaly_score(test)) > 0.8
