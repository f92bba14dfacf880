"""The contrastive loss of ICL, against cross-entropy and autograd."""

from __future__ import annotations

import pytest
import torch

from slad.detectors.parts.contrast import contrast, contrast_, contrast_backward_, unit_vectors

each_or_not = pytest.mark.parametrize("each", [True, False])


def vectors(seed: int = 0) -> torch.Tensor:
    """Queries and keys: 2 members x 3 rows x 6 vectors of 4 dimensions."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(2, 2, 3, 6, 4, generator=generator, dtype=torch.double)


def one_by_one(queries, keys, temperature, others):
    """torch's cross-entropy for each row, where query i must find key i."""
    losses = torch.zeros(queries.shape[:2], dtype=torch.double)
    for member, row in torch.cartesian_prod(torch.arange(2), torch.arange(3)):
        for i in range(6):
            among = [i, *(j for j in others if j != i)]
            logits = keys[member, row, among] @ queries[member, row, i] / temperature
            right = torch.tensor(0)
            losses[member, row] += torch.nn.functional.cross_entropy(logits, right) / 6
    return losses


def test_dimensions_and_then_vectors_have_length_1():
    x = vectors()[0]
    by_dimension = unit_vectors(x, each=False)
    torch.testing.assert_close(by_dimension.square().sum(2), torch.ones(2, 3, 4).double())
    by_vector = unit_vectors(x, each=True)
    torch.testing.assert_close(by_vector.square().sum(3), torch.ones(2, 3, 6).double())
    torch.testing.assert_close(by_vector, torch.nn.functional.normalize(by_dimension, dim=3))


@each_or_not
def test_vectors_of_zeros_stay_zeros_and_have_finite_derivatives(each):
    x = vectors()[0]
    x[0, 0] = 0
    x[1, :, 2] = 0
    x[1, :, :, 1] = 1e-20
    x.requires_grad_()
    found = unit_vectors(x, each=each)
    assert (found[0, 0] == 0).all()
    assert (found[1, :, :, 1] == 0).all()
    found.square().sum().backward()
    assert x.grad.isfinite().all()


@pytest.mark.parametrize("temperature", [0.05, 1.0])
def test_the_loss_is_cross_entropy_over_all_keys_or_some(temperature):
    queries, keys = vectors()
    torch.testing.assert_close(
        contrast(queries, keys, temperature), one_by_one(queries, keys, temperature, range(6))
    )
    some = torch.tensor([[1, 3], [1, 3]])
    torch.testing.assert_close(
        contrast(queries, keys, temperature, some), one_by_one(queries, keys, temperature, [1, 3])
    )


def test_all_keys_as_negatives_are_all_keys():
    queries, keys = vectors()
    everything = torch.arange(6).expand(2, -1)
    torch.testing.assert_close(
        contrast(queries, keys, 0.1, everything), contrast(queries, keys, 0.1)
    )


def test_a_small_temperature_overflows_nothing():
    queries, keys = vectors().float()
    losses = contrast(queries, keys, 1e-6)
    assert losses.isfinite().all()
    assert losses.max() > 1e5


@each_or_not
def test_the_loss_written_in_place_is_that_of_unit_vectors(each):
    expected = contrast(*(unit_vectors(x, each=each) for x in vectors()), 0.1)
    torch.testing.assert_close(contrast_(vectors(), 0.1, each=each), expected)


@each_or_not
@pytest.mark.parametrize("empty", [False, True])
def test_derivatives_by_hand_are_those_of_autograd(each, empty):
    x = vectors(1)
    if empty:
        x[:, 0, 0] = 0
        x[0, 1, 1, :, 2] = 0
    weight = torch.tensor([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]]).double()
    leaf = x.clone().requires_grad_()
    losses = contrast(*(unit_vectors(part, each=each) for part in leaf), 0.1)
    (losses * weight).sum().backward()
    ours, slopes = contrast_backward_(x, 0.1, weight, each=each)
    torch.testing.assert_close(ours, losses.detach())
    torch.testing.assert_close(slopes, leaf.grad, rtol=1e-6, atol=1e-9)
