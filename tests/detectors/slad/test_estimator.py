from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array
from sklearn.metrics import roc_auc_score

from recipes import MODELS, SMALL, every_slad, make, table, with_anomalies
from slad import SLAD, fit_many
from slad.core.errors import TrainingError, TrainingWarning
from slad.detectors.slad import scoring
from slad.learning import Snapshots


@every_slad
def test_a_row_has_a_loss_for_each_group_and_their_mean_is_the_score(model):
    X = table(100, 6)
    detector = MODELS[model](n_members=3).fit(X)
    losses = detector.group_losses(X)
    assert losses.shape == (100, 4 * 3)
    assert (losses >= 0).all()
    np.testing.assert_allclose(losses.mean(1), detector.anomaly_score(X), rtol=1e-12)


@every_slad
def test_transform_has_a_scale_or_what_stands_for_it_for_each_subspace(model):
    X = table(100, 6)
    detector = MODELS[model](n_members=3).fit(X)
    scales = detector.transform(X)
    numbers = 6 if model == "SLAD cross_entropy" else 1  # a logit for each of six lengths
    assert scales.shape == (100, 4 * 4 * 3 * numbers)
    assert scales.shape[1] == len(detector.get_feature_names_out())
    assert scales.dtype == np.float32
    np.testing.assert_allclose(detector.transform(X[7:8])[0], scales[7], rtol=1e-6)


@every_slad
def test_members_are_models_of_their_own_whose_scores_are_averaged(model):
    X = table(100, 6)
    together = MODELS[model](n_members=3).fit(X)
    losses = together.group_losses(X)
    first = MODELS[model]().fit(X)
    np.testing.assert_allclose(losses[:, :4], first.group_losses(X), rtol=1e-3)
    by_member = losses.reshape(100, 3, 4).mean(2)
    np.testing.assert_allclose(together.anomaly_score(X), by_member.mean(1), rtol=1e-12)
    assert len({tuple(column) for column in by_member.T}) == 3
    assert len(together.history_["member_loss"]) == 3


@pytest.mark.parametrize("epochs", [1, 7])
def test_history_has_the_mean_loss_of_every_epoch(epochs):
    detector = SLAD(**SMALL | {"epochs": epochs}, n_members=2).fit(table(100, 6))
    history = detector.history_
    assert len(history["loss"]) == epochs
    np.testing.assert_allclose(history["loss"], np.mean(history["member_loss"], axis=0))
    assert all(np.diff(history["loss"]) < 0)


def test_patience_stops_early_and_never_later():
    X = table(100, 6)
    settings = SMALL | {"epochs": 60, "learning_rate": 0.1}
    stopped = SLAD(**settings, patience=1).fit(X)
    length = len(stopped.history_["loss"])
    assert 1 < length < 60
    plain = SLAD(**settings | {"epochs": length}).fit(X)
    np.testing.assert_allclose(stopped.anomaly_score(X), plain.anomaly_score(X), rtol=1e-6)


def test_a_training_that_learns_nothing_warns():
    with pytest.warns(TrainingWarning, match="did not learn"):
        SLAD(**SMALL | {"learning_rate": 0.0, "epochs": 20}).fit(table(200, 6))


def test_rows_all_alike_warn_of_equal_scores():
    with pytest.warns(TrainingWarning, match="same score"):
        SLAD(**SMALL | {"epochs": 20}).fit(np.ones((200, 3)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_loss_that_blows_up_raises_and_leaves_no_model():
    with pytest.raises(TrainingError, match="learning rate"):
        SLAD(**SMALL | {"learning_rate": 1e38}).fit(table(200, 6))


def test_all_rows_and_drawn_rows_are_two_samplings():
    X = table(1000, 5)
    drawn, whole = (
        SLAD(**SMALL, row_sampling=kind).fit(X).anomaly_score(X) for kind in ("bootstrap", "all")
    )
    assert not np.allclose(drawn, whole, rtol=1e-3)


@pytest.mark.parametrize("model", ["SLAD", "SLAD.paper", "SLAD random_mlp"])
def test_anomalies_that_break_correlations_are_found(model):
    train, test, labels = with_anomalies(400, 8)
    settings = {"n_groups": 10, "group_size": 8, "representation_dim": 64, "epochs": 20}
    detector = MODELS[model](**settings | {"hidden_dim": 50, "learning_rate": 1e-3}).fit(train)
    assert roc_auc_score(labels, detector.anomaly_score(test)) > 0.7


def test_more_magnification_spreads_the_labels():
    X = table(100, 6)
    low, high = (SLAD(**SMALL, magnification=m).fit(X) for m in (1.0, 200.0))
    assert np.ptp(low.transform(X)) < np.ptp(high.transform(X))


@pytest.mark.parametrize("model", ["SLAD", "SLAD.released", "SLAD.paper"])
def test_a_wild_row_is_stranger_than_the_rest(model):
    X = table(300, 5)
    detector = MODELS[model](epochs=20).fit(X)
    wild = X.mean(0) + 50 * X.std(0) * np.array([[1, -1, 1, -1, 1]])
    assert detector.anomaly_score(wild)[0] > np.quantile(detector.anomaly_score(X), 0.95)


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
