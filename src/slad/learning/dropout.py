"""Masks for dropout: the factors that outputs of units are multiplied by."""

from __future__ import annotations

from math import prod

import torch
from torch import Tensor

from slad.core.seeds import Streams, uniform


def draw_kept(generator: torch.Generator, shape: tuple[int, ...], dropout: float) -> Tensor:
    """A random mask: 0 with probability `dropout`, else the factor that keeps the mean."""
    # Drawing random bits is most of the cost of dropout in small networks, so few are drawn.
    bits, kind = (8, torch.int8) if 2**8 * dropout % 1 == 0 else (16, torch.int16)
    count = prod(shape)
    words = torch.empty(-(-count * bits // 64), dtype=torch.int64, device=generator.device)
    drawn = words.random_(-(2**63), None, generator=generator).view(kind)[:count].view(shape)
    return drawn.float().ge_(2**bits * (dropout - 0.5)).mul_(1 / (1 - dropout))


def fixed_kept(streams: Streams, name: str, shape: tuple[int, ...], dropout: float) -> Tensor:
    """A mask that the seed of the member and the name determine."""
    draws = torch.from_numpy(uniform(streams.key("kept " + name), prod(shape))).view(shape)
    return draws.ge(2 * dropout - 1).float().mul_(1 / (1 - dropout))
