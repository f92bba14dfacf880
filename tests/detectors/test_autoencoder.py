from __future__ import annotations

import numpy as np
import pytest
import torch
from by_hand import assert_those_of_autograd

from slad.core.seeds import Streams
from slad.detectors import Autoencoder
from slad.learning import Batch, split


def test_its_gradients_by_hand_are_those_of_autograd():
    method = Autoencoder(hidden_dim=7)._method(50, 5)
    flat = torch.stack([method.flat(Streams(seed)) for seed in (0, 1)])
    rows = torch.randn(2, 6, 5, generator=torch.Generator().manual_seed(0))
    weight = torch.tensor([[1 / 6] * 6, [0.5, 0.5, 0, 0, 0, 0]])
    one = torch.ones(2)
    batch = Batch(rows, weight, {}, torch.tensor(0), one.long(), one)
    assert_those_of_autograd(method, split(flat, method.shapes), {}, batch)


def test_the_score_is_the_mean_squared_error_of_the_reconstruction():
    X = np.random.default_rng(0).normal(size=(200, 6))
    detector = Autoencoder(epochs=5, random_state=0, device="cpu").fit(X)
    rows = detector._scaler.cells(X)
    given_back = detector._scorer.method.network(detector._scorer.weights, rows[None])[0]
    expected = (given_back - rows).square().mean(1)
    np.testing.assert_allclose(detector.anomaly_score(X), expected, rtol=1e-5)


@pytest.mark.parametrize(("features", "narrow"), [(1, 1), (3, 1), (20, 10), (500, 32)])
def test_the_narrow_layer_is_narrower_than_the_table(features, narrow):
    assert Autoencoder()._method(100, features).network.sizes[2] == narrow
    assert Autoencoder(representation_dim=7)._method(100, features).network.sizes[2] == 7


def test_a_row_off_the_plane_of_all_others_stands_out():
    rng = np.random.default_rng(0)
    plane = rng.normal(size=(800, 2)) @ rng.normal(size=(2, 8))
    off = plane[:20] + rng.normal(size=(20, 8))
    detector = Autoencoder(representation_dim=2, random_state=0, device="cpu").fit(plane[20:])
    assert detector.anomaly_score(off).min() > np.median(detector.anomaly_score(plane[:20]))
    assert np.median(detector.anomaly_score(off)) > 10 * np.median(
        detector.anomaly_score(plane[:20])
    )
