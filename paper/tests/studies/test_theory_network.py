"""The network of the analysis: its gradients are autograd's, and its laws those of the sums."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from slad_paper.studies import theory_network
from slad_paper.studies.theory_network import (
    TheoryNetwork,
    coefficients,
    exponent,
    interval,
    printed_constant,
    repaired_constant,
    resampled_means,
    shifted,
    slopes_and_bends,
    spread_and_mean,
    squared_sums,
)

NETWORK = TheoryNetwork(units=6, outputs=4, inputs=3)


def by_autograd(network: TheoryNetwork, seed: int, rows: int) -> np.ndarray:
    """The same draws, in the same order, and the gradient of each row by the first output."""
    rng = np.random.default_rng(seed)
    networks = rows if network.own else 1
    hidden = torch.tensor(rng.uniform(-1, 1, (1, networks, network.units, network.inputs)))[0]
    shape = (1, networks, network.outputs, network.units)
    output = torch.tensor(rng.uniform(-network.spread, network.spread, shape))[0]
    target = torch.tensor(network._targets(1, rng))[0, 0]
    inputs = torch.tensor(rng.normal(size=(1, rows, network.inputs)))[0]
    found = []
    for row in range(rows):
        weights = output[row % networks].clone().requires_grad_()
        p = torch.softmax(weights @ torch.sigmoid(hidden[row % networks] @ inputs[row]), 0)
        middle = (p + target) / 2
        terms = (p * torch.log(p / middle) + target * torch.log(target / middle)) / 2
        (terms.sum() if network.whole else terms[0]).backward()
        found.append(weights.grad[0].numpy())
    return np.stack(found)


@pytest.mark.parametrize("changed", [{}, {"whole": True}, {"own": True}, {"real_labels": True}])
def test_gradients_are_those_of_autograd(changed):
    network = replace(NETWORK, **changed)
    (found,) = network.gradients(1, [5], np.random.default_rng(3))
    np.testing.assert_allclose(found[0], by_autograd(network, 3, 5), rtol=1e-9, atol=1e-15)


def test_two_kinds_of_rows_share_the_networks():
    same, odd = NETWORK.gradients(
        2, [7, 4], np.random.default_rng(0), (theory_network.ordinary, shifted)
    )
    assert same.shape == (2, 7, 6)
    assert odd.shape == (2, 4, 6)


def test_sums_are_those_of_the_first_rows():
    gradients = np.random.default_rng(0).normal(size=(2, 5, 3))
    found = squared_sums(gradients, [1, 4])
    np.testing.assert_allclose(found[:, 1], (gradients[:, :4].sum(1) ** 2).sum(-1))


def test_spread_and_mean_are_free_of_bias():
    rng = np.random.default_rng(0)
    spread, mean = spread_and_mean(0.5 + rng.normal(size=(20_000, 3, 2)))
    assert spread.mean() == pytest.approx(2.0, rel=0.02)
    assert mean.mean() == pytest.approx(0.5, rel=0.05)


def test_the_exponent_is_two_for_rows_of_one_network_and_one_for_signs_at_random():
    rng = np.random.default_rng(1)
    (found,) = TheoryNetwork(16, 10).gradients(100, [256], rng)
    sizes = [32, 64, 128, 256]
    assert exponent(sizes, squared_sums(found, sizes).mean(0)) == pytest.approx(2, abs=0.1)
    found *= rng.choice([-1.0, 1.0], size=(100, 256, 1))
    assert exponent(sizes, squared_sums(found, sizes).mean(0)) == pytest.approx(1, abs=0.25)


def test_an_exponent_and_its_interval_are_found_again():
    rng = np.random.default_rng(2)
    values = 3 * np.array([1.0, 4, 16]) * rng.lognormal(sigma=0.1, size=(200, 3))
    assert exponent([1, 2, 4], values.mean(0)) == pytest.approx(2, abs=0.05)
    low, high = interval(exponent([1, 2, 4], resampled_means(values, 300, rng)))
    assert low < 2 < high
    assert high - low < 0.05


@pytest.mark.parametrize("c", [2, 3, 10])
@pytest.mark.parametrize("same", [True, False])
def test_the_printed_derivatives_at_zero_are_right(c, same):
    z = torch.zeros((), dtype=torch.float64, requires_grad=True)
    p = torch.exp(z) / (torch.exp(z) + c - 1) if same else 1 / (torch.exp(z) + c - 1)
    value = p * (1 - p) * (torch.log(2 * p) - torch.log(1 / c + p))
    (slope,) = torch.autograd.grad(value, z, create_graph=True)
    (bend,) = torch.autograd.grad(slope, z)
    printed, whose = slopes_and_bends(c), "own" if same else "other"
    assert value.item() == 0
    assert slope.item() == pytest.approx(printed[f"{whose}_slope"])
    assert bend.item() == pytest.approx(printed[f"{whose}_bend"], abs=1e-12)


@pytest.mark.parametrize("c", [2, 3, 5, 10, 50])
def test_the_printed_coefficients_count_one_output_c_times(c):
    at = coefficients(c)
    assert at["slopes_printed"] == pytest.approx(at["slopes_c_times"])
    assert at["bends_printed"] == pytest.approx(at["bends_c_times"])
    assert at["slopes"] == pytest.approx((c - 1) ** 3 / (2 * c**5))


@pytest.mark.parametrize(("units", "c"), [(16, 3), (16, 10), (50, 10)])
def test_the_repaired_constant_is_the_simulated_one_where_weights_are_small(units, c):
    network = TheoryNetwork(units, c, spread=0.05)
    (found,) = network.gradients(400, [32], np.random.default_rng(4))
    simulated = spread_and_mean(found)[1].mean()
    assert simulated == pytest.approx(repaired_constant(units, c, 0.05), rel=0.3)
    assert abs(printed_constant(units, c) * 0.05**2 / simulated - 1) > 0.5


def test_the_printed_constant_is_negative_for_few_outputs():
    assert printed_constant(16, 2) < 0
    assert printed_constant(16, 3) < 0
    assert printed_constant(16, 4) > 0
