from __future__ import annotations

import pytest
import torch

from slad.core.seeds import Streams
from slad.learning import MLP, split


def stack_of(network: MLP, seeds: list[int]) -> torch.Tensor:
    members = []
    for seed in seeds:
        initial = network.initial(Streams(seed))
        members.append(torch.cat([initial[name].reshape(-1) for name in network.shapes]))
    return torch.stack(members)


def as_torch(network: MLP, flat: torch.Tensor, copy: tuple[int, ...]) -> torch.nn.Sequential:
    """The same network in torch's own layers."""
    weights = split(flat[None], network.shapes)
    layers: list[torch.nn.Module] = []
    for layer in range(network.depth):
        if layer:
            layers.append(torch.nn.LeakyReLU())
        linear = torch.nn.Linear(*network.sizes[layer : layer + 2], bias=network.bias)
        linear.weight.data = weights[network.weight(layer)][(0, *copy)].T.clone()
        if network.bias:
            linear.bias.data = weights[network.offset(layer)][(0, *copy)].reshape(-1).clone()
        layers.append(linear)
    return torch.nn.Sequential(*layers)


@pytest.mark.parametrize("bias", [False, True])
def test_every_member_and_copy_is_a_perceptron_of_its_own(bias):
    network = MLP("net", (5, 7, 6, 3), bias=bias, copies=(2,))
    flat = stack_of(network, [0, 1])
    x = torch.randn(2, 2, 11, 5, generator=torch.Generator().manual_seed(0))
    out = network(split(flat, network.shapes), x)
    assert out.shape == (2, 2, 11, 3)
    for member in range(2):
        for copy in range(2):
            expected = as_torch(network, flat[member], (copy,))(x[member, copy])
            torch.testing.assert_close(out[member, copy], expected)


def test_members_may_share_their_input():
    network = MLP("net", (5, 7, 3))
    weights = split(stack_of(network, [0, 1]), network.shapes)
    x = torch.ones(1, 4, 5)
    torch.testing.assert_close(network(weights, x), network(weights, x.expand(2, 4, 5)))


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("copies", [(), (2,)])
def test_the_gradients_by_hand_are_those_of_autograd(bias, copies):
    network = MLP("net", (5, 7, 6, 3), bias=bias, copies=copies)
    flat = stack_of(network, [0, 1])
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(2, *copies, 11, 5, generator=generator)
    slopes = torch.randn(2, *copies, 11, 3, generator=generator)
    weights = {
        name: part.clone().requires_grad_() for name, part in split(flat, network.shapes).items()
    }
    expected = torch.autograd.grad((network(weights, x) * slopes).sum(), list(weights.values()))
    gradients = split(torch.zeros_like(flat), network.shapes)
    with torch.no_grad():
        inputs = network.inputs(weights, x)
        network.backward(weights, gradients, inputs, slopes)
    torch.testing.assert_close(inputs[-1], network(weights, x))
    for found, wanted in zip(gradients.values(), expected, strict=True):
        torch.testing.assert_close(found, wanted)


def test_weights_start_as_torch_s_linear_layers_do():
    network = MLP("net", (400, 300, 200), bias=True)
    for name, drawn in network.initial(Streams(0)).items():
        limit = (400 if ".0" in name else 300) ** -0.5
        assert drawn.abs().max() <= limit
        assert drawn.abs().max() > 0.97 * limit
        assert abs(drawn.mean()) < 0.1 * limit
    first, second = (network.initial(Streams(0, member))["net.0"] for member in (0, 1))
    assert not torch.equal(first, second)
