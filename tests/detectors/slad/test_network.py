from __future__ import annotations

import pytest
import torch
from torch import nn

from slad.core.seeds import Streams
from slad.detectors.slad.network import ScaleNetwork
from slad.learning import ParameterStack

WIDTH, HIDDEN, ROWS, MEMBERS = 7, 5, 11, 3


both_shapes = pytest.mark.parametrize("outputs", [1, 4])


def stack(bias: bool, outputs: int) -> tuple[ScaleNetwork, ParameterStack]:
    network = ScaleNetwork(WIDTH, HIDDEN, bias, outputs)
    members = torch.stack([network.initial(Streams(0, member)) for member in range(MEMBERS)])
    return network, ParameterStack(network.shapes, members)


def as_torch(weights: dict[str, torch.Tensor], member: int) -> nn.Sequential:
    bias = "bias" in weights
    outputs = weights["output"].shape[1]
    module = nn.Sequential(
        nn.Linear(WIDTH, HIDDEN, bias=bias), nn.LeakyReLU(), nn.Linear(HIDDEN, outputs, bias=False)
    )
    with torch.no_grad():
        module[0].weight.copy_(weights["hidden"][member])
        module[2].weight.copy_(weights["output"][member])
        if bias:
            module[0].bias.copy_(weights["bias"][member, :, 0])
    return module


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


@both_shapes
@pytest.mark.parametrize("bias", [True, False])
def test_the_stack_answers_as_torch_does_member_by_member(bias, outputs):
    network, parameters = stack(bias, outputs)
    weights, _ = parameters.first(MEMBERS)
    lifted, hidden = normal(MEMBERS, ROWS, WIDTH), torch.empty(MEMBERS, HIDDEN, ROWS)
    answers = network.forward(weights, lifted, hidden)
    assert answers.shape == (MEMBERS, outputs, ROWS)
    for member in range(MEMBERS):
        torch.testing.assert_close(answers[member].T, as_torch(weights, member)(lifted[member]))


@both_shapes
@pytest.mark.parametrize("bias", [True, False])
def test_the_gradients_are_those_of_autograd(bias, outputs):
    network, parameters = stack(bias, outputs)
    weights, gradients = parameters.first(MEMBERS)
    lifted, by_output = normal(MEMBERS, ROWS, WIDTH), normal(MEMBERS, outputs, ROWS)
    hidden, slopes = torch.empty(2, MEMBERS, HIDDEN, ROWS)
    network.forward(weights, lifted, hidden)
    network.slopes(weights, gradients, hidden, by_output, slopes)
    network.backward(weights, gradients, lifted, slopes)
    for member in range(MEMBERS):
        module = as_torch(weights, member)
        (module(lifted[member]) * by_output[member].T).sum().backward()
        torch.testing.assert_close(gradients["hidden"][member], module[0].weight.grad)
        torch.testing.assert_close(gradients["output"][member], module[2].weight.grad)
        if bias:
            torch.testing.assert_close(gradients["bias"][member, :, 0], module[0].bias.grad)


def test_initial_weights_stay_within_torch_s_bounds_and_differ_by_member():
    network = ScaleNetwork(128, 100, bias=True)
    first, second = (network.initial(Streams(0, member)) for member in range(2))
    hidden, output, bias = first.split([12800, 100, 100])
    assert 0.99 / 128**0.5 < hidden.abs().max() <= 1 / 128**0.5
    assert 0.9 / 10 < output.abs().max() <= 1 / 10
    assert 0.9 / 128**0.5 < bias.abs().max() <= 1 / 128**0.5
    assert not torch.equal(first, second)
    assert torch.equal(first, network.initial(Streams(0, 0)))
