from __future__ import annotations

import numpy as np
import pytest
import torch
from by_hand import assert_filling_moves_nothing, assert_those_of_autograd
from scipy.sparse import csr_array, random_array
from sklearn.metrics import roc_auc_score

from recipes import table, with_anomalies
from slad.core.errors import ConfigError, ResourceError
from slad.core.philox import normal_on
from slad.core.seeds import Streams
from slad.detectors import GOAD, fit_many, goad
from slad.detectors.parts import goad_slopes
from slad.learning import Batch, split

SMALL = {"n_transformations": 6, "transformation_dim": 4, "hidden_dim": 3, "n_layers": 3}
PRESENT = (7, 5)
"""Rows of each of the two members, in batches of 7."""


def parts(n_features: int = 5, **settings):
    """A method, the weights of two members in double precision, and a batch of theirs."""
    method = GOAD(**SMALL | settings)._method(100, n_features)
    flat = torch.stack([method.flat(Streams(seed)) for seed in (0, 1)]).double()
    rows = torch.randn(2, 7, method.width, generator=torch.Generator().manual_seed(0)).double()
    weight = torch.zeros(2, 7).double()
    for member, count in enumerate(PRESENT):
        weight[member, :count] = 1 / count
    batch = Batch(rows, weight, {}, torch.tensor(0), torch.ones(2).long(), torch.ones(2))
    return method, split(flat, method.shapes), batch


def leaky(x, slope=0.01):
    return torch.where(x > 0, x, slope * x)


def represent(weights, member, transformed):
    """Layer by layer."""
    z = transformed @ weights["trunk.0"][member]
    for layer in (1, 2):
        z = leaky(z) @ weights[f"trunk.{layer}"][member]
    return z


def slow_losses(weights, batch, member, margin, triplet_weight):
    """Row by row and transformation by transformation."""
    rows = batch.rows[member, : PRESENT[member]].unflatten(-1, (6, 4))
    z = represent(weights, member, rows)
    head, bias = weights["head"][member][:-1], weights["head"][member][-1]
    losses = []
    for row in z:
        total = torch.zeros((), dtype=torch.double)
        for right in range(6):
            logits = leaky(row[right], 0.2) @ head + bias
            total = total - torch.log_softmax(logits, 0)[right]
            distances = [(row[right] - z[:, m].mean(0)).square().sum() for m in range(6)]
            wrong = torch.stack([d for m, d in enumerate(distances) if m != right]).min()
            hinge = torch.relu(distances[right] + margin - wrong)
            total = total + triplet_weight * hinge
        losses.append(total / 6)
    return torch.stack(losses)


@pytest.mark.parametrize(("margin", "triplet_weight"), [(1.0, 0.1), (0.2, 3.0), (0.0, 0.0)])
def test_losses_are_cross_entropy_and_centre_triplets(margin, triplet_weight):
    method, weights, batch = parts(margin=margin, triplet_weight=triplet_weight)
    losses = method.losses(weights, {}, batch)
    for member, count in enumerate(PRESENT):
        expected = slow_losses(weights, batch, member, margin, triplet_weight)
        torch.testing.assert_close(losses[member, :count], expected, rtol=1e-10, atol=0)


@pytest.mark.parametrize("triplet_weight", [0.0, 0.1, 20.0])
@pytest.mark.parametrize("cells", [1, 100, 10**9])
def test_its_gradients_by_hand_are_those_of_autograd(monkeypatch, triplet_weight, cells):
    monkeypatch.setitem(goad_slopes.CELLS_AT_ONCE, "cpu", cells)
    method, weights, batch = parts(triplet_weight=triplet_weight)
    assert_those_of_autograd(method, weights, {}, batch, rtol=1e-9, atol=1e-13)


def test_filling_moves_nothing():
    method, weights, batch = parts()
    assert_filling_moves_nothing(method, weights, batch, 1e3)


def test_transformations_that_tie_leave_finite_gradients():
    method, weights, batch = parts()
    batch.rows.zero_()
    gradients = {name: torch.full_like(part, torch.nan) for name, part in weights.items()}
    assert method.differentiate(weights, gradients, {}, batch).isfinite().all()
    assert all(part.isfinite().all() for part in gradients.values())


def scored(detector, X):
    """Scores from the transformed rows and the distances from all centres, one by one."""
    method, scorer = detector._scorer.method, detector._scorer
    fixed = method.fixed(Streams(detector.seed_, 0), torch.device("cpu"))
    rows = torch.from_numpy(detector._scaler.dense(X)).float()
    weights = {name: part.double() for name, part in scorer.weights.items()}
    lifted = method.lift(fixed, rows).double().unflatten(-1, (6, 4))
    z, centres = represent(weights, 0, lifted), scorer.constants["centres"][0].double()
    epsilon = method.regularization
    scores = []
    for row in z:
        total = 0.0
        for right in range(6):
            near = torch.exp(-(row[right] - centres).square().sum(-1)) + epsilon
            total -= float(torch.log(near[right] / near.sum()))
        scores.append(total)
    return np.array(scores), z.mean(0), centres


@pytest.mark.parametrize("regularization", [0.0, 1e-3])
@pytest.mark.parametrize("offsets", [True, False])
def test_scores_are_the_log_probabilities_of_the_right_transformations(offsets, regularization):
    X = table(90, 5)
    settings = SMALL | {"offsets": offsets, "regularization": regularization}
    detector = GOAD(**settings, epochs=2, random_state=3, device="cpu").fit(X)
    expected, means, centres = scored(detector, X)
    torch.testing.assert_close(centres, means, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(detector.anomaly_score(X), expected, rtol=1e-4)


def test_a_probability_near_one_keeps_its_difference_to_one():
    method = GOAD(**SMALL)._method(100, 5)
    centres = 6 * torch.eye(6)[:, :3].contiguous()
    centres[3:] -= 9 * torch.eye(6)[:3, :3]
    near = centres * torch.tensor([1.0, 1.01, 1.02]).view(3, 1, 1)
    columns = goad_slopes.nearness(centres[None])[0]
    scores = method._surprise(near.reshape(-1, 3), columns)
    assert (scores > 0).all()
    assert (scores < 1e-6).all()
    assert scores.unique().numel() == 3


def test_maps_and_offsets_are_standard_normal_and_their_own_for_every_seed():
    method = GOAD(n_transformations=64, transformation_dim=32)._method(100, 20)
    first, second = (method.fixed(Streams(seed), torch.device("cpu")) for seed in (0, 1))
    maps = torch.cat([part for _, part in method._maps(first["maps"])])
    assert maps.shape == (20, 64 * 32)
    for drawn in (maps, first["offsets"]):
        assert abs(float(drawn.mean())) < 0.1
        assert abs(float(drawn.std()) - 1) < 0.05
    assert not torch.equal(first["offsets"], second["offsets"])
    assert not torch.equal(first["maps"], second["maps"])


def test_maps_drawn_in_parts_transform_a_row_as_a_whole(monkeypatch):
    method = GOAD(**SMALL)._method(100, 50)
    fixed = method.fixed(Streams(0), torch.device("cpu"))
    monkeypatch.setattr(goad, "DRAWN_AT_ONCE", 7 * method.width)
    features, drawn = zip(*method._maps(fixed["maps"]), strict=True)
    assert [len(part) for part in drawn] == [7] * 7 + [1]
    assert features[1] == slice(7, 14)
    rows = torch.rand(9, 50)
    expected = rows @ torch.cat(drawn) + fixed["offsets"]
    torch.testing.assert_close(method.lift(fixed, rows), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("offsets", "found"), [(True, 1.0), (False, 0.0)])
def test_rows_twice_as_large_are_found_with_offsets_and_hide_without(offsets, found):
    X = np.random.default_rng(0).uniform(1, 2, size=(600, 6))
    settings = {"n_transformations": 16, "epochs": 60, "learning_rate": 1e-2, "device": "cpu"}
    detector = GOAD(offsets=offsets, random_state=0, **settings).fit(X)
    scores = np.concatenate([detector.anomaly_score(X), detector.anomaly_score(2 * X)])
    assert roc_auc_score(np.arange(1200) >= 600, scores) == pytest.approx(found, abs=0.05)


@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_a_stack_gives_to_the_bit_what_each_gives_alone(wrap):
    settings = {"n_transformations": 32, "epochs": 3, "device": "cpu"}
    jobs = [(seed, wrap(table(n, 5, seed=n))) for seed in (0, 1) for n in (150, 320)]
    detectors = [GOAD(random_state=seed, **settings) for seed, _ in jobs]
    for detector, (seed, X) in zip(fit_many(detectors, [X for _, X in jobs]), jobs, strict=True):
        alone = GOAD(random_state=seed, **settings).fit(X)
        np.testing.assert_array_equal(detector.anomaly_score(X), alone.anomaly_score(X))


def test_members_have_maps_of_their_own_and_their_mean_is_the_score():
    X = table(60, 5)
    detector = GOAD(**SMALL, n_members=3, epochs=2, random_state=0, device="cpu").fit(X)
    by_member = detector.score_parts(X)
    assert by_member.shape == (60, 3)
    assert len(np.unique(by_member[0])) == 3
    np.testing.assert_allclose(detector.anomaly_score(X), by_member.mean(1))


def test_broken_correlations_are_found():
    train, test, labels = with_anomalies(400, 8)
    settings = {"n_transformations": 64, "epochs": 20, "device": "cpu"}
    detector = GOAD(random_state=0, **settings).fit(train)
    assert roc_auc_score(labels, detector.anomaly_score(test)) > 0.8


@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_of_a_wide_table_the_maps_are_never_held_whole(monkeypatch):
    drawn = []

    def recording(device, key, size, stream=0):
        drawn.append(size)
        return normal_on(device, key, size, stream)

    monkeypatch.setattr(goad, "normal_on", recording)
    X = random_array((40, 3000), density=1e-2, format="csr", rng=np.random.default_rng(0))
    detector = GOAD(epochs=1, random_state=0, device="cpu").fit(X)
    assert np.isfinite(detector.anomaly_score(X)).all()
    assert max(drawn) == goad.DRAWN_AT_ONCE < 3000 * 256 * 32
    kept = [part.numel() for part in detector._scorer.inputs.values()]
    assert max(kept) == 3000 * 256 * 8


def test_what_cannot_fit_is_refused_with_the_estimate(monkeypatch):
    monkeypatch.setattr(
        "slad.detectors.parts.network_detector.available_memory", lambda device: 10**9
    )
    X = random_array((60, 500_000), density=1e-4, format="csr", rng=np.random.default_rng(0))
    with pytest.raises(ResourceError, match="GOAD needs about 4 GB for 500,000 features"):
        GOAD(device="cpu").fit(X)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_transformations", 1),
        ("transformation_dim", 0),
        ("hidden_dim", 0),
        ("n_layers", 0),
        ("margin", -1),
        ("triplet_weight", float("inf")),
        ("regularization", -0.1),
    ],
)
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=name):
        GOAD(**{name: value}).fit(table(30, 3))
