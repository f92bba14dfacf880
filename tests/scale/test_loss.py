from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from slad.scale.loss import LOSSES

NAMES = list(LOSSES)


def jensen_shannon(p: Tensor, target: Tensor) -> Tensor:
    P = torch.softmax(p, -1)
    middle = (P + target) / 2
    return 0.5 * (P * (P / middle).log() + target * (target / middle).log()).sum(-1)


def released(p: Tensor, target: Tensor) -> Tensor:
    P = torch.softmax(p, -1)
    middle = (P + target) / 2
    from_p = F.kl_div(torch.log_softmax(P, -1), middle, reduction="none")
    from_y = F.kl_div(torch.log_softmax(target, -1), middle, reduction="none")
    return (from_p + from_y).sum(-1)


def kl(p: Tensor, target: Tensor) -> Tensor:
    return F.kl_div(torch.log_softmax(p, -1), target, reduction="none").sum(-1)


DIRECT = {"jensen_shannon": jensen_shannon, "released": released, "kl": kl}


def example(dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    p, y = (3 * torch.randn(6, 5, generator=generator, dtype=dtype) for _ in range(2))
    return p, y


def test_every_loss_has_its_formula_here():
    assert set(DIRECT) == set(LOSSES)


@pytest.mark.parametrize("name", NAMES)
def test_the_target_is_the_softmax_of_the_labels(name):
    _, y = example()
    torch.testing.assert_close(LOSSES[name].target(y), torch.softmax(y, -1))


@pytest.mark.parametrize("name", NAMES)
def test_the_value_is_that_of_the_formula(name):
    p, y = example()
    target = torch.softmax(y, -1)
    value = LOSSES[name].value(p, target)
    torch.testing.assert_close(value.squeeze(-1), DIRECT[name](p, target), rtol=1e-10, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_single_precision_is_close_to_double(name):
    p, y = example()
    target = torch.softmax(y, -1)
    value = LOSSES[name].value(p.float(), target.float())
    torch.testing.assert_close(value.double(), LOSSES[name].value(p, target), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dim", [-1, 1])
@pytest.mark.parametrize("name", NAMES)
def test_the_gradient_is_that_of_autograd_along_any_axis(name, dim):
    p, y = example()
    target = torch.softmax(y, -1)
    p.requires_grad_()
    DIRECT[name](p, target).sum().backward()
    if dim == 1:  # groups x subspaces x rows, as scoring lays them out
        moved, along = p.detach().view(2, 3, 5).transpose(1, 2), target.view(2, 3, 5)
        value, gradient = LOSSES[name].value_and_gradient(moved, along.transpose(1, 2), dim=1)
        assert value.shape == (2, 1, 3)
        gradient = gradient.transpose(1, 2).reshape(6, 5)
    else:
        _, gradient = LOSSES[name].value_and_gradient(p.detach(), target)
    torch.testing.assert_close(gradient, p.grad, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", NAMES)
def test_saturated_labels_and_predictions_give_numbers(name, dtype):
    y = torch.tensor([[1e5, 0.0, -1e5], [0.0, 0.0, 1e5]], dtype=dtype)
    target = LOSSES[name].target(y)
    assert target.max() == 1
    for p in (torch.zeros_like(y), y, -y, y.flip(-1)):
        value, gradient = LOSSES[name].value_and_gradient(p.clone(), target)
        assert value.isfinite().all()
        assert gradient.isfinite().all()


@pytest.mark.parametrize("name", NAMES)
def test_the_arguments_are_left_as_they_were(name):
    p, y = example()
    target = torch.softmax(y, -1)
    before = p.clone(), target.clone()
    LOSSES[name].value_and_gradient(p, target)
    assert torch.equal(p, before[0])
    assert torch.equal(target, before[1])


def test_jensen_shannon_is_symmetric_and_at_most_log_2():
    p, y = example()
    loss = LOSSES["jensen_shannon"]
    there = loss.value(p, loss.target(y))
    torch.testing.assert_close(there, loss.value(y, loss.target(p)))
    assert (there < math.log(2)).all()
    opposite = torch.tensor([[1e4, 0.0]])
    worst = loss.value(opposite.double(), loss.target(opposite.flip(-1).double()))
    assert worst.item() == pytest.approx(math.log(2))


@pytest.mark.parametrize("name", ["jensen_shannon", "kl"])
def test_divergences_vanish_with_their_gradient_where_prediction_is_label(name):
    _, y = example()
    value, gradient = LOSSES[name].value_and_gradient(y, LOSSES[name].target(y))
    torch.testing.assert_close(value, torch.zeros_like(value), rtol=0, atol=1e-12)
    torch.testing.assert_close(gradient, torch.zeros_like(gradient), rtol=0, atol=1e-12)


def test_the_released_loss_is_not_smallest_where_prediction_is_label():
    _, y = example()
    loss = LOSSES["released"]
    target = loss.target(y)
    value, gradient = loss.value_and_gradient(y, target)
    assert (loss.value(y - gradient, target) < value).all()
