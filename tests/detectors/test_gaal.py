from __future__ import annotations

import copy
from itertools import product
from math import ceil, sqrt

import numpy as np
import pytest
import torch
from scipy.sparse import random_array
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from recipes import table
from slad import fit_many
from slad.core.errors import ConfigError, ResourceError
from slad.core.seeds import Streams
from slad.detectors import GAAL, registry
from slad.detectors.gaal import Game, _quantiles
from slad.learning import Batch, Callback, Method, StackSGD, split, train

CPU = torch.device("cpu")
RATES = (0.01, 1e-4)


class Networks:
    """The same networks in torch's own words."""

    def __init__(self, method: Game, flat: torch.Tensor) -> None:
        d, hidden, _ = method.discriminator.sizes
        k = method.generators.copies[0]
        weights = split(flat[None], method.shapes)
        self.judge = nn.Sequential(nn.Linear(d, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.makers = [
            nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU()) for _ in range(k)
        ]
        for layer in (0, 1):
            parts = {
                name: weights[name][0]
                for name in weights
                if name.endswith((f".{layer}", f".{layer}.bias"))
            }
            self._set(self.judge[2 * layer], *list(parts.values())[:2])
            matrix, bias = list(parts.values())[2:]
            for number, maker in enumerate(self.makers):
                self._set(maker[2 * layer], matrix[number], bias[number])

    @staticmethod
    def _set(linear: nn.Linear, weight: torch.Tensor, bias: torch.Tensor) -> None:
        linear.weight.data = weight.T.clone()
        linear.bias.data = bias[0].clone()

    def backward(self, rows: torch.Tensor, noise: torch.Tensor) -> float:
        """Gradients of the discriminator and of the generators; the discriminator's loss."""
        k = len(self.makers)
        fakes = [maker(mine) for maker, mine in zip(self.makers, noise, strict=True)]
        real = self.judge(rows)
        loss = cross_entropy(real, torch.ones_like(real)) / 2
        for number, fake in enumerate(fakes):
            share = (k - number) / (k * (k + 1) / 2)
            spotted = self.judge(fake.detach())
            loss = loss + share * cross_entropy(spotted, torch.zeros_like(spotted)) / 2
        outputs = real.detach().sigmoid().numpy()
        fixed = copy.deepcopy(self.judge)
        for number, fake in enumerate(fakes):
            target = np.percentile(outputs, 100 * number / k) if k > 1 else 1.0
            answer = fixed(fake)
            cross_entropy(answer, torch.full_like(answer, float(target))).backward()
        loss.backward()
        return loss.item()


def parts(k: int, *, n_features: int = 5, batch_size: int = 24, steps: int = 0):
    """A method, weights of two members, and a batch of theirs; the second has filled places."""
    method = GAAL(n_generators=k, batch_size=batch_size)._method(90, n_features)
    flat = torch.stack([method.flat(Streams(seed)) for seed in (0, 1)])
    generator = torch.Generator().manual_seed(3)
    flat += 0.1 * torch.randn(flat.shape, generator=generator)
    real = batch_size - 5
    weight = torch.tensor([[1 / batch_size] * batch_size, [1 / real] * real + [0.0] * 5])
    noise = torch.stack([method.draw(generator, batch_size)["noise"] for _ in range(2)])
    batch = Batch(
        rows=torch.rand(2, batch_size, n_features, generator=generator),
        weight=weight,
        draws={"noise": noise},
        steps=torch.tensor(steps),
        steps_per_epoch=torch.tensor([1, 10]),
        epochs=torch.tensor([6.0, 6.0]),
    )
    fixed = [method.fixed(Streams(0), CPU)] * 2
    constants = {name: torch.stack([part[name] for part in fixed]) for name in fixed[0]}
    return method, flat, constants, batch


def gradients(differentiate, method, flat, constants, batch):
    weights = {
        name: part.clone().requires_grad_() for name, part in split(flat, method.shapes).items()
    }
    found = split(torch.full_like(flat, torch.nan), method.shapes)
    with torch.no_grad():
        losses = differentiate(method, weights, found, constants, batch)
    return losses, found


@pytest.mark.parametrize("k", [1, 4])
def test_both_sides_gradients_are_those_of_plain_networks(k):
    method, flat, constants, batch = parts(k)
    losses, found = gradients(Game.differentiate, method, flat, constants, batch)
    noise = method._noise(batch)
    for member in range(2):
        plain = Networks(method, flat[member])
        loss = plain.backward(batch.rows[member][batch.real[member]], noise[member])
        assert float(losses[member]) == pytest.approx(loss, rel=1e-5)
        for layer in (0, 1):
            ours = {name: part[member] for name, part in found.items()}
            theirs = plain.judge[2 * layer]
            torch.testing.assert_close(ours[f"discriminator.{layer}"], theirs.weight.grad.T)
            torch.testing.assert_close(ours[f"discriminator.{layer}.bias"][0], theirs.bias.grad)
            for number, maker in enumerate(plain.makers):
                weight, bias = (part.grad / 100 for part in maker[2 * layer].parameters())
                mine = ours[f"generators.{layer}"][number]
                torch.testing.assert_close(mine, weight.T, rtol=1e-4, atol=1e-7)
                mine = ours[f"generators.{layer}.bias"][number, 0]
                torch.testing.assert_close(mine, bias, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("k", [1, 4, 30])
@pytest.mark.parametrize("steps", [0, 5, 50], ids=["both play", "one plays", "both rest"])
def test_gradients_by_hand_are_those_of_autograd(k, steps):
    method, flat, constants, batch = parts(k, steps=steps)
    ours, found = gradients(Game.differentiate, method, flat, constants, batch)
    theirs, expected = gradients(Method.differentiate, method, flat, constants, batch)
    torch.testing.assert_close(ours, theirs)
    for name in found:
        torch.testing.assert_close(found[name], expected[name], rtol=1e-4, atol=1e-7)
        for member, rests in enumerate([steps >= 5, steps >= 50]):
            zero = not found[name][member].any()
            assert zero == (rests and name.startswith("generators"))


@pytest.mark.parametrize("k", [1, 4])
def test_filled_places_have_no_influence(k):
    method, flat, constants, batch = parts(k)
    losses, found = gradients(Game.differentiate, method, flat, constants, batch)
    batch.rows[1, -5:] = 1e3
    others, different = gradients(Game.differentiate, method, flat, constants, batch)
    torch.testing.assert_close(losses, others, rtol=0, atol=0)
    for name in found:
        torch.testing.assert_close(found[name], different[name], rtol=0, atol=0)


def test_the_targets_are_the_percentiles_of_the_real_rows_and_1_for_a_single_generator():
    method, _, _, batch = parts(4)
    outputs = torch.rand(2, 24, generator=torch.Generator().manual_seed(0))
    targets = method._targets(outputs, batch)
    for member, count in ((0, 24), (1, 19)):
        expected = np.percentile(outputs[member, :count], [0, 25, 50, 75])
        np.testing.assert_allclose(targets[member], expected, rtol=1e-6)
    assert parts(1)[0]._targets(outputs, batch).tolist() == [[1.0], [1.0]]


def test_one_real_row_is_every_quantile():
    real = torch.tensor([[True, False, False]])
    found = _quantiles(torch.tensor([[0.3, 0.9, 0.1]]), real, torch.tensor([0.0, 0.5]))
    assert found.tolist() == [[pytest.approx(0.3)] * 2]


def test_a_generator_starts_as_the_identity_and_the_discriminator_from_cut_normal_weights():
    method = GAAL(n_generators=3)._method(10_000, 40)
    weights = split(method.flat(Streams(0))[None], method.shapes)
    noise = torch.rand(1, 3, 8, 40)
    torch.testing.assert_close(method.generators(weights, noise), noise)
    for layer, inputs in ((0, 40), (1, 100)):
        scaled = weights[f"discriminator.{layer}"] * inputs**0.5
        assert float(scaled.std()) == pytest.approx(1, abs=0.15 if layer else 0.03)
        assert float(scaled.abs().max()) <= 2 / 0.8796 + 1e-6
        assert not weights[f"discriminator.{layer}.bias"].any()
    assert method.discriminator.sizes == (40, 100, 1)


@pytest.mark.parametrize(("n", "expected"), [(5000, 500), (110, 120), (1, 10)])
def test_a_step_makes_about_as_many_rows_as_it_sees(n, expected):
    method = GAAL()._method(n, 3)
    assert method.each * 10 == expected


def trained(detector: GAAL, X: np.ndarray) -> dict[str, torch.Tensor]:
    """All weights after training; a fitted detector has those of its discriminator alone."""
    job = detector._job(X, {})
    objective = detector._objective(job.members)
    size = detector.batch_size
    (result,) = train(objective, job.plans, batch_size=size, optimizer=detector.optimizer)
    return {
        name: part[0]
        for name, part in split(result.weights[None], job.members[0].method.shapes).items()
    }


@pytest.mark.parametrize("k", [1, 3])
def test_training_is_gradient_descent_with_momentum_at_two_rates(k):
    X = table(36, 4)
    settings = {"epochs": 9, "batch_size": 36, "n_generators": k, "device": "cpu"}
    detector = GAAL(random_state=0, **settings).fit(X)
    assert detector.optimizer is StackSGD
    streams = Streams(0, 0)
    method = detector._method(36, 4)
    noise = streams.torch("draws")
    plain = Networks(method, method.flat(streams))
    rows = torch.from_numpy((X - X.min(0)) / np.ptp(X, axis=0)).float()
    makers = [part for maker in plain.makers for part in maker.parameters()]
    optimizers = [
        torch.optim.SGD(side, lr=rate, momentum=0.9)
        for side, rate in zip((plain.judge.parameters(), makers), RATES, strict=True)
    ]
    losses = []
    for epoch in range(9):
        for optimizer in optimizers:
            optimizer.zero_grad(set_to_none=False)
        drawn = method.draw(noise, 36)["noise"][: k * method.each]
        losses.append(plain.backward(rows, drawn.unflatten(0, (k, method.each))))
        if epoch >= 3:
            optimizers[1].zero_grad(set_to_none=False)  # momentum alone is left
        for optimizer in optimizers:
            optimizer.step()
    with torch.no_grad():
        expected = -plain.judge(rows)[:, 0].double().numpy()
    np.testing.assert_allclose(detector.anomaly_score(X), expected, rtol=1e-4, atol=1e-6)
    assert detector.history_["loss"] == pytest.approx(losses, rel=1e-5)


def test_the_generators_stop_and_the_discriminator_goes_on():
    X = table(60, 4)
    settings = {"n_generators": 2, "random_state": 0, "device": "cpu", "stop_epochs": 5}
    settings |= {"generator_learning_rate": 1e-3}
    sooner, later = (trained(GAAL(epochs=epochs, **settings), X) for epochs in (200, 260))
    never = trained(GAAL(epochs=260, **settings | {"stop_epochs": 260}), X)
    for name in sooner:
        if name.startswith("generators"):
            torch.testing.assert_close(sooner[name], later[name], rtol=0, atol=1e-7)
            assert not torch.allclose(never[name], later[name], atol=1e-4)
        else:
            assert not torch.allclose(sooner[name], later[name], atol=1e-5)
    at_once = trained(GAAL(epochs=9, **settings | {"stop_epochs": 0}), X)
    for layer in (0, 1):
        torch.testing.assert_close(at_once[f"generators.{layer}"], torch.eye(4).repeat(2, 1, 1))


def test_without_a_number_the_generators_stop_after_a_third():
    X = table(60, 4)
    settings = {"epochs": 12, "random_state": 0, "device": "cpu"}
    third, four = GAAL(**settings).fit(X), GAAL(**settings, stop_epochs=4).fit(X)
    np.testing.assert_array_equal(third.anomaly_score(X), four.anomaly_score(X))


@pytest.mark.parametrize("name", ["so-gaal", "mo-gaal"])
def test_far_rows_score_higher_in_most_seeds(name):
    X = np.random.default_rng(0).normal(size=(1000, 3))
    far = 6.0 * np.array(list(product((-1, 1), repeat=3)))
    detectors = [registry.make(name, random_state=seed, device="cpu") for seed in range(10)]
    fit_many(detectors, [X] * 10)
    higher = [d.anomaly_score(far) > np.median(d.anomaly_score(X)) for d in detectors]
    assert np.mean(higher) > 0.7


def test_rows_are_ordered_as_by_one_minus_the_probability_to_be_real():
    X = table(200, 5)
    detector = GAAL(random_state=0, device="cpu").fit(X)
    scores = detector.anomaly_score(X)
    weights = {name: part[0].double() for name, part in detector._scorer.weights.items()}
    rows = detector._scaler.cells(X).double()
    hidden = rows @ weights["discriminator.0"] + weights["discriminator.0.bias"]
    logits = hidden.clamp(min=0) @ weights["discriminator.1"] + weights["discriminator.1.bias"]
    strange = (1 - logits.sigmoid())[:, 0].numpy()
    np.testing.assert_allclose(1 / (1 + np.exp(-scores)), strange, atol=1e-6)
    assert (np.diff(strange[np.argsort(scores)]) > -1e-6).all()


def test_rows_that_are_surely_strange_are_still_told_apart():
    X = np.random.default_rng(0).uniform(size=(400, 3))
    detector = GAAL(n_generators=1, epochs=3, random_state=0, device="cpu").fit(X)
    scores = detector.anomaly_score(1e6 * np.arange(1, 9)[:, None] * np.array([[1.0, -1.0, 1.0]]))
    assert np.abs(scores).min() > 1e3
    assert len(np.unique(scores)) == 8


class Count(Callback):
    def __init__(self) -> None:
        self.stacks: list[int] = []

    def start(self, n_members):
        self.stacks.append(n_members)


@pytest.mark.parametrize("k", [1, 3])
def test_seeds_and_tables_in_one_stack_give_to_the_bit_what_each_gives_alone(k):
    tables = [table(150, 5, seed=0), table(160, 5, seed=1)]
    settings = {"n_generators": k, "batch_size": 60, "device": "cpu"}
    jobs = [(seed, epochs, X) for X in tables for seed, epochs in ((0, 6), (1, 9))]
    make = [GAAL(random_state=seed, epochs=epochs, **settings) for seed, epochs, _ in jobs]
    count = Count()
    fitted = fit_many(make, [X for *_, X in jobs], callbacks=[count])
    assert count.stacks == [4]
    for detector, (seed, epochs, X) in zip(fitted, jobs, strict=True):
        alone = GAAL(random_state=seed, epochs=epochs, **settings).fit(X)
        np.testing.assert_array_equal(detector.anomaly_score(X), alone.anomaly_score(X))
        assert detector.history_ == alone.history_


def test_tables_whose_discriminators_differ_in_size_are_stacks_of_their_own():
    tables = [table(100, 5), table(150, 5)]
    detectors = [GAAL(n_generators=2, epochs=3, random_state=0, device="cpu") for _ in tables]
    count = Count()
    fit_many(detectors, tables, callbacks=[count])
    assert count.stacks == [1, 1]
    for detector, X in zip(detectors, tables, strict=True):
        alone = GAAL(n_generators=2, epochs=3, random_state=0, device="cpu").fit(X)
        np.testing.assert_array_equal(detector.anomaly_score(X), alone.anomaly_score(X))


@pytest.mark.parametrize(("k", "weights"), [(1, "7,201,320,041"), (10, "72,002,400,041")])
def test_a_table_too_wide_is_refused_before_anything_is_made(k, weights, monkeypatch):
    def forbidden(*args):
        raise AssertionError("weights were made")

    monkeypatch.setattr(Game, "initial", forbidden)
    monkeypatch.setattr(Game, "fixed", forbidden)
    X = random_array((400, 60_000), density=1e-3, format="csr", rng=np.random.default_rng(0))
    with pytest.raises(ResourceError, match=rf"60,000 features \({weights} weights a network\)"):
        GAAL(n_generators=k, device="cpu").fit(X)


def test_a_fitted_model_holds_the_discriminator_alone():
    X = table(100, 30)
    arrays = GAAL(epochs=2, random_state=0, device="cpu").fit(X).state().arrays
    hidden = ceil(sqrt(100))
    assert arrays["weights"].shape == (1, 30 * hidden + hidden + hidden + 1)
    assert sum(array.size for array in arrays.values()) < 500


def test_a_discriminator_that_rests_leaves_its_initial_scores():
    X = table(50, 3)
    detector = GAAL(learning_rate=0.0, epochs=3, random_state=0, device="cpu").fit(X)
    method = detector._method(50, 3)
    plain = Networks(method, method.flat(Streams(0, 0)))
    with torch.no_grad():
        expected = -plain.judge(detector._scaler.cells(X))[:, 0].numpy()
    np.testing.assert_allclose(detector.anomaly_score(X), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "value"),
    [("n_generators", 0), ("stop_epochs", -1), ("generator_learning_rate", -0.1)],
)
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=name):
        GAAL(**{name: value}).fit(table(20, 3))
