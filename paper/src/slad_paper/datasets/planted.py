"""Tables with anomalies of one known kind, after the four kinds of ADBench (Han et al., 2022).

Normal rows come from a mixture of Gaussians with correlated features. The anomalies are

point: uniform over a box a little larger than that of the normal rows;
local: around the same centres, with a larger covariance;
dependency: each column distributed as in the normal rows, but independent of the others;
clustered: as tight as the normal rows, around centres farther out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64, Generator

from slad.core.names import unknown
from slad.core.typing import Float, Int

COMPONENTS = 3
SPREAD = 1.0
"""Standard deviation of the centres; that of a feature around its centre is 1."""
SHARED = 0.7
"""Share of a feature's variance that comes from two factors, common to all features."""
MARGIN = 0.1
"""How far the box of point anomalies goes beyond the normal rows, as a share of their range."""
FACTOR = 2.0
"""Of the covariance of local anomalies, and of the centres of clustered ones. ADBench has 5, which
the nearest neighbour finds without a miss."""


@dataclass(frozen=True)
class Mixture:
    """Gaussians of equal weight: centres, and factors whose product is the covariance."""

    centres: Float[np.ndarray, "k d"]
    factors: Float[np.ndarray, "k d d"]

    def draw(self, count: int, rng: Generator) -> Float[np.ndarray, "n d"]:
        which = rng.integers(len(self.centres), size=count)
        noise = rng.normal(size=(count, self.centres.shape[1]))
        around: np.ndarray = np.einsum("nij,nj->ni", self.factors[which], noise)
        around += self.centres[which]
        return around


def mixture(features: int, rng: Generator) -> Mixture:
    """Random centres and correlations; every feature has variance 1 around each centre."""
    loadings = rng.normal(size=(COMPONENTS, features, 2))
    loadings *= np.sqrt(SHARED / np.square(loadings).sum(axis=2, keepdims=True))
    covariance = loadings @ loadings.transpose(0, 2, 1) + (1 - SHARED) * np.eye(features)
    centres = rng.normal(scale=SPREAD, size=(COMPONENTS, features))
    return Mixture(centres, np.linalg.cholesky(covariance))


def planted(
    kind: str, rows: int, anomalies: int, features: int, *, seed: int
) -> tuple[Float[np.ndarray, "n d"], Int[np.ndarray, " n"]]:
    """Rows in random order, with label 1 for an anomaly of the given kind."""
    if kind not in KINDS:
        raise unknown("kind of planted anomaly", kind, KINDS)
    rng = Generator(PCG64(seed))
    source = mixture(features, rng)
    normal = source.draw(rows - anomalies, rng)
    odd = KINDS[kind](source, normal, anomalies, rng)
    order = rng.permutation(rows)
    return np.concatenate([normal, odd])[order], (order >= len(normal)).astype(np.int64)


Maker = Callable[[Mixture, np.ndarray, int, Generator], np.ndarray]


def _point(source: Mixture, normal: np.ndarray, count: int, rng: Generator) -> np.ndarray:
    low, high = normal.min(axis=0), normal.max(axis=0)
    margin = MARGIN * (high - low)
    return rng.uniform(low - margin, high + margin, size=(count, normal.shape[1]))


def _local(source: Mixture, normal: np.ndarray, count: int, rng: Generator) -> np.ndarray:
    return Mixture(source.centres, np.sqrt(FACTOR) * source.factors).draw(count, rng)


def _dependency(source: Mixture, normal: np.ndarray, count: int, rng: Generator) -> np.ndarray:
    return rng.permuted(source.draw(count, rng), axis=0)


def _clustered(source: Mixture, normal: np.ndarray, count: int, rng: Generator) -> np.ndarray:
    return Mixture(FACTOR * source.centres, source.factors).draw(count, rng)


KINDS: dict[str, Maker] = {
    "point": _point,
    "local": _local,
    "dependency": _dependency,
    "clustered": _clustered,
}
