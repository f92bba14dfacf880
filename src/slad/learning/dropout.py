"""Dropout with masks made beforehand: what a unit's output is multiplied by."""

from __future__ import annotations

from math import prod

import torch
from torch import Tensor

from slad.core.seeds import Streams, uniform


def draw_kept(generator: torch.Generator, shape: tuple[int, ...], dropout: float) -> Tensor:
    """0 at the share `dropout` of the places, by chance; elsewhere what keeps the mean."""
    # As few random bits as do: they are most of the cost of a small network's dropout.
    bits, kind = (8, torch.int8) if 2**8 * dropout % 1 == 0 else (16, torch.int16)
    count = prod(shape)
    words = torch.empty(-(-count * bits // 64), dtype=torch.int64, device=generator.device)
    drawn = words.random_(-(2**63), None, generator=generator).view(kind)[:count].view(shape)
    return drawn.float().ge_(2**bits * (dropout - 0.5)).mul_(1 / (1 - dropout))


def fixed_kept(streams: Streams, name: str, shape: tuple[int, ...], dropout: float) -> Tensor:
    """The same, decided for good by this member's seed and the name."""
    draws = torch.from_numpy(uniform(streams.key("kept " + name), prod(shape))).view(shape)
    return draws.ge(2 * dropout - 1).float().mul_(1 / (1 - dropout))
