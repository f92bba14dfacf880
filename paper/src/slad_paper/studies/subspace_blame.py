"""Losses of SLAD's subspaces turned into blame for features (the paper's future direction iii).

The Kullback-Leibler divergence of a group is a sum over its subspaces: y log(y / p) - y + p, none
of them below 0. A feature is blamed by the terms of the subspaces that hold it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import log_softmax, xlogy

from slad.core.errors import ConfigError
from slad.core.typing import Float
from slad.detectors import SLAD

RIDGE = 1.0
"""Keeps the regression defined where features are always together."""
CLIP = 10.0
"""Standard scores are cut off here, as SLAD does with its input."""

Terms = Callable[[SLAD, np.ndarray, np.ndarray], np.ndarray]
"""(detector, rows, usual rows) -> one number for each row and subspace."""
Turn = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(these, which subspace holds which feature) -> blame for each row and feature."""


def subspace_terms(
    detector: SLAD, rows: Float[np.ndarray, "n d"]
) -> Float[np.ndarray, "n subspaces"]:
    """What every subspace adds to the loss of its group; members side by side."""
    if detector.loss != "kl":
        raise ConfigError(f"loss={detector.loss!r} has no terms by subspace: fit with loss='kl'")
    targets = [scorer.target.cpu().numpy() for scorer in detector._scorers]
    y = np.concatenate([each.reshape(-1, detector.group_size) for each in targets])
    scales = np.asarray(detector.transform(rows), dtype=np.float64)
    log_p = log_softmax(scales.reshape(len(rows), *y.shape), axis=2)
    terms: np.ndarray = xlogy(y, y) - y * log_p - y + np.exp(log_p)
    return terms.reshape(len(rows), -1)


def membership(detector: SLAD) -> Float[np.ndarray, "subspaces d"]:
    """1 where a subspace holds a feature."""
    parts = []
    for scorer in detector._scorers:
        subspaces = scorer.maps.subspaces
        held = np.zeros((len(subspaces), subspaces.n_features))
        held[np.repeat(np.arange(len(subspaces)), subspaces.lengths), subspaces.features] = 1
        parts.append(held)
    return np.concatenate(parts)


def mean_with(terms: np.ndarray, held: np.ndarray) -> Float[np.ndarray, "n d"]:
    """The mean over the subspaces that hold a feature; 0 for one that none holds."""
    means: np.ndarray = terms @ (held / np.maximum(held.sum(axis=0), 1))
    return means


def contrast(terms: np.ndarray, held: np.ndarray) -> Float[np.ndarray, "n d"]:
    """The mean over the subspaces that hold a feature, less that over the others."""
    difference: np.ndarray = mean_with(terms, held) - mean_with(terms, 1 - held)
    return difference


def regression(terms: np.ndarray, held: np.ndarray) -> Float[np.ndarray, "n d"]:
    """What each feature adds where several are held: least squares with a ridge."""
    centred = held - held.mean(axis=0)
    inverse = np.linalg.inv(centred.T @ centred + RIDGE * np.eye(held.shape[1]))
    coefficients: np.ndarray = (terms - terms.mean(axis=1, keepdims=True)) @ centred @ inverse
    return coefficients


def calibrated(terms: Terms) -> Terms:
    """Terms in units of their usual spread, above or below what is usual."""

    def made(detector: SLAD, rows: np.ndarray, usual: np.ndarray) -> np.ndarray:
        known = terms(detector, usual, usual)
        mean, spread = known.mean(axis=0), known.std(axis=0)
        scale = np.where(spread > 1e-12 * np.abs(mean), spread, np.inf)  # constant but for rounding
        clipped: np.ndarray = np.clip((terms(detector, rows, usual) - mean) / scale, -CLIP, CLIP)
        return clipped

    return made


def _losses(detector: SLAD, rows: np.ndarray, usual: np.ndarray) -> np.ndarray:
    return subspace_terms(detector, rows)


def _scales(detector: SLAD, rows: np.ndarray, usual: np.ndarray) -> np.ndarray:
    return np.asarray(detector.transform(rows), dtype=np.float64)


def _deviations(detector: SLAD, rows: np.ndarray, usual: np.ndarray) -> np.ndarray:
    """How far each predicted scale is from its usual value, whichever way.

    A loss compares the subspaces of a group with each other, so one that is misjudged moves the
    terms of all; a scale is a matter of its subspace alone.
    """
    return np.abs(calibrated(_scales)(detector, rows, usual))


TURNS: dict[str, tuple[Terms, Turn]] = {
    "mean loss": (_losses, mean_with),
    "loss contrast": (_losses, contrast),
    "loss contrast, calibrated": (calibrated(_losses), contrast),
    "loss regression, calibrated": (calibrated(_losses), regression),
    "scale contrast": (_deviations, contrast),
    "scale regression": (_deviations, regression),
}
"""name: (one number a subspace, how these become blame of features)."""


def subspace_blame(
    name: str,
    detector: SLAD,
    rows: Float[np.ndarray, "n d"],
    usual: Float[np.ndarray, "m d"],
) -> Float[np.ndarray, "n d"]:
    """Blame of one of the `TURNS`; `usual` rows say what is usual in a subspace."""
    terms, turn = TURNS[name]
    return turn(terms(detector, rows, usual), membership(detector))
