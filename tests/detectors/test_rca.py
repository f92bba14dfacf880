from __future__ import annotations

import numpy as np
import pytest
import torch
from by_hand import assert_those_of_autograd
from scipy.sparse import csr_array
from sklearn.metrics import roc_auc_score

from recipes import table, with_anomalies
from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.detectors import RCA, fit_many
from slad.learning import Batch, split

SMALL = {"hidden_dim": 12, "representation_dim": 9, "epochs": 5, "device": "cpu"}
PRESENT = (9, 6)
"""Rows of each of the two members, in batches of 9."""


def parts(epoch: int = 0, n_features: int = 5, **settings):
    """A method, the weights of two members, and a batch of theirs in this epoch of ten."""
    method = RCA(**SMALL | {"anomaly_ratio": 0.4} | settings)._method(100, n_features)
    flat = torch.stack([method.flat(Streams(seed)) for seed in (0, 1)])
    generator = torch.Generator().manual_seed(2)
    kept = torch.stack([method.draw(generator, 9)["kept"] for _ in PRESENT])
    rows = torch.randn(2, 9, n_features, generator=generator)
    weight = torch.zeros(2, 9)
    for member, count in enumerate(PRESENT):
        weight[member, :count] = 1 / count
    steps = torch.tensor(3 * epoch + 2)
    batch = Batch(rows, weight, {"kept": kept}, steps, torch.full((2,), 3), torch.full((2,), 10.0))
    return method, split(flat, method.shapes), batch


def leaky(x):
    return torch.where(x > 0, x, 0.01 * x)


def given_back(weights, member, network, rows, first=1.0, second=1.0):
    """Layer by layer, without any product taken beforehand."""
    matrix = {name: part[member, network] for name, part in weights.items()}
    hidden = leaky(rows @ matrix["encoder.0"]) * first
    return leaky(hidden @ matrix["encoder.1"] @ matrix["decoder.0"]) * second @ matrix["decoder.1"]


def slow_loss(weights, batch, member, count):
    """Mean error of either network over the rows that the other one gives back best."""
    rows = batch.rows[member, : PRESENT[member]]
    total = torch.zeros(())
    for network in (0, 1):
        other = (given_back(weights, member, 1 - network, rows) - rows).square().sum(1)
        best = other.sort().indices[:count]
        kept = batch.draws["kept"][member, best]
        output = given_back(
            weights, member, network, rows[best], kept[:, 0, network], kept[:, 1, network]
        )
        total = total + torch.nn.functional.mse_loss(output, rows[best])
    return total


@pytest.mark.parametrize(("epoch", "counts"), [(0, (9, 6)), (3, (6, 4)), (5, (5, 3)), (9, (5, 3))])
def test_each_network_learns_from_the_rows_that_the_other_gives_back_best(epoch, counts):
    method, weights, batch = parts(epoch)
    losses = (method.losses(weights, {}, batch) * batch.weight).sum(1)
    for member, count in enumerate(counts):
        torch.testing.assert_close(losses[member], slow_loss(weights, batch, member, count))


@pytest.mark.parametrize("epoch", [0, 9])
@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_its_gradients_by_hand_are_those_of_autograd(epoch, dropout):
    method, weights, batch = parts(epoch, dropout=dropout)
    assert_those_of_autograd(method, weights, {}, batch)


def test_filling_is_never_chosen_and_moves_nothing():
    method, weights, batch = parts(9)
    gradients = [{name: torch.zeros_like(part) for name, part in weights.items()} for _ in "ab"]
    losses = [method.differentiate(weights, gradients[0], {}, batch)]
    batch.rows[1, PRESENT[1] :] = 0.0  # which a network without bias gives back exactly
    losses.append(method.differentiate(weights, gradients[1], {}, batch))
    torch.testing.assert_close(losses[0], losses[1], rtol=0, atol=0)
    for name in weights:
        torch.testing.assert_close(gradients[0][name], gradients[1][name], rtol=0, atol=0)


@pytest.mark.parametrize(
    ("ratio", "alpha", "counts"),
    [
        (0.02, 0.5, [100, 99, 99, 98, 98, 98, 98, 98, 98, 98]),
        (0.5, 1.0, [100, 95, 90, 85, 80, 75, 70, 65, 60, 55]),
        (0.9, 0.1, [100] + [10] * 9),
        (0.0, 0.5, [100] * 10),
    ],
)
def test_the_share_of_rows_falls_with_the_epochs_to_its_end(ratio, alpha, counts):
    method = RCA(anomaly_ratio=ratio, alpha=alpha)._method(100, 5)
    found = []
    for step in range(10):
        rows, weight = torch.zeros(1, 1, 5), torch.ones(1, 1)
        one, ten = torch.tensor([1]), torch.tensor([10.0])
        batch = Batch(rows, weight, {}, torch.tensor(step), one, ten)
        found.append(method._count(torch.full((1, 1, 1), 100), batch).item())
    assert found == counts


def test_a_batch_of_one_row_is_learned_from():
    method, weights, batch = parts(9)
    batch.weight[1] = torch.tensor([1.0] + [0.0] * 8)
    losses = method.losses(weights, {}, batch)
    assert losses[1, 0] > 0
    assert not losses[1, 1:].any()


def test_rows_that_are_given_back_equally_well_do_not_change_how_many_are_chosen():
    method, weights, batch = parts(5)
    batch.rows[:] = batch.rows[:, :1]
    hidden = method._hidden(weights, batch.rows.unsqueeze(1))
    chosen = method._chosen(weights, method._middle(weights), hidden, batch.rows[:, None], batch)
    assert (chosen > 0).sum(-1).tolist() == [[5, 5], [3, 3]]
    torch.testing.assert_close(chosen.sum(-1), torch.ones(2, 2))


def test_dropout_leaves_out_its_share_and_keeps_the_mean():
    method = RCA(dropout=0.2)._method(100, 5)
    kept = method.draw(torch.Generator().manual_seed(0), 500)["kept"]
    assert kept.shape == (500, 2, 2, 100)
    assert set(kept.unique().tolist()) == {0.0, 1.25}
    assert kept.mean().item() == pytest.approx(1, abs=0.01)
    passes = RCA(n_passes=2000, dropout=0.2)._method(1, 5).fixed(Streams(0), torch.device("cpu"))
    assert set(passes["passes"].unique().tolist()) == {0.0, 1.25}
    assert passes["passes"].mean().item() == pytest.approx(1, abs=0.01)


def test_a_score_is_the_expected_error_over_all_decoders_with_units_left_out():
    X = table(80, 4)
    detector = RCA(**SMALL | {"hidden_dim": 6}, n_passes=3, random_state=0).fit(X)
    rows, scorer = detector._scaler.cells(X[:10]), detector._scorer
    found = detector.score_parts(X[:10])
    for number, kept in enumerate(scorer.constants["passes"][0]):
        errors = [
            (given_back(scorer.weights, 0, network, rows, kept[network, :, 0], second) - rows)
            .square()
            .mean(1)
            for network in (0, 1)
            for second in 2 * torch.cartesian_prod(*[torch.tensor([0.0, 1.0])] * 6)
        ]
        np.testing.assert_allclose(found[:, number], torch.stack(errors).mean(0), rtol=1e-5)
    np.testing.assert_allclose(detector.anomaly_score(X[:10]), found.mean(1), rtol=1e-12)


def test_without_dropout_one_pass_is_all():
    X = table(80, 4)
    detector = RCA(**SMALL, dropout=0.0, random_state=0).fit(X)
    rows = detector._scaler.cells(X)
    errors = [
        (given_back(detector._scorer.weights, 0, network, rows) - rows).square().mean(1)
        for network in (0, 1)
    ]
    parts = detector.score_parts(X)
    assert parts.shape == (80, 1)
    np.testing.assert_allclose(parts[:, 0], torch.stack(errors).mean(0), rtol=1e-5)


def test_more_passes_come_near_the_mean_over_all_of_them():
    train, test, _ = with_anomalies(300, 6)
    many = RCA(epochs=5, n_passes=1000, random_state=0, device="cpu").fit(train).score_parts(test)
    limit = many[:, 10:].mean(1)
    assert np.corrcoef(many[:, :10].mean(1), limit)[0, 1] > 0.98


@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_a_stack_gives_to_the_bit_what_each_gives_alone(wrap):
    jobs = [(seed, wrap(table(rows, 6, seed=rows))) for seed in (0, 1) for rows in (150, 333)]

    def new(seed):
        return RCA(**SMALL, random_state=seed, batch_size=64, n_members=2)

    stack = fit_many([new(seed) for seed, _ in jobs], [X for _, X in jobs])
    for detector, (seed, X) in zip(stack, jobs, strict=True):
        alone = new(seed).fit(X)
        np.testing.assert_array_equal(detector.score_parts(X), alone.score_parts(X))
        assert detector.history_ == alone.history_


def test_broken_correlations_are_found():
    train, test, labels = with_anomalies(600, 8)
    detector = RCA(random_state=0, device="cpu").fit(train)
    assert roc_auc_score(labels, detector.anomaly_score(test)) > 0.85


def test_strange_training_rows_are_left_out():
    rng = np.random.default_rng(0)
    plane = rng.normal(size=(1000, 2)) @ rng.normal(size=(2, 8))
    strange = 2 * rng.normal(size=(8,)) + plane[:50]  # off the plane, and all in one direction
    train = np.concatenate([plane[50:], strange])
    settings = {"random_state": 0, "device": "cpu", "epochs": 60}
    ratio = {}
    for share in (0.0, 0.1):
        detector = RCA(anomaly_ratio=share, **settings).fit(train)
        ratio[share] = np.median(detector.anomaly_score(strange)) / np.median(
            detector.anomaly_score(plane)
        )
    assert ratio[0.1] > 1.5 * ratio[0.0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("anomaly_ratio", 1.0),
        ("anomaly_ratio", -0.1),
        ("alpha", 0),
        ("alpha", 1.5),
        ("dropout", 1.0),
        ("n_passes", 0),
        ("hidden_dim", 0),
        ("representation_dim", 1.5),
    ],
)
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=name):
        RCA(**{name: value}).fit(table(20, 3))
