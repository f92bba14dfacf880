"""The CUDA kernel between the two products of a step, and where it does not apply."""

from __future__ import annotations

import pytest
import torch

from slad.core.seeds import Streams
from slad.detectors.slad.fused import COLUMNS, LARGEST_GROUP, LOSS_SOURCE, fused_head
from slad.detectors.slad.loss import LOSSES
from slad.detectors.slad.network import ScaleNetwork
from slad.learning import ParameterStack


@pytest.mark.gpu
@pytest.mark.parametrize("loss", list(LOSS_SOURCE))
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("group_size", [2, 3, 10, 32])
def test_the_fused_kernel_computes_what_network_and_loss_say(loss, bias, group_size):
    members, samples, width, units = 3, 131, 16, 100
    device = torch.device("cuda")
    network = ScaleNetwork(width, units, bias)
    initial = torch.stack([network.initial(Streams(0, member)) for member in range(members)])
    weights, gradients = ParameterStack(network.shapes, initial.to(device)).first(members)
    generator = torch.Generator(device).manual_seed(0)
    n = samples * group_size
    lifted = torch.randn(members, n, width, generator=generator, device=device)
    labels = torch.randn(members, samples, group_size, generator=generator, device=device)
    labels[:, 0] = 1e4 * labels[:, 0]  # saturated: one label takes all
    target = LOSSES[loss].target(5 * labels)
    weight = torch.rand(members, samples, generator=generator, device=device)
    head = fused_head(LOSSES[loss], group_size, device)
    if head is None:
        pytest.skip("the kernel cannot be compiled here")

    hidden, slopes, fused_slopes = torch.empty(3, members, units, n, device=device)
    network.first_layer(weights, lifted, hidden)
    places = torch.randperm(members * samples, generator=generator, device=device)
    bank = (
        torch.empty_like(target)
        .view(-1, group_size)
        .index_copy_(0, places, target.view(-1, group_size))
    )
    fused_losses = head(weights, hidden.clone(), bank, places, weight, fused_slopes)
    scales = network.forward(weights, lifted, hidden)
    losses, by_scale = LOSSES[loss].value_and_gradient(scales.view_as(target), target)
    by_scale = (by_scale * weight.unsqueeze(-1)).view_as(scales)
    network.slopes(weights, gradients, hidden, by_scale, slopes)
    torch.testing.assert_close(fused_losses, losses.squeeze(-1) * weight, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(fused_slopes, slopes, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("loss", list(LOSSES))
def test_a_cpu_has_no_kernel(loss):
    assert fused_head(LOSSES[loss], 10, torch.device("cpu")) is None


def test_a_group_that_is_too_large_and_a_loss_without_source_have_no_kernel():
    gpu = torch.device("cuda")  # named only: these are refused before it is looked for
    assert fused_head(LOSSES["kl"], LARGEST_GROUP + 1, gpu) is None
    for name in LOSSES.keys() - LOSS_SOURCE.keys():
        assert fused_head(LOSSES[name], 10, gpu) is None


def test_the_kernel_s_losses_are_those_of_one_output_and_a_block_holds_a_group():
    assert LOSS_SOURCE.keys() <= LOSSES.keys()
    assert all(LOSSES[name].outputs(5) == 1 for name in LOSS_SOURCE)
    assert LARGEST_GROUP <= COLUMNS
