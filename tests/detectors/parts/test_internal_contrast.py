"""The mathematics of ICL, against windows and complements written out."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from by_hand import assert_those_of_autograd

from recipes import table
from slad.core.seeds import Streams
from slad.detectors import ICL
from slad.detectors.parts import internal_contrast
from slad.learning import Batch, split

SMALL = {"hidden_dim": 12, "representation_dim": 8, "epochs": 4, "device": "cpu"}


PRESENT = (9, 6)
"""Rows of each of the two members, in batches of 9."""


both_variants = pytest.mark.parametrize("variant", ["authors", "deepod"])


def parts(n_features: int = 7, **settings):
    """A method, the weights and constants of two members, and a batch of theirs."""
    method = ICL(**SMALL | {"n_members": 2} | settings)._method(100, n_features)
    flat = torch.stack([method.flat(Streams(0, member)) for member in (0, 1)]).double()
    fixed = [method.fixed(Streams(0, member), torch.device("cpu")) for member in (0, 1)]
    constants = {name: torch.stack([part[name] for part in fixed]) for name in fixed[0]}
    generator = torch.Generator().manual_seed(2)
    rows = torch.rand(2, 9, method.width, generator=generator).double()
    weight = torch.zeros(2, 9).double()
    for member, count in enumerate(PRESENT):
        weight[member, :count] = 1 / count
    batch = Batch(rows, weight, {}, torch.tensor(0), torch.ones(2).long(), torch.ones(2))
    return method, split(flat, method.shapes), constants, batch


def member_of(weights, member):
    return {name: part[member].double() for name, part in weights.items()}


class Slow:
    """Every window and its complement written out, for one member."""

    def __init__(self, weights, method, present=slice(None), temperature=0.01) -> None:
        self.weights, self.method, self.present = weights, method, present
        self.temperature = temperature
        self.learned: dict[str, tuple] = {}

    def norm(self, name, x):
        if name not in self.learned:
            seen = x[self.present].transpose(0, 1).flatten(1)
            self.learned[name] = seen.mean(1), seen.var(1, unbiased=False)
        mean, variance = self.learned[name]
        return (x - mean[:, None]) / torch.sqrt(variance[:, None] + 1e-5)

    def network(self, name, parts, bend):
        hidden = torch.stack([bend(part @ self.weights[f"{name}.0"]) for part in parts], 1)
        outputs = self.norm(f"{name}.0", hidden) @ self.weights[f"{name}.1"]
        outputs = torch.where(outputs > 0, outputs, 0.01 * outputs)
        if self.method.deepod:
            outputs = self.norm(f"{name}.1", outputs)
        outputs = torch.nn.functional.normalize(outputs, dim=1)
        return outputs if self.method.deepod else torch.nn.functional.normalize(outputs, dim=2)

    def losses(self, rows, negatives=None):
        everything = np.arange(rows.shape[1])
        k = self.method.window.sizes[0]
        windows = [everything[i : i + k] for i in range(len(everything) - k + 1)]
        rests = [np.setdiff1d(everything, window) for window in windows]
        keys = self.network("window", [rows[:, w] for w in windows], torch.nn.functional.leaky_relu)
        queries = self.network("rest", [rows[:, rest] for rest in rests], torch.tanh)
        negatives = range(len(windows)) if negatives is None else negatives
        losses = []
        for i in range(len(windows)):
            others = [i, *(int(j) for j in negatives if j != i)]
            logits = torch.stack([(queries[:, i] * keys[:, j]).sum(1) for j in others], 1)
            losses.append(-(logits / self.temperature).log_softmax(1)[:, 0])
        return torch.stack(losses, 1).mean(1)


@both_variants
@pytest.mark.parametrize("n_features", [3, 7, 26, 45, 245])
def test_the_loss_is_that_of_windows_and_complements_written_out(n_features, variant):
    method, weights, constants, batch = parts(n_features, variant=variant)
    losses = method.losses(weights, constants, batch)
    for member, count in enumerate(PRESENT):
        slow = Slow(member_of(weights, member), method, slice(count))
        expected = slow.losses(batch.rows[member])[:count]
        torch.testing.assert_close(losses[member, :count], expected)


@both_variants
@pytest.mark.parametrize("n_features", [3, 7, 45])
def test_its_gradients_are_those_of_windows_and_complements_written_out(n_features, variant):
    method, weights, constants, batch = parts(n_features, variant=variant)
    found = {name: torch.zeros_like(part) for name, part in weights.items()}
    with torch.no_grad():
        leaves = {name: part.clone().requires_grad_() for name, part in weights.items()}
        losses = method.differentiate(leaves, found, constants, batch)
    for member, count in enumerate(PRESENT):
        mine = {n: p.clone().requires_grad_() for n, p in member_of(weights, member).items()}
        slow = Slow(mine, method, slice(count))
        loss = slow.losses(batch.rows[member, :count]).mean()
        loss.backward()
        torch.testing.assert_close(losses[member], loss.detach())
        for name, part in mine.items():
            # Derivatives of vectors brought to length 1 are small differences of large numbers.
            torch.testing.assert_close(found[name][member], part.grad, rtol=1e-5, atol=1e-8)


@both_variants
@pytest.mark.parametrize("n_features", [3, 30, 50, 200])
def test_its_gradients_by_hand_are_those_of_autograd(n_features, variant):
    method, weights, constants, batch = parts(n_features, variant=variant)
    rows = batch.rows.clone()
    rows[:, 2:4] = 0  # rows without any direction
    rows[0, :, :3] = 0  # windows that say nothing
    batch = Batch(rows, batch.weight, {}, batch.steps, batch.steps_per_epoch, batch.epochs)
    assert_those_of_autograd(method, weights, constants, batch, rtol=1e-5, atol=1e-8)


@both_variants
def test_filling_has_no_influence(variant):
    method, weights, constants, batch = parts(variant=variant)
    other = batch.rows.clone()
    other[1, PRESENT[1] :] = 1000.0
    results = []
    for rows in (batch.rows, other):
        gradients = {name: torch.zeros_like(part) for name, part in weights.items()}
        leaves = {name: part.clone().requires_grad_() for name, part in weights.items()}
        again = Batch(rows, batch.weight, {}, batch.steps, batch.steps_per_epoch, batch.epochs)
        with torch.no_grad():
            losses = method.differentiate(leaves, gradients, constants, again)
        results.append([losses, *gradients.values()])
    torch.testing.assert_close(results[0], results[1])


@both_variants
@pytest.mark.parametrize("n_features", [2, 7, 45])
def test_the_scores_are_those_of_windows_written_out_with_statistics_of_all_rows(
    n_features, variant
):
    train, test = table(210, n_features), table(60, n_features, seed=1)
    detector = ICL(**SMALL, variant=variant, batch_size=32, n_members=3, random_state=0).fit(train)
    scorer = detector._scorer
    found = detector.score_parts(test)
    for member in range(3):
        fixed = {name: part[member] for name, part in scorer.constants.items() if name == "order"}
        seen, new = (
            scorer.method.lift(fixed, detector._scaler.cells(X)).double() for X in (train, test)
        )
        slow = Slow(member_of(scorer.weights, member), scorer.method)
        slow.losses(seen)  # learns the statistics
        np.testing.assert_allclose(found[:, member], slow.losses(new), rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(detector.anomaly_score(test), found.mean(axis=1))


@both_variants
def test_with_fewer_negatives_each_query_is_held_against_the_same_drawn_windows(variant):
    method, weights, constants, batch = parts(14, max_negatives=4, variant=variant)
    losses = method.losses(weights, constants, batch)
    for member, count in enumerate(PRESENT):
        negatives = constants["negatives"][member].tolist()
        assert len(set(negatives)) == 4
        slow = Slow(member_of(weights, member), method, slice(count))
        expected = slow.losses(batch.rows[member], negatives)[:count]
        torch.testing.assert_close(losses[member, :count], expected)
    assert constants["negatives"][0].tolist() != constants["negatives"][1].tolist()


def test_every_member_has_an_order_of_the_columns_that_its_seed_determines():
    method = ICL(**SMALL | {"n_members": 2})._method(100, 9)
    orders = [method.fixed(Streams(*seed), torch.device("cpu"))["order"] for seed in ((0, 0),) * 2]
    other = method.fixed(Streams(0, 1), torch.device("cpu"))["order"]
    assert torch.equal(*orders)
    assert sorted(other.tolist()) == sorted(orders[0].tolist()) == list(range(method.width))
    assert not torch.equal(orders[0], other)


@pytest.mark.parametrize("n_features", [1, 2, 3, 8])
def test_a_row_is_lengthened_with_zeros_to_at_least_two_windows(n_features):
    method = ICL(**SMALL | {"n_members": 1})._method(100, n_features)
    rows = torch.ones(4, n_features)
    lifted = method.lift({}, rows)
    assert lifted.shape == (4, method.width)
    assert method.width == max(3, n_features)
    assert lifted.sum() == rows.sum()
    assert method.n_windows >= 2


@both_variants
@pytest.mark.parametrize("cells", [1, 200])
def test_rows_of_a_batch_in_parts_have_the_gradients_of_all_at_once(variant, cells, monkeypatch):
    method, weights, constants, batch = parts(variant=variant)

    def found() -> list[torch.Tensor]:
        gradients = {name: torch.zeros_like(part) for name, part in weights.items()}
        return [method.differentiate(weights, gradients, constants, batch), *gradients.values()]

    expected = found()
    monkeypatch.setattr(internal_contrast, "CHUNK_CELLS", cells)
    torch.testing.assert_close(found(), expected)
