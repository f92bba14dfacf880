"""Named random streams from one seed; the global generators are never used."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from slad.core.errors import ConfigError

if TYPE_CHECKING:
    import torch

RandomState = int | np.integer | np.random.RandomState | np.random.Generator | None


def draw_seed(random_state: RandomState) -> int:
    """The integer seed behind a scikit-learn style `random_state`.

    None draws from the operating system, not from numpy's global generator.
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, int | np.integer) and random_state >= 0:
        return int(random_state)
    raise ConfigError(
        f"{random_state=} is not a seed; use an integer from 0 up, None, "
        "or a numpy RandomState or Generator"
    )


class Streams:
    """Independent random streams, each a function of seed, member and name alone."""

    def __init__(self, seed: int, member: int = 0) -> None:
        self.seed = seed
        self.member = member

    def key(self, name: str) -> int:
        """128 bits that identify the stream, the same on every platform and numpy version."""
        sequence = np.random.SeedSequence(
            self.seed, spawn_key=(self.member, zlib.crc32(name.encode()))
        )
        low, high = sequence.generate_state(2, np.uint64)
        return int(low) | int(high) << 64

    def numpy(self, name: str) -> np.random.Generator:
        return np.random.Generator(np.random.Philox(key=self.key(name)))

    def torch(self, name: str, device: torch.device | str = "cpu") -> torch.Generator:
        import torch  # here, because what draws numbers alone starts faster without it

        return torch.Generator(device).manual_seed(self.key(name) % 2**63)


def uniform(key: int, size: int, stream: int = 0) -> np.ndarray:
    """`size` float32 numbers in [-1, 1), from Philox's raw bits.

    `stream` selects one of many independent sequences of a key. The numbers are made from raw
    bits, which numpy guarantees never to change, and not by a Generator method, which may change:
    saved models draw their random maps again from here.
    """
    raw = np.random.Philox(key=key, counter=stream << 64).random_raw((size + 1) // 2)
    bits = raw.view(np.uint32)[:size]
    bits >>= np.uint32(8)
    values = bits.astype(np.float32)
    values *= np.float32(2.0**-23)
    values -= np.float32(1.0)
    return values
