"""What a fitted detector says of its own training: scores under the weights of every epoch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from recipes import MODELS, SMALL, every_slad, make, table
from slad import SLAD, fit_many
from slad.detectors.slad import scoring
from slad.learning import Snapshots


def watched(model: str, X: np.ndarray, **settings) -> tuple[SLAD, list[torch.Tensor]]:
    """A fitted detector, and its weights before training and after every epoch."""
    detector, kept = make(model, **settings), Snapshots()
    fit_many([detector], [X], callbacks=[kept])
    pairs = zip(detector.initial_weights(), kept.weights, strict=True)
    return detector, [torch.stack([first, *after]) for first, after in pairs]


@every_slad
def test_scores_after_an_epoch_are_those_of_a_training_that_ends_there(model):
    X = table(150, 8)
    detector, weights = watched(model, X)
    scores = detector.scores_under(X, weights)
    assert scores.shape == (150, SMALL["epochs"] + 1)
    for epochs in range(1, SMALL["epochs"] + 1):
        shorter = make(model, epochs=epochs).fit(X)
        np.testing.assert_allclose(scores[:, epochs], shorter.anomaly_score(X), rtol=1e-5)


@every_slad
@pytest.mark.filterwarnings("ignore:.*did not learn")
def test_what_training_began_from_is_what_steps_of_length_zero_leave(model):
    X = table(150, 8)
    detector, weights = watched(model, X)
    still = make(model, learning_rate=0.0).fit(X)
    before = detector.scores_under(X, weights)[:, 0]
    np.testing.assert_allclose(before, still.anomaly_score(X), rtol=1e-5)


def test_looking_at_every_epoch_changes_no_training():
    X = table(150, 8)
    detector, _ = watched("SLAD", X)
    unwatched = MODELS["SLAD"]().fit(X)
    assert detector.anomaly_score(X).tolist() == unwatched.anomaly_score(X).tolist()


def test_members_are_averaged_as_in_the_score():
    X = table(150, 8)
    detector, weights = watched("SLAD", X, n_members=2)
    scores = detector.scores_under(X, weights)[:, -1]
    np.testing.assert_allclose(scores, detector.anomaly_score(X), rtol=1e-5)


@pytest.mark.parametrize("sparse", [False, True])
def test_rows_lifted_once_for_all_networks_score_as_through_each_of_them(sparse, monkeypatch):
    X = np.round(table(600, 8))
    rows = csr_array(X) if sparse else X
    detector, weights = watched("SLAD.released", X)
    folded = detector.scores_under(X, weights)
    monkeypatch.setattr(scoring.ScaleScorer, "_fold_for", lambda self, rows: False)
    monkeypatch.setattr(scoring, "NETWORKS", 3)
    monkeypatch.setattr(scoring, "SCALES_AT_ONCE", 100 * 4 * 16)
    np.testing.assert_allclose(detector.scores_under(rows, weights), folded, rtol=1e-4)


@pytest.mark.gpu
def test_a_gpu_looks_back_as_well():
    X = table(150, 8)
    detector, weights = watched("SLAD", X, device="cuda")
    scores = detector.scores_under(X, weights)
    np.testing.assert_allclose(scores[:, -1], detector.anomaly_score(X), rtol=1e-4)
