from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
import torch
from by_hand import assert_filling_moves_nothing, assert_those_of_autograd
from scipy.sparse import csr_array
from sklearn.metrics import roc_auc_score

from recipes import table, with_anomalies
from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.detectors import NeuTraL, fit_many
from slad.learning import Batch, split

KINDS = ["residual", "multiplicative", "forward"]
SMALL = {"n_transformations": 4, "transformation_hidden_dim": 6, "hidden_dim": 9}
PRESENT = (7, 5)
"""Rows of each of the two members, in batches of 7."""


def parts(n_features: int = 5, **settings):
    """A method, the weights of two members in double precision, and a batch of theirs."""
    method = NeuTraL(**SMALL | {"representation_dim": 11} | settings)._method(100, n_features)
    flat = torch.stack([method.flat(Streams(seed)) for seed in (0, 1)]).double()
    rows = torch.rand(2, 7, n_features, generator=torch.Generator().manual_seed(0)).double()
    weight = torch.zeros(2, 7).double()
    for member, count in enumerate(PRESENT):
        weight[member, :count] = 1 / count
    batch = Batch(rows, weight, {}, torch.tensor(0), torch.ones(2).long(), torch.ones(2))
    return method, split(flat, method.shapes), batch


def leaky(x):
    return torch.where(x > 0, x, 0.01 * x)


def slow_loss(method, weights, member, row, kind, temperature):
    """One row's loss, view by view and pair by pair."""
    mine = {name: part[member] for name, part in weights.items()}
    views = [row]
    width = method.transformation_dim
    for k in range(method.n_views):
        first = mine["first"][:, k * width : (k + 1) * width]
        output = leaky(row @ first) @ mine["second"][k]
        views.append(
            {"residual": row + output, "forward": output}.get(kind, row * output.sigmoid())
        )
    z = [leaky(view @ mine["encoder"]) @ mine["representation"] for view in views]
    z = [one / one.norm() for one in z]
    total = 0.0
    for k in range(1, len(z)):
        similar = [exp(float(z[k] @ z[j]) / temperature) for j in range(len(z)) if j != k]
        total -= log(exp(float(z[k] @ z[0]) / temperature) / sum(similar))
    return total / (method.n_views * log(method.n_views))


@pytest.mark.parametrize("temperature", [0.1, 1.0])
@pytest.mark.parametrize("kind", KINDS)
def test_losses_and_scores_are_the_contrastive_loss_of_every_row(kind, temperature):
    method, weights, batch = parts(transformation=kind, temperature=temperature)
    losses = method.losses(weights, {}, batch)
    for member in (0, 1):
        scores = method.scores(weights, {}, batch.rows[member])
        for place, row in enumerate(batch.rows[member]):
            expected = slow_loss(method, weights, member, row, kind, temperature)
            assert float(losses[member, place]) == pytest.approx(expected, rel=1e-10)
            assert float(scores[member, place]) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_its_gradients_by_hand_are_those_of_autograd(kind):
    method, weights, batch = parts(transformation=kind)
    assert_those_of_autograd(method, weights, {}, batch, rtol=1e-9, atol=1e-13)


def test_filling_moves_nothing():
    method, weights, batch = parts()
    assert_filling_moves_nothing(method, weights, batch, 1e3)


def test_the_loss_is_one_where_the_views_cannot_be_told_apart():
    method, weights, batch = parts(transformation="residual")
    weights["second"].zero_()
    torch.testing.assert_close(method.losses(weights, {}, batch), torch.ones(2, 7).double())


def test_a_row_of_zeros_has_a_finite_loss_and_no_gradient():
    method, weights, batch = parts()
    batch.rows.zero_()
    gradients = {name: torch.full_like(part, torch.nan) for name, part in weights.items()}
    losses = method.differentiate(weights, gradients, {}, batch)
    torch.testing.assert_close(losses, torch.ones(2).double())
    assert all((part == 0).all() for part in gradients.values())


def test_a_small_temperature_overflows_nothing():
    method, weights, batch = parts(temperature=1e-5)
    losses = method.losses(weights, {}, batch)
    assert losses.isfinite().all()
    assert losses.max() > 1000


@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
@pytest.mark.parametrize("kind", KINDS)
def test_a_stack_gives_to_the_bit_what_each_gives_alone(kind, wrap):
    settings = {"transformation": kind, "epochs": 3, "device": "cpu"}
    jobs = [(seed, wrap(table(n, 5, seed=n))) for seed in (0, 1) for n in (150, 320)]
    detectors = [NeuTraL(random_state=seed, **settings) for seed, _ in jobs]
    for detector, (seed, X) in zip(fit_many(detectors, [X for _, X in jobs]), jobs, strict=True):
        alone = NeuTraL(random_state=seed, **settings).fit(X)
        np.testing.assert_array_equal(detector.anomaly_score(X), alone.anomaly_score(X))


@pytest.mark.parametrize("kind", KINDS)
def test_broken_correlations_are_found(kind):
    train, test, labels = with_anomalies(400, 8)
    detector = NeuTraL(transformation=kind, random_state=0, device="cpu", epochs=30).fit(train)
    assert roc_auc_score(labels, detector.anomaly_score(test)) > 0.85


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_transformations", 1),
        ("transformation", "mul"),
        ("transformation_hidden_dim", 0),
        ("temperature", 0),
        ("temperature", float("nan")),
        ("hidden_dim", 0),
        ("representation_dim", 1.5),
    ],
)
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=name):
        NeuTraL(**{name: value}).fit(table(30, 3))
