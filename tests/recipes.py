"""Small models and tables the tests share: every recipe, cut down to run in milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature

import numpy as np

from slad import SLAD
from slad.detectors import DETECTORS, Detector

SMALL = {
    "n_groups": 4,
    "group_size": 4,
    "representation_dim": 16,
    "hidden_dim": 12,
    "epochs": 3,
    "learning_rate": 1e-2,
    "device": "cpu",
    "random_state": 0,
}


def _small(cls: type[Detector]) -> Callable[..., Detector]:
    known = signature(cls).parameters
    return partial(cls, **{name: value for name, value in SMALL.items() if name in known})


MODELS: dict[str, Callable[..., Detector]] = {name: _small(cls) for name, cls in DETECTORS.items()}
MODELS |= {
    "SLAD.released": partial(SLAD.released, **SMALL),
    "SLAD.paper": partial(SLAD.paper, **SMALL),
    "SLAD zero_padding": partial(SLAD, maps="zero_padding", **SMALL),
    "SLAD random_mlp": partial(SLAD, maps="random_mlp", **SMALL),
}


def table(n: int, d: int, seed: int = 0) -> np.ndarray:
    """Correlated columns of different centre and spread."""
    rng = np.random.default_rng(seed)
    mixed = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
    return mixed * rng.uniform(0.1, 10, size=d) + rng.normal(size=d)


def with_anomalies(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training rows, test rows and the test rows' labels; anomalies break the correlations."""
    rows = table(2 * n, d, seed)
    rng = np.random.default_rng(seed + 1)
    odd = rng.permuted(rows[n:], axis=0)[: n // 4] * 1.5
    test = np.concatenate([rows[n:], odd])
    order = rng.permutation(len(test))
    return rows[:n], test[order], (order >= n).astype(int)
