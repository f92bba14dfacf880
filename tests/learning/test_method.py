"""What a method is besides its mathematics."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import torch

from slad.core.seeds import Streams
from slad.learning import MLP, Batch, Method, split
from slad.learning.method import NetworkMethod


def batch(weight: torch.Tensor, steps: int = 0, steps_per_epoch: tuple[int, ...] = (4, 3)) -> Batch:
    rows = torch.randn(*weight.shape, 3, generator=torch.Generator().manual_seed(0))
    return Batch(
        rows, weight, {}, torch.tensor(steps), torch.tensor(steps_per_epoch), torch.ones(2)
    )


@dataclass(frozen=True)
class Scaled(Method):
    """Two weights in an order of their own; the loss is a weighted square."""

    @property
    def shapes(self):
        return {"second": (2, 3), "first": (3,)}

    def initial(self, streams):
        return {"first": torch.full((3,), 7.0), "second": torch.arange(6.0).view(2, 3)}

    def losses(self, weights, constants, batch):
        unused = 0 * weights["second"].sum((1, 2))
        return (batch.rows * weights["first"][:, None]).square().sum(-1) + unused[:, None]


class Drawing(Scaled):
    def draw(self, generator, batch_size):
        return {"noise": torch.rand(batch_size, generator=generator)}


@pytest.mark.parametrize(("steps", "epochs"), [(0, [0, 0]), (3, [0, 1]), (4, [1, 1]), (12, [3, 4])])
def test_a_batch_counts_the_finished_epochs_of_each_member(steps, epochs):
    assert batch(torch.ones(2, 5), steps).epoch.tolist() == epochs


def test_the_places_without_weight_hold_no_row():
    weight = torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    assert batch(weight).real.tolist() == [[True, True, False], [True, False, False]]


def test_initial_weights_lie_one_after_the_other_in_the_order_of_the_shapes():
    method = Scaled(3)
    assert method.n_weights == 9
    assert method.flat(Streams(0)).tolist() == [0, 1, 2, 3, 4, 5, 7, 7, 7]


def test_a_method_without_overrides_has_no_constants_and_no_draws():
    method, rows = Scaled(3), torch.rand(2, 3)
    assert method.fixed(Streams(0), torch.device("cpu")) == {}
    assert method.ready({}, {}) == method.draw(torch.Generator(), 4) == {}
    assert method.width == 3
    assert method.lift({}, rows) is rows
    assert method.ready_cells == 0
    assert method.scoring_shapes == method.shapes


def test_only_a_method_that_overrides_draw_has_draws():
    assert Drawing(3).has_draws
    assert not Scaled(3).has_draws


def test_gradients_are_of_the_weighted_losses_and_every_weight_gets_one():
    method, weight = Scaled(3), torch.tensor([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    given = batch(weight)
    weights = {
        "first": torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True),
        "second": torch.ones(2, 2, 3, requires_grad=True),
    }
    gradients = {name: torch.full_like(part, torch.nan) for name, part in weights.items()}
    with torch.no_grad():
        losses = method.differentiate(weights, gradients, {}, given)
    squares = (given.rows.square() * weight[..., None]).sum(1)
    first = weights["first"].detach()
    torch.testing.assert_close(losses, (squares * first.square()).sum(1))
    torch.testing.assert_close(gradients["first"], 2 * squares * first)
    assert (gradients["second"] == 0).all()
    assert not losses.requires_grad


def test_the_way_to_a_target_has_autograd_s_gradients():
    network = MLP("net", (3, 5, 2))
    method = NetworkMethod(3, network)
    assert method.shapes == network.shapes
    assert method.cells_per_row == 3 + 5 + 2
    flat = torch.stack([method.flat(Streams(seed)) for seed in (0, 1)]).double()
    weights = {
        name: part.clone().requires_grad_() for name, part in split(flat, method.shapes).items()
    }
    rows, target = torch.rand(2, 4, 3).double(), torch.rand(2, 1, 2).double()
    weight = torch.tensor([[0.25] * 4, [0.5, 0.5, 0.0, 0.0]]).double()
    outputs = network(weights, rows)
    losses = ((outputs - target).square().sum(-1) * weight).sum(1)
    expected = torch.autograd.grad(losses.sum(), list(weights.values()))
    gradients = {name: torch.full_like(part, torch.nan) for name, part in weights.items()}
    with torch.no_grad():
        found = method.approach(weights, gradients, rows, target, weight)
    torch.testing.assert_close(found, losses.detach())
    for mine, theirs in zip(gradients.values(), expected, strict=True):
        torch.testing.assert_close(mine, theirs)
