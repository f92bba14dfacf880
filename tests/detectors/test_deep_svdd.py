from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from by_hand import assert_those_of_autograd
from sklearn.metrics import roc_auc_score

from recipes import table, with_anomalies
from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.detectors import DeepSVDD
from slad.detectors.deep_svdd import _quantile
from slad.learning import Batch, split

SMALL = {"hidden_dim": 12, "representation_dim": 8, "epochs": 20, "device": "cpu"}


def batch_of(rows: torch.Tensor, weight: torch.Tensor, steps: int = 0) -> Batch:
    k = len(rows)
    return Batch(rows, weight, {}, torch.tensor(steps), torch.full((k,), 10), torch.full((k,), 5.0))


def parts(n_features: int = 5, **settings):
    method = DeepSVDD(**SMALL | settings)._method(100, n_features)
    flat = torch.stack([method.flat(Streams(seed)) for seed in (0, 1)])
    centre = torch.randn(2, 1, 8, generator=torch.Generator().manual_seed(1))
    rows = torch.randn(2, 7, n_features, generator=torch.Generator().manual_seed(2))
    weight = torch.tensor([[1 / 7] * 7, [0.25] * 4 + [0.0] * 3])
    return method, flat, {"centre": centre}, batch_of(rows, weight)


def test_the_loss_is_the_squared_distance_from_the_centre():
    method, flat, constants, batch = parts()
    weights = split(flat, method.shapes)
    losses = method.losses(weights, constants, batch)
    for member in range(2):
        hidden = batch.rows[member] @ weights["network.0"][member]
        hidden = torch.where(hidden > 0, hidden, 0.01 * hidden)
        represented = hidden @ weights["network.1"][member]
        expected = (represented - constants["centre"][member]).square().sum(1)
        torch.testing.assert_close(losses[member], expected)


def test_its_gradients_by_hand_are_those_of_autograd():
    method, flat, constants, batch = parts()
    assert_those_of_autograd(method, split(flat, method.shapes), constants, batch)


def test_the_centre_is_the_mean_of_the_initial_network_kept_away_from_zero():
    X = table(300, 5)
    detector = DeepSVDD(**SMALL, random_state=0, learning_rate=0.0)
    with pytest.warns(UserWarning, match="did not learn"):
        detector.fit(X)
    centre = detector._scorer.constants["centre"][0, 0]
    rows = detector._scaler.cells(X)
    mean = detector._scorer.method.network(detector._scorer.weights, rows[None])[0].mean(0)
    assert (centre.abs() >= 0.1).all()
    far = mean.abs() > 0.1
    torch.testing.assert_close(centre[far], mean[far])
    assert (torch.sign(centre) == torch.sign(mean)).all()


def test_the_soft_boundary_counts_only_what_lies_outside_of_the_radius():
    method, flat, constants, batch = parts(objective="soft_boundary", nu=0.25, warm_up=1)
    weights = split(flat, method.shapes)
    distances = replace(method, nu=None).losses(weights, constants, batch)
    torch.testing.assert_close(method.losses(weights, constants, batch), distances / 0.25)
    later = batch_of(batch.rows, batch.weight, steps=10)
    losses = method.losses(weights, constants, later)
    for member, count in ((0, 7), (1, 4)):
        mine = distances[member, :count]
        radius = mine.sort().values[int(np.ceil(0.75 * count)) - 1]
        expected = radius + (mine - radius).clamp(min=0) / 0.25
        torch.testing.assert_close(losses[member, :count], expected)


def test_the_radius_leaves_about_the_share_nu_outside():
    X = table(400, 5)
    detector = DeepSVDD(**SMALL, objective="soft_boundary", nu=0.2, warm_up=2, random_state=0).fit(
        X
    )
    assert (detector.anomaly_score(X) > 0).mean() == pytest.approx(0.2, abs=0.01)


def test_a_quantile_ignores_the_filling():
    values = torch.tensor([[3.0, 1.0, 2.0, -9.0], [5.0, 5.0, 9.0, 9.0]])
    real = torch.tensor([[True, True, True, False], [True] * 4])
    assert _quantile(values, real, 0.5).tolist() == [2.0, 5.0]
    assert _quantile(values, real, 1.0).tolist() == [3.0, 9.0]
    assert _quantile(values, real, 0.0).tolist() == [1.0, 5.0]


@pytest.mark.parametrize("objective", ["one_class", "soft_boundary"])
def test_broken_correlations_are_found(objective):
    train, test, labels = with_anomalies(600, 8)
    detector = DeepSVDD(objective=objective, random_state=0, device="cpu").fit(train)
    assert roc_auc_score(labels, detector.anomaly_score(test)) > 0.75


@pytest.mark.parametrize(
    ("name", "value"), [("objective", "hard"), ("nu", 0.0), ("nu", 1.5), ("warm_up", -1)]
)
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=name):
        DeepSVDD(**{name: value}).fit(table(20, 3))
