"""Faults planted in the part of a series that trains: what can be chosen without a test label."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from slad.core.typing import Float, Int

LENGTHS = (5, 31)
"""Time points of a fault: from the first, to below the second."""
SPACING = 60
"""A fault for every so many points at most, ..."""
MOST = 12
"""... and never more of them."""

Fault = Callable[[np.ndarray, np.ndarray, np.ndarray, np.random.Generator], np.ndarray]


def stuck(
    cells: np.ndarray, head: np.ndarray, at: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Channels keep the value they had."""
    return np.repeat(cells[:1], len(cells), axis=0)


def elsewhere(
    cells: np.ndarray, head: np.ndarray, at: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Channels have the values of another time, usual by themselves."""
    start = rng.integers(0, len(head) - len(cells) + 1)
    return head[start : start + len(cells), at]


def level(
    cells: np.ndarray, head: np.ndarray, at: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Channels move up or down by one to three deviations."""
    moved: np.ndarray = cells + head[:, at].std(axis=0) * rng.uniform(1, 3) * rng.choice([-1, 1])
    return moved


def noise(
    cells: np.ndarray, head: np.ndarray, at: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Channels are noisier by one deviation."""
    noisy: np.ndarray = cells + head[:, at].std(axis=0) * rng.normal(size=cells.shape)
    return noisy


FAULTS: dict[str, Fault] = {
    "stuck": stuck,
    "elsewhere": elsewhere,
    "level": level,
    "noise": noise,
}


def planted(
    kind: str,
    tail: Float[np.ndarray, "t channels"],
    head: Float[np.ndarray, "n channels"],
    rng: np.random.Generator,
) -> tuple[Float[np.ndarray, "t channels"], Int[np.ndarray, " t"]]:
    """A copy of the tail with faults of one kind, each in some of its channels, and their labels.

    Channels that never move in the head have no faults: none could be in keeping with them.
    """
    spoilt, labels = tail.copy(), np.zeros(len(tail), dtype=int)
    alive = np.flatnonzero(head.std(axis=0) > 0)
    slots = np.linspace(0, len(tail), min(MOST, max(1, len(tail) // SPACING)) + 1).astype(int)
    for first, end in pairwise(slots):
        length = int(rng.integers(*LENGTHS))
        start = int(rng.integers(first, end - length + 1))
        at = rng.choice(alive, rng.integers(1, max(1, len(alive) // 2) + 1), replace=False)
        place = slice(start, start + length)
        spoilt[place, at] = FAULTS[kind](spoilt[place, at], head, at, rng)
        labels[place] = 1
    return spoilt, labels
