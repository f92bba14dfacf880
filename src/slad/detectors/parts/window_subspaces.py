"""Subspaces of the windows of a series: subsets of lags by channels (step 1 of SLAD).

A window of W time points and C channels is a row of W * C cells; cell `lag * C + channel` is that
channel, `lag` points after the first. Random subsets of cells have about as many cells of every
channel and lag, so all subspaces look alike and differ only in density. A subspace here is a part
of a series: some channels at some lags, a few sensors over a time span.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from slad.core.typing import Int
from slad.detectors.slad.subspaces import Subspaces


def sample_window_subspaces(
    way: str,
    window: int,
    n_channels: int,
    *,
    n_groups: int,
    group_size: int,
    rng: np.random.Generator,
) -> Subspaces:
    """Draw how many channels (1 to C) and how many lags (1 to W) a subspace has, then which ones.

    "lags" draws any lags, "spans" draws consecutive lags.
    """
    draw_lags = WAYS[way]
    subsets = []
    for _ in range(n_groups * group_size):
        channels = _some(n_channels, rng)
        subsets.append((draw_lags(window, rng)[:, None] * n_channels + channels).ravel())
    return Subspaces(
        features=np.concatenate(subsets).astype(np.int32),
        lengths=np.array([len(subset) for subset in subsets], dtype=np.int32),
        n_features=window * n_channels,
        group_size=group_size,
    )


def _some(count: int, rng: np.random.Generator) -> Int[np.ndarray, " chosen"]:
    """A subset of 0 .. count - 1, of a size drawn uniformly from 1 up."""
    return rng.choice(count, rng.integers(1, count + 1), replace=False)


def _span(count: int, rng: np.random.Generator) -> Int[np.ndarray, " chosen"]:
    """Consecutive numbers among 0 .. count - 1, as many as `_some` draws."""
    length = rng.integers(1, count + 1)
    return rng.integers(0, count - length + 1) + np.arange(length)


WAYS: dict[str, Callable[[int, np.random.Generator], np.ndarray]] = {
    "lags": _some,
    "spans": _span,
}
"""Ways to draw the lags of a subspace."""
