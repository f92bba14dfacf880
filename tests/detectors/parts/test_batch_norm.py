"""Batch normalisation of windows, against torch's and autograd."""

from __future__ import annotations

import pytest
import torch

from slad.detectors.parts.batch_norm import moments, standardise, standardise_backward_

SHARE = torch.tensor([[0.25] * 4 + [0.0], [0.2] * 5]).double()
"""Weights of the five rows of two members; the last of the first member is padding."""


def units(seed: int = 0) -> torch.Tensor:
    """2 members x 5 rows x 3 windows x 4 units."""
    generator = torch.Generator().manual_seed(seed)
    return 3 + 2 * torch.randn(2, 5, 3, 4, generator=generator, dtype=torch.double)


def test_moments_are_those_of_all_units_of_a_window_over_the_rows():
    x = units()
    mean, square = moments(x, SHARE).unbind(1)
    for member, count in enumerate((4, 5)):
        seen = x[member, :count].transpose(0, 1).flatten(1)
        torch.testing.assert_close(mean[member], seen.mean(1))
        torch.testing.assert_close(square[member], seen.square().mean(1))


def test_standardised_units_are_torch_s_batch_norm_with_a_window_as_channel():
    x = units()[1:]
    found, factor = standardise(x.clone(), moments(x, SHARE[1:]))
    expected = torch.nn.functional.batch_norm(x[0], None, None, training=True)
    torch.testing.assert_close(found[0], expected)
    assert factor.shape == (1, 1, 3, 1)


def test_padding_does_not_count():
    x, other = units(), units()
    other[0, 4] = 1e6
    torch.testing.assert_close(moments(x, SHARE), moments(other, SHARE), rtol=0, atol=0)


def test_units_without_any_spread_become_zeros():
    x = torch.full((1, 4, 2, 3), 5.0)
    found, _ = standardise(x, moments(x, torch.full((1, 4), 0.25)))
    assert (found == 0).all()


def test_what_autograd_needs_is_not_written_over():
    x = units().requires_grad_()
    before = x.detach().clone()
    standardise(x, moments(x, SHARE))[0].sum().backward()
    torch.testing.assert_close(x.detach(), before, rtol=0, atol=0)
    assert x.grad.isfinite().all()


@pytest.mark.parametrize("seed", [0, 1])
def test_derivatives_by_hand_are_those_of_autograd(seed):
    x, slopes = units(seed).requires_grad_(), units(seed + 10)
    slopes[0, 4] = 0  # padding has no part in a loss
    standardise(x, moments(x, SHARE))[0].backward(slopes)
    with torch.no_grad():
        found, factor = standardise(x.detach().clone(), moments(x, SHARE))
        by_x = standardise_backward_(slopes.clone(), found, factor, SHARE)
    torch.testing.assert_close(by_x[SHARE > 0], x.grad[SHARE > 0])
