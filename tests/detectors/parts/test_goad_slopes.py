"""The loss of GOAD and its derivatives, against autograd over all pairs at once."""

from __future__ import annotations

import pytest
import torch

from slad.detectors.parts import goad_slopes
from slad.detectors.parts.goad_slopes import Slopes


def test_sums_over_places_are_the_same_in_parts():
    a, c = torch.rand(2, 12, 3).double(), torch.rand(2, 12, 5).double()
    whole, in_parts = (goad_slopes.sum_products(a, c, length) for length in (None, 4))
    torch.testing.assert_close(in_parts, whole)
    torch.testing.assert_close(whole, torch.einsum("kpx,kpy->kxy", a, c))


MAPS, WIDTH, MARGIN, TRIPLETS = 4, 3, 1.0, 0.5
WEIGHT = torch.tensor([[0.25] * 4 + [0.0], [0.2] * 5]).double()
"""Of the five rows of two members; the last of the first member is padding."""


def drawn(seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """A classifier for each member, and the representations of rows under all maps."""
    generator = torch.Generator().manual_seed(seed)
    head = torch.randn(2, WIDTH + 1, MAPS, generator=generator, dtype=torch.double)
    found = torch.randn(2, 5 * MAPS, WIDTH, generator=generator, dtype=torch.double)
    return head, found


def pair_by_pair(head: torch.Tensor, found: torch.Tensor) -> torch.Tensor:
    """The loss of each member: all logits and all distances written out."""
    z = found.unflatten(1, (5, MAPS))
    centres = (z * WEIGHT[:, :, None, None]).sum(1)
    seen = torch.nn.functional.leaky_relu(z, goad_slopes.HEAD_SLOPE)
    logits = torch.einsum("kbph,khm->kbpm", seen, head[:, :-1]) + head[:, None, -1:]
    crossed = -logits.log_softmax(-1).diagonal(dim1=2, dim2=3)
    distances = (z.unsqueeze(3) - centres[:, None, None]).square().sum(-1)
    right = distances.diagonal(dim1=2, dim2=3)
    own = torch.eye(MAPS, dtype=torch.bool)
    wrong = distances.masked_fill(own, torch.inf).amin(-1)
    hinge = (right + MARGIN - wrong).clamp(min=0)
    return ((crossed + TRIPLETS * hinge).mean(2) * WEIGHT).sum(1)


@pytest.mark.parametrize("cells", [1, 50, 10**9], ids=["rows alone", "parts", "at once"])
def test_loss_and_derivatives_are_those_of_all_pairs_by_autograd(cells, monkeypatch):
    monkeypatch.setitem(goad_slopes.CELLS_AT_ONCE, "cpu", cells)
    head, found = (part.requires_grad_() for part in drawn())
    losses = pair_by_pair(head, found)
    losses.sum().backward()
    with torch.no_grad():
        slopes = Slopes(head.detach(), found.detach(), WEIGHT, MARGIN, TRIPLETS)
    torch.testing.assert_close(slopes.losses, losses.detach())
    torch.testing.assert_close(slopes.by_head(), head.grad)
    torch.testing.assert_close(slopes.by_found(), found.grad)


def test_means_leave_out_padding():
    _, found = drawn()
    centres = goad_slopes.means(found, WEIGHT)
    z = found.unflatten(1, (5, MAPS))
    torch.testing.assert_close(centres[0], z[0, :4].mean(0))
    torch.testing.assert_close(centres[1], z[1].mean(0))


def test_nearness_orders_centres_by_distance():
    _, found = drawn()
    centres = goad_slopes.means(found, WEIGHT)
    near = goad_slopes.with_ones(found) @ goad_slopes.nearness(centres)
    distances = torch.cdist(found, centres).square()
    torch.testing.assert_close(found.square().sum(-1, keepdim=True) - near, distances)


def test_own_pairs_are_a_view_of_each_row_s_diagonal():
    pairs = torch.arange(2 * MAPS * MAPS).view(1, 2 * MAPS, MAPS)
    goad_slopes.own(pairs).fill_(-1)
    assert (pairs.view(2, MAPS, MAPS).diagonal(dim1=1, dim2=2) == -1).all()
    assert (pairs == -1).sum() == 2 * MAPS
