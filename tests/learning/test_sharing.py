"""The parts that processes take of a batch."""

from __future__ import annotations

import pytest
import torch

from slad.learning.sharing import ALONE, Share


@pytest.mark.parametrize("world", [1, 2, 3, 7])
@pytest.mark.parametrize("count", [0, 1, 6, 7, 100])
def test_the_parts_of_all_processes_sum_to_the_whole_and_differ_by_one_at_most(count, world):
    parts = []
    for rank in range(world):
        share = Share()
        share.rank, share.world = rank, world
        parts.append(share.part(count))
    assert sum(parts) == count
    assert max(parts) - min(parts) <= 1
    assert parts == sorted(parts, reverse=True)


def test_a_process_alone_takes_everything_and_changes_no_sum():
    assert ALONE.part(13) == 13
    losses = torch.arange(3.0)
    ALONE.total(losses)
    assert losses.tolist() == [0, 1, 2]
