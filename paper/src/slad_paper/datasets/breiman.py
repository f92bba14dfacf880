"""Breiman's waveforms (Classification and Regression Trees, 1984): three classes, 21 features."""

from __future__ import annotations

import numpy as np
from numpy.random import PCG64, Generator

from slad.core.typing import Float, Int

FEATURES = 21
PEAKS = (7, 15, 11)
"""Where the three base waves peak, counted from 1; each rises and falls by 1 a step to 6."""
CLASSES = ((0, 1), (0, 2), (1, 2))
"""The two base waves that each class mixes."""


def base_waves() -> Float[np.ndarray, "3 21"]:
    """The waves h1, h2, h3: max(6 - |i - peak|, 0)."""
    places = np.arange(1, FEATURES + 1)
    waves: np.ndarray = np.maximum(6.0 - np.abs(places - np.array(PEAKS)[:, None]), 0.0)
    return waves


def waveforms(
    rows: int, anomalies: int, *, seed: int
) -> tuple[Float[np.ndarray, "n 21"], Int[np.ndarray, " n"]]:
    """A row is u h + (1 - u) h' plus standard normal noise, with u uniform in 0 to 1.

    Anomalies are of the first class, the others of the second or third at even odds; in random
    order, with label 1 for an anomaly.
    """
    rng = Generator(PCG64(seed))
    y = rng.permutation(np.arange(rows) < anomalies).astype(np.int64)
    kinds = np.where(y == 1, 0, rng.integers(1, 3, size=rows))
    first, second = base_waves()[np.array(CLASSES)[kinds].T]
    share = rng.uniform(size=(rows, 1))
    return share * first + (1 - share) * second + rng.normal(size=(rows, FEATURES)), y
