"""A series of three channels that depend on each other, and a small detector of it."""

from __future__ import annotations

import numpy as np

from slad.detectors import SLAD, SLADSeries

SMALL = SLAD(n_groups=4, group_size=4, representation_dim=16, hidden_dim=16, epochs=3, device="cpu")


def waves(length: int = 240, shift: float = 0.0) -> np.ndarray:
    time = np.arange(length) / 5 + shift
    noise = np.random.default_rng(0).normal(scale=0.02, size=(length, 3))
    return np.stack([np.sin(time), np.cos(time), np.sin(2 * time)], axis=1) + noise


def small(**parameters) -> SLADSeries:
    return SLADSeries(**({"window": 6, "detector": SMALL, "random_state": 0} | parameters))
