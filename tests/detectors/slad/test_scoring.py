from __future__ import annotations

import numpy as np
import pytest
import torch

from recipes import MODELS, table
from slad.detectors.slad import scoring, transform


@pytest.mark.parametrize("model", ["SLAD", "SLAD.released", "SLAD.paper", "SLAD zero_padding"])
def test_folding_maps_and_first_layer_together_changes_no_score(model, monkeypatch):
    X = table(600, 8)
    folded = MODELS[model]().fit(X).group_losses(X)
    monkeypatch.setattr(scoring, "FOLD_BYTES", {"cpu": 0})
    np.testing.assert_allclose(MODELS[model]().fit(X).group_losses(X), folded, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("model", list(MODELS))
def test_redrawing_the_maps_changes_no_score(model, monkeypatch):
    X = table(100, 8)
    kept = MODELS[model]().fit(X).anomaly_score(X)
    monkeypatch.setattr(transform, "KEEP_BYTES", 0)
    np.testing.assert_allclose(MODELS[model]().fit(X).anomaly_score(X), kept, rtol=1e-3)


@pytest.mark.parametrize("model", ["SLAD", "SLAD random_mlp"])
def test_a_row_scores_the_same_in_any_batch_with_several_threads_too(model):
    X = table(1100, 20)
    detector = MODELS[model]().fit(X[:200])
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        whole = detector.anomaly_score(X)
        for size in (1, 512, 700):
            part = detector.anomaly_score(X[300 : 300 + size])
            np.testing.assert_allclose(part, whole[300 : 300 + size], rtol=1e-12, atol=0)
    finally:
        torch.set_num_threads(before)
