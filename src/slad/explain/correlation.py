"""`correlated_blocks`: columns that move together, which are also replaced together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from slad.core.typing import Float
from slad.explain.occluding import Block, feature_indices

STRONG = 0.8
"""Absolute correlation of features from which columns belong together."""
MOST = 2000
"""Of more blocks none are grouped: the time and memory of it grow with their square."""


def correlated_blocks(
    reference: Float[np.ndarray, "m d"], blocks: Sequence[Block], *, least: float = STRONG
) -> list[tuple[int, ...]]:
    """Groups of two or more blocks, every two of which correlate by at least `least`.

    The correlation of two blocks is the strongest one between their features.
    """
    features = [feature_indices(block) for block in blocks]
    if not 2 <= len(features) <= MOST or len(reference) < 3:
        return []
    apart = 1 - block_correlations(reference, features)
    np.fill_diagonal(apart, 0.0)
    # Complete linkage: a chain of neighbouring sensors does not become one group.
    tree = linkage(squareform(apart, checks=False), method="complete")
    labels = fcluster(tree, t=1 - least, criterion="distance")
    groups = [tuple(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)]
    return sorted(group for group in groups if len(group) > 1)


def block_correlations(
    reference: Float[np.ndarray, "m d"], features: Sequence[np.ndarray]
) -> Float[np.ndarray, "blocks blocks"]:
    """The strongest absolute correlation between the features of every two blocks."""
    centered = reference - reference.mean(axis=0)
    spread = np.sqrt(np.square(centered).sum(axis=0))
    size = np.abs(reference).max(axis=0) * len(reference) ** 0.5
    varies = spread > 1e-12 * size  # not constant but for rounding
    unit = np.where(varies, centered, 0.0) / np.where(varies, spread, 1.0)
    strength = np.abs(unit.T @ unit).clip(0.0, 1.0)
    order = np.concatenate(features)
    starts = np.cumsum([0, *(len(mine) for mine in features[:-1])])
    by_block = np.maximum.reduceat(strength[np.ix_(order, order)], starts, axis=0)
    return np.maximum.reduceat(by_block, starts, axis=1)
