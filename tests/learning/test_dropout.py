from __future__ import annotations

import pytest
import torch

from slad.core.seeds import Streams
from slad.learning.dropout import draw_kept, fixed_kept

SHAPE = (1000, 7, 13)


@pytest.mark.parametrize("dropout", [0, 0.0, 0.1, 0.25, 0.5, 0.9])
def test_the_share_is_left_out_everywhere_and_the_mean_is_kept(dropout):
    drawn = draw_kept(torch.Generator().manual_seed(0), SHAPE, dropout)
    fixed = fixed_kept(Streams(0), "name", SHAPE, dropout)
    for kept in (drawn, fixed):
        assert kept.shape == SHAPE
        assert kept.dtype == torch.float32
        assert (kept == 0).float().mean().item() == pytest.approx(dropout, abs=0.01)
        assert kept.max().item() == pytest.approx(1 / (1 - dropout))
        assert kept.mean((0, 2)).tolist() == pytest.approx([1.0] * 7, abs=0.15)


def test_places_are_independent():
    kept = draw_kept(torch.Generator().manual_seed(0), (20_000, 9), 0.5)
    correlation = torch.corrcoef(kept.T)
    assert (correlation - torch.eye(9)).abs().max() < 0.04


def test_every_draw_is_new_and_what_is_fixed_follows_from_seed_and_name():
    generator = torch.Generator().manual_seed(0)
    first, second = (draw_kept(generator, SHAPE, 0.5) for _ in range(2))
    assert not torch.equal(first, second)
    fixed = fixed_kept(Streams(0), "name", SHAPE, 0.5)
    assert torch.equal(fixed, fixed_kept(Streams(0), "name", SHAPE, 0.5))
    for other in (Streams(1), "name"), (Streams(0, 1), "name"), (Streams(0), "another"):
        assert not torch.equal(fixed, fixed_kept(*other, SHAPE, 0.5))
