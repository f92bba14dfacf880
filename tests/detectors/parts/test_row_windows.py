"""Linear layers on all windows of a row and on their complements, against windows written out."""

from __future__ import annotations

import pytest
import torch

from slad.detectors.parts import row_windows
from slad.detectors.parts.row_windows import (
    complement_gradient,
    complement_layer,
    complement_products,
    window_gradient,
    window_layer,
    window_products,
)

SHAPES = [(3, 2), (5, 1), (7, 6), (30, 4), (45, 2), (41, 21)]
"""Features of a row and of a window: one group of windows, several, and an unfinished last one."""
shapes = pytest.mark.parametrize(("d", "k"), SHAPES)


def random(*shape: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.double)


def windows(rows: torch.Tensor, k: int) -> torch.Tensor:
    """2 members x 3 rows x windows x k."""
    return torch.stack([rows[:, :, i : i + k] for i in range(rows.shape[2] - k + 1)], 2)


def complements(rows: torch.Tensor, k: int) -> torch.Tensor:
    return torch.stack(
        [torch.cat([rows[:, :, :i], rows[:, :, i + k :]], 2) for i in range(rows.shape[2] - k + 1)],
        2,
    )


@shapes
def test_products_are_those_of_every_window(d, k):
    rows, weight = random(2, 3, d), random(2, k, 5, seed=1)
    expected = torch.einsum("mbwk,mkh->mbwh", windows(rows, k), weight)
    torch.testing.assert_close(window_products(rows, weight), expected)


@shapes
def test_products_are_those_of_every_complement(d, k):
    rows, weight = random(2, 3, d), random(2, d - k, 5, seed=1)
    expected = torch.einsum("mbwk,mkh->mbwh", complements(rows, k), weight)
    torch.testing.assert_close(complement_products(rows, weight), expected)


@shapes
def test_gradients_are_sums_over_all_windows_and_complements(d, k):
    rows, slopes = random(2, 3, d), random(2, 3, d - k + 1, 5, seed=2)
    torch.testing.assert_close(
        window_gradient(rows, slopes), torch.einsum("mbwk,mbwh->mkh", windows(rows, k), slopes)
    )
    torch.testing.assert_close(
        complement_gradient(rows, slopes),
        torch.einsum("mbwk,mbwh->mkh", complements(rows, k), slopes),
    )


@pytest.mark.parametrize(("group", "cells"), [(1, 2**20), (3, 2**20), (20, 40)])
def test_groups_of_any_size_give_the_same(group, cells, monkeypatch):
    rows, slopes = random(2, 3, 17), random(2, 3, 14, 5, seed=2)
    weights = random(2, 4, 5, seed=1), random(2, 13, 5, seed=1)

    def everything() -> list[torch.Tensor]:
        return [
            window_products(rows, weights[0]),
            complement_products(rows, weights[1]),
            window_gradient(rows, slopes),
            complement_gradient(rows, slopes),
        ]

    expected = everything()
    monkeypatch.setattr(row_windows, "GROUP", group)
    monkeypatch.setattr(row_windows, "BAND_CELLS", cells)
    torch.testing.assert_close(everything(), expected)


@pytest.mark.parametrize(("layer", "width"), [(window_layer, 4), (complement_layer, 13)])
def test_autograd_gets_the_derivatives_by_the_weight_alone(layer, width):
    rows = random(2, 3, 17).requires_grad_()
    weight = random(2, width, 5, seed=1).requires_grad_()
    assert torch.autograd.gradcheck(lambda w: layer(rows.detach(), w), weight)
    layer(rows, weight).sum().backward()
    assert weight.grad is not None
    assert rows.grad is None
