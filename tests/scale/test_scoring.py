from __future__ import annotations

import numpy as np
import pytest
from recipes import MODELS, table

from slad.scale import scoring, transform


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
