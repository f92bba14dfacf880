"""What every method with derivatives of its own must show."""

from __future__ import annotations

from typing import Any

import torch

from slad.learning import Batch, Method, Tensors


def assert_those_of_autograd(
    method: Method, weights: Tensors, constants: Tensors, batch: Batch, **tolerance: Any
) -> None:
    """Losses and gradients by hand are autograd's, and every gradient is written."""
    weights = {name: part.clone().requires_grad_() for name, part in weights.items()}
    found = {name: torch.full_like(part, torch.nan) for name, part in weights.items()}
    expected = {name: torch.zeros_like(part) for name, part in weights.items()}
    losses = Method.differentiate(method, weights, expected, constants, batch)
    with torch.no_grad():
        ours = method.differentiate(weights, found, constants, batch)
    torch.testing.assert_close(ours, losses)
    for name in found:
        torch.testing.assert_close(found[name], expected[name], **tolerance)


def assert_filling_moves_nothing(
    method: Method, weights: Tensors, batch: Batch, filling: float
) -> None:
    """What stands in the places of weight 0 changes neither losses nor gradients."""
    gradients = [{name: torch.zeros_like(part) for name, part in weights.items()} for _ in "ab"]
    losses = []
    for written in gradients:
        losses.append(method.differentiate(weights, written, {}, batch))
        batch.rows[~batch.real] = filling
    torch.testing.assert_close(losses[0], losses[1], rtol=0, atol=0)
    torch.testing.assert_close(gradients[0], gradients[1], rtol=1e-12, atol=1e-15)
