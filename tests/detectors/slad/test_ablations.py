"""The paper's ablations of scale learning keep the promises of the detector they ablate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from recipes import SMALL, table
from slad import SLAD, fit_many, load
from slad.core.errors import ResourceError, TrainingWarning
from slad.detectors.slad import objective, scoring, transform
from slad.detectors.slad.loss import EMBEDDING_DIM

ABLATIONS = {
    "regression": {"loss": "squared_error"},
    "classification": {"loss": "cross_entropy"},
    "contrast": {"loss": "contrastive"},
    "deeper maps": {"maps": "random_mlp_per_length"},
    "padding": {"maps": "zero_padding"},
    "no weights": {"weighting_threshold": 0},
}
every_ablation = pytest.mark.parametrize("name", list(ABLATIONS))
every_loss = pytest.mark.parametrize("name", ["regression", "classification", "contrast"])


def make(name: str, **settings) -> SLAD:
    return SLAD.released(**SMALL | ABLATIONS[name] | settings)


@every_ablation
def test_each_learns_and_scores_otherwise_than_the_released_recipe(name):
    X = table(200, 8)
    detector = make(name, epochs=6).fit(X)
    losses = detector.history_["loss"]
    assert losses[-1] < losses[0]
    released = SLAD.released(**SMALL | {"epochs": 6}).fit(X)
    assert not np.allclose(detector.anomaly_score(X), released.anomaly_score(X), rtol=1e-2)


@every_ablation
def test_a_saved_model_scores_as_before(name, tmp_path):
    X = table(80, 6)
    detector = make(name, n_members=2).fit(X)
    detector.save(tmp_path / "model.slad")
    again = load(tmp_path / "model.slad")
    np.testing.assert_array_equal(again.anomaly_score(X), detector.anomaly_score(X))
    np.testing.assert_array_equal(again.transform(X), detector.transform(X))


@every_ablation
def test_a_stack_of_tables_and_seeds_gives_what_each_gives_alone(name):
    tables = [table(120, 5), table(90, 5, seed=1), table(120, 9, seed=2)]
    jobs = [(seed, X) for seed in (0, 1) for X in tables]
    fitted = fit_many([make(name, random_state=seed) for seed, _ in jobs], [X for _, X in jobs])
    for detector, (seed, X) in zip(fitted, jobs, strict=True):
        alone = make(name, random_state=seed).fit(X)
        np.testing.assert_allclose(detector.anomaly_score(X), alone.anomaly_score(X), rtol=1e-3)


@every_loss
def test_a_row_scores_the_same_alone_and_among_others_dense_or_sparse(name):
    X = table(600, 6)
    detector = make(name).fit(X[:100])
    scores = detector.anomaly_score(X)
    np.testing.assert_allclose(detector.anomaly_score(X[550:551]), scores[550], rtol=1e-12)
    np.testing.assert_allclose(detector.anomaly_score(csr_array(X)), scores, rtol=1e-3)


@every_loss
def test_neither_folding_nor_redrawing_nor_windows_change_a_score(name, monkeypatch):
    X = table(100, 8)
    scores = make(name).fit(X).anomaly_score(X)
    monkeypatch.setattr(scoring, "FOLD_BYTES", {"cpu": 0})
    monkeypatch.setattr(transform, "KEEP_BYTES", 0)
    monkeypatch.setattr(objective, "KEEP_AT_MOST", {"cpu": 0})
    monkeypatch.setattr(objective, "WINDOW_BYTES", {"cpu": 2**17})
    np.testing.assert_allclose(make(name).fit(X).anomaly_score(X), scores, rtol=1e-3)


def test_an_embedding_of_every_subspace_and_of_the_row_is_what_contrast_transforms_to():
    X = table(60, 6)
    detector = make("contrast").fit(X)
    embeddings = detector.transform(X)
    assert embeddings.shape == (60, 4 * (4 + 1) * EMBEDDING_DIM)
    assert len(detector.get_feature_names_out()) == embeddings.shape[1]
    # The whole row goes through the one map of its length, so it is the same in every group.
    rows = embeddings.reshape(60, 4, 5, EMBEDDING_DIM)[:, :, -1]
    np.testing.assert_allclose(rows, np.broadcast_to(rows[:, :1], rows.shape), rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "warning"), [("classification", "same score"), ("contrast", "did not learn")]
)
def test_where_all_subspaces_are_the_row_there_is_nothing_to_tell_apart(name, warning):
    X = table(40, 1)
    with pytest.warns(TrainingWarning, match=warning):
        detector = make(name, epochs=5).fit(X)
    assert np.isfinite(detector.anomaly_score(X)).all()


def test_regression_of_scales_by_the_thousand_says_that_it_has_not_learned():
    X = np.random.default_rng(0).uniform(size=(60, 3000))
    with pytest.warns(TrainingWarning, match="did not learn"):
        make("regression", magnification=1e6, learning_rate=1e-6).fit(X)


def test_padding_to_a_hundred_thousand_features_is_refused_with_what_it_would_take():
    X = csr_array((20, 139_351))
    with pytest.raises(ResourceError, match=r"139351 features.*77\.7 GB"):
        make("padding").fit(X)
