"""Anomalies planted among real rows, of the four kinds of ADBench (Han et al., 2022).

local: drawn from a mixture of Gaussians fitted to the rows, with a larger covariance;
cluster: drawn from one of its Gaussians, whose centre is moved away from the others';
dependency: each column drawn from the rows by itself, so that columns do not fit each other;
marginal: uniform over the range of each column.

Drawn values are rounded to the decimals that a column has, or they would be told by their digits.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from sklearn.mixture import GaussianMixture

from slad.core.errors import ConfigError
from slad.core.names import unknown

COMPONENTS = 3
LARGER = 2.0
"""Factor of the covariance of local anomalies. ADBench has 5, which any detector finds."""
MOVED = 2.0
"""How far from the mean of all rows the moved centre lies, as a multiple of where it was."""
SMALLEST = 1e-2
"""Added to the variances of standardised columns: codes and counts make singular Gaussians."""
MOST_DECIMALS = 5


def plant(kind: str, rows: np.ndarray, count: int, rng: Generator) -> np.ndarray:
    """`count` anomalies of a kind for these rows; only `dependency` takes rows with gaps."""
    if kind not in KINDS:
        raise unknown("kind of planted anomaly", kind, KINDS)
    if kind == "dependency":
        return _dependency(rows, count, rng)
    if np.isnan(rows).any():
        raise ConfigError(f"{kind} anomalies need rows without gaps")
    return _as_written(KINDS[kind](rows, count, rng), rows)


def _dependency(rows: np.ndarray, count: int, rng: Generator) -> np.ndarray:
    picked = rng.integers(len(rows), size=(count, rows.shape[1]))
    return np.take_along_axis(rows, picked, axis=0)


def _marginal(rows: np.ndarray, count: int, rng: Generator) -> np.ndarray:
    return rng.uniform(rows.min(axis=0), rows.max(axis=0), size=(count, rows.shape[1]))


def _local(rows: np.ndarray, count: int, rng: Generator) -> np.ndarray:
    mixture, centre, spread = _fitted(rows)
    which = rng.choice(COMPONENTS, size=count, p=mixture.weights_)
    drawn = mixture.means_[which] + np.sqrt(LARGER) * _noise(mixture, which, rng)
    local: np.ndarray = centre + spread * drawn
    return local


def _cluster(rows: np.ndarray, count: int, rng: Generator) -> np.ndarray:
    mixture, centre, spread = _fitted(rows)
    which = np.full(count, rng.integers(COMPONENTS))
    drawn = MOVED * mixture.means_[which] + _noise(mixture, which, rng)
    cluster: np.ndarray = centre + spread * drawn
    return cluster


def _fitted(rows: np.ndarray) -> tuple[GaussianMixture, np.ndarray, np.ndarray]:
    """A mixture of the standardised rows, with their means and deviations."""
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0
    mixture = GaussianMixture(COMPONENTS, reg_covar=SMALLEST, random_state=0, max_iter=300)
    return mixture.fit((rows - centre) / spread), centre, spread


def _noise(mixture: GaussianMixture, which: np.ndarray, rng: Generator) -> np.ndarray:
    factors = np.linalg.cholesky(mixture.covariances_)
    noise: np.ndarray = np.einsum(
        "nij,nj->ni", factors[which], rng.normal(size=(len(which), factors.shape[1]))
    )
    return noise


def _as_written(drawn: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Each column with as many decimals as the rows have in it."""
    written = drawn.copy()
    for at, column in enumerate(rows.T):
        decimals = next(
            (d for d in range(MOST_DECIMALS) if np.allclose(column, column.round(d), 0, 1e-9)),
            MOST_DECIMALS,
        )
        written[:, at] = drawn[:, at].round(decimals)
    return written


KINDS: dict[str, Callable[[np.ndarray, int, Generator], np.ndarray]] = {
    "local": _local,
    "cluster": _cluster,
    "dependency": _dependency,
    "marginal": _marginal,
}
