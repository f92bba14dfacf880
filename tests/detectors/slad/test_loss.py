from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from slad.detectors.slad.loss import EMBEDDING_DIM, LOSSES, TEMPERATURE

NAMES = list(LOSSES)
ALIGNMENTS = ["jensen_shannon", "released", "kl"]
GROUPS, SUBSPACES, CLASSES = 6, 5, 4


# What each loss is, of p (... outputs subspaces) and the target (... 1 subspaces).


def jensen_shannon(p: Tensor, target: Tensor) -> Tensor:
    P = torch.softmax(p, -1)
    middle = (P + target) / 2
    return 0.5 * (P * (P / middle).log() + target * (target / middle).log()).sum((-2, -1))


def released(p: Tensor, target: Tensor) -> Tensor:
    P = torch.softmax(p, -1)
    middle = (P + target) / 2
    from_p = F.kl_div(torch.log_softmax(P, -1), middle, reduction="none")
    from_y = F.kl_div(torch.log_softmax(target, -1), middle, reduction="none")
    return (from_p + from_y).sum((-2, -1))


def kl(p: Tensor, target: Tensor) -> Tensor:
    return F.kl_div(torch.log_softmax(p, -1), target, reduction="none").sum((-2, -1))


def squared_error(p: Tensor, target: Tensor) -> Tensor:
    return F.mse_loss(p, target, reduction="none").mean((-2, -1))


def cross_entropy(p: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(p, target.squeeze(-2).long(), reduction="none").mean(-1)


def contrastive(p: Tensor, target: Tensor) -> Tensor:
    """As NeuTraL's authors print it; the last vector is the row's."""
    z = F.normalize(p, dim=-2)
    alike = torch.exp(torch.einsum("gdk,gdl->gkl", z, z) / TEMPERATURE)
    *views, row = range(p.shape[-1])
    terms = []
    for k in views:
        others = sum(alike[:, k, other] for other in views if other != k)
        terms.append(-torch.log(alike[:, k, row] / (alike[:, k, row] + others)))
    return torch.stack(terms).mean(0)


DIRECT = {
    "jensen_shannon": jensen_shannon,
    "released": released,
    "kl": kl,
    "squared_error": squared_error,
    "cross_entropy": cross_entropy,
    "contrastive": contrastive,
}


def example(name: str) -> tuple[Tensor, Tensor]:
    """Predictions and labels of some groups."""
    generator = torch.Generator().manual_seed(0)
    outputs = {"cross_entropy": CLASSES, "contrastive": 8}.get(name, 1)
    p = 3 * torch.randn(GROUPS, outputs, SUBSPACES, generator=generator, dtype=torch.float64)
    y = 3 * torch.randn(GROUPS, 1, SUBSPACES, generator=generator, dtype=torch.float64)
    if name == "cross_entropy":
        y = torch.randint(CLASSES, y.shape, generator=generator).double()
    return p, y


def test_every_loss_has_its_formula_here():
    assert set(DIRECT) == set(LOSSES)


@pytest.mark.parametrize("name", ALIGNMENTS)
def test_the_target_of_an_alignment_is_the_softmax_of_the_labels(name):
    _, y = example(name)
    torch.testing.assert_close(LOSSES[name].target(y), torch.softmax(y, -1))


@pytest.mark.parametrize("name", ["squared_error", "cross_entropy"])
def test_scales_and_classes_are_learned_as_they_are(name):
    _, y = example(name)
    assert torch.equal(LOSSES[name].target(y), y)


def test_the_network_answers_with_a_scale_a_class_or_an_embedding():
    answers = {name: loss.outputs(7) for name, loss in LOSSES.items()}
    assert answers == dict.fromkeys(NAMES, 1) | {"cross_entropy": 7, "contrastive": EMBEDDING_DIM}
    assert [name for name in NAMES if LOSSES[name].whole_row] == ["contrastive"]
    assert [name for name in NAMES if LOSSES[name].of_lengths] == ["cross_entropy"]


@pytest.mark.parametrize("name", NAMES)
def test_the_value_is_that_of_the_formula(name):
    p, y = example(name)
    target = LOSSES[name].target(y)
    value = LOSSES[name].value(p, target)
    assert value.shape == (GROUPS, 1, 1)
    torch.testing.assert_close(value[:, 0, 0], DIRECT[name](p, target), rtol=1e-10, atol=0)
    assert torch.equal(value, LOSSES[name].value_and_gradient(p, target)[0])


@pytest.mark.parametrize("name", NAMES)
def test_single_precision_is_close_to_double(name):
    p, y = example(name)
    target = LOSSES[name].target(y)
    value = LOSSES[name].value(p.float(), target.float())
    torch.testing.assert_close(value.double(), LOSSES[name].value(p, target), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dim", [-1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_the_gradient_is_that_of_autograd_along_any_axis(name, dim):
    p, y = example(name)
    target = LOSSES[name].target(y)
    p.requires_grad_()
    DIRECT[name](p, target).sum().backward()
    found = p.detach()
    if dim == 2:  # groups x outputs x subspaces x rows, as scoring lays them out
        found, target = (part.unflatten(0, (2, 3)).permute(0, 2, 3, 1) for part in (found, target))
        value, gradient = LOSSES[name].value_and_gradient(found, target, dim=2)
        assert value.shape == (2, 1, 1, 3)
        gradient = gradient.permute(0, 3, 1, 2).flatten(0, 1)
    else:
        _, gradient = LOSSES[name].value_and_gradient(found, target)
    torch.testing.assert_close(gradient, p.grad, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", NAMES)
def test_saturated_labels_and_predictions_give_numbers(name, dtype):
    y = torch.tensor([[1e5, 0.0, -1e5], [0.0, 0.0, 1e5]], dtype=dtype).unsqueeze(1)
    outputs = LOSSES[name].outputs(3)
    labels = torch.tensor([[[0.0, 1.0, 2.0]]], dtype=dtype) if name == "cross_entropy" else y
    target = LOSSES[name].target(labels)
    if name in ALIGNMENTS:
        assert target.max() == 1
    for p in (torch.zeros_like(y), y, -y, y.flip(-1)):
        value, gradient = LOSSES[name].value_and_gradient(p.repeat(1, outputs, 1), target)
        assert value.isfinite().all()
        assert gradient.isfinite().all()


@pytest.mark.parametrize("name", NAMES)
def test_the_arguments_are_left_as_they_were(name):
    p, y = example(name)
    target = LOSSES[name].target(y)
    before = p.clone(), target.clone()
    LOSSES[name].value_and_gradient(p, target)
    assert torch.equal(p, before[0])
    assert torch.equal(target, before[1])


def test_jensen_shannon_is_symmetric_and_at_most_log_2():
    p, y = example("jensen_shannon")
    loss = LOSSES["jensen_shannon"]
    there = loss.value(p, loss.target(y))
    torch.testing.assert_close(there, loss.value(y, loss.target(p)))
    assert (there < math.log(2)).all()
    opposite = torch.tensor([[1e4, 0.0]])
    worst = loss.value(opposite.double(), loss.target(opposite.flip(-1).double()))
    assert worst.item() == pytest.approx(math.log(2))


@pytest.mark.parametrize("name", ["jensen_shannon", "kl", "squared_error"])
def test_divergences_and_errors_vanish_with_their_gradient_where_prediction_is_label(name):
    _, y = example(name)
    value, gradient = LOSSES[name].value_and_gradient(y, LOSSES[name].target(y))
    torch.testing.assert_close(value, torch.zeros_like(value), rtol=0, atol=1e-12)
    torch.testing.assert_close(gradient, torch.zeros_like(gradient), rtol=0, atol=1e-12)


def test_the_released_loss_is_not_smallest_where_prediction_is_label():
    _, y = example("released")
    loss = LOSSES["released"]
    target = loss.target(y)
    value, gradient = loss.value_and_gradient(y, target)
    assert (loss.value(y - gradient, target) < value).all()


def test_contrast_is_least_where_views_are_near_the_row_and_far_from_one_another():
    loss = LOSSES["contrastive"]
    row, first, second = torch.eye(3, dtype=torch.float64)
    near = torch.stack([row + first, row + second, row], -1)
    alike = torch.stack([first, first, row], -1)
    same = torch.stack([row, row, row], -1)
    values = [loss.value(p, torch.zeros(3)).item() for p in (near, same, alike)]
    assert values == sorted(values)
    assert values[1] == pytest.approx(math.log(2))  # one other view, and no way to tell


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_an_embedding_of_zeros_is_like_nothing_and_moves_nothing(dtype):
    p = example("contrastive")[0].to(dtype)
    p[..., 0] = 0
    value, gradient = LOSSES["contrastive"].value_and_gradient(p, torch.zeros(1))
    assert value.isfinite().all()
    assert gradient.isfinite().all()
    assert not gradient[..., 0].any()
    assert gradient[..., 1:].any()
