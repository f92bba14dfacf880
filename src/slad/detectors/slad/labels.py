"""Step 3: G labels every subspace with its scale: how much weighted detail went in."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from slad.core.typing import Float
from slad.detectors.slad.subspaces import Subspaces


def feature_weights(
    blocks: Iterable[Float[np.ndarray, "n d"]],
    n_features: int,
    *,
    threshold: int = 50,
    rescale: bool = False,
) -> Float[np.ndarray, " d"]:
    """Mean absolute correlation of each feature with all (the paper's omega).

    All ones when there are `threshold` features or more (delta), and when no feature varies. An
    undefined correlation, that of a constant column, counts as 0. The released code rescales the
    weights to [0, 1] afterwards, unless all are equal.
    """
    if n_features >= threshold:
        return np.ones(n_features)
    return weights_of(*_moments(blocks, n_features), rescale=rescale)


def weights_of(
    center: Float[np.ndarray, " d"], covariance: Float[np.ndarray, "d d"], *, rescale: bool = False
) -> Float[np.ndarray, " d"]:
    """Feature weights from means and covariances; `center` sets the size of rounding errors."""
    weights = np.abs(_correlations(center, covariance)).mean(axis=1)
    if rescale and np.ptp(weights) > 1e-12:
        weights = (weights - weights.min()) / np.ptp(weights)
    return weights if weights.any() else np.ones(len(weights))


def scale_labels(
    subspaces: Subspaces,
    weights: Float[np.ndarray, " d"],
    *,
    representation_dim: int,
    magnification: float,
) -> Float[np.ndarray, "r c"]:
    """gamma * (sum of omega over S) / h for every subspace (Equation 2)."""
    ends = np.cumsum(subspaces.lengths)
    detail = np.add.reduceat(weights[subspaces.features], ends - subspaces.lengths)
    labels = magnification * detail / representation_dim
    return labels.reshape(subspaces.n_groups, subspaces.group_size)


def length_classes(subspaces: Subspaces) -> Float[np.ndarray, "r c"]:
    """The class of each subspace: the index of its length among the lengths that occur."""
    numbers = np.unique(subspaces.lengths, return_inverse=True)[1]
    return numbers.reshape(subspaces.n_groups, subspaces.group_size).astype(np.float64)


def _moments(blocks: Iterable[np.ndarray], n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Approximate means, and covariances, in one pass over blocks of rows."""
    rows, shift = 0, np.zeros(n_features)
    total, products = np.zeros(n_features), np.zeros((n_features, n_features))
    for block in blocks:
        values = np.asarray(block, dtype=np.float64)
        if rows == 0:
            shift = values.mean(axis=0)
        values = values - shift
        rows += len(values)
        total += values.sum(axis=0)
        products += values.T @ values
    mean = total / rows
    return shift, products / rows - np.outer(mean, mean)


def _correlations(center: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Pearson correlations; 0 where undefined."""
    deviation = np.sqrt(np.clip(np.diag(covariance), 0, None))
    deviation[deviation <= 1e-13 * np.abs(center)] = 0  # a constant column, except for rounding
    inverse = np.divide(1.0, deviation, out=np.zeros_like(deviation), where=deviation > 0)
    correlations: np.ndarray = covariance * np.outer(inverse, inverse)
    return correlations.clip(-1, 1)
