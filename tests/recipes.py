"""Small models and tables the tests share: every recipe, cut down to run in milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
import pytest

from slad import SLAD
from slad.detectors import DETECTORS, Detector, registry
from slad.detectors.parts.novelty_detector import NoveltyDetector
from slad.detectors.stacking import StackDetector

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
SMALL_OTHERS = {
    "n_estimators": 20,
    "max_samples": 64,
    "n_neighbors": 4,
    "max_rows": 90,
    "n_views": 100,
    "n_representations": 4,
    "second_hidden_dim": 8,
    "n_generators": 3,
    "n_transformations": 8,
    "transformation_dim": 8,
    "transformation_hidden_dim": 8,
}


def _small(cls: type[Detector]) -> Callable[..., Detector]:
    known = signature(cls).parameters
    wanted = SMALL | SMALL_OTHERS
    return partial(cls, **{name: value for name, value in wanted.items() if name in known})


MODELS: dict[str, Callable[..., Detector]] = {name: _small(cls) for name, cls in DETECTORS.items()}
MODELS |= {
    "LearnedSignals": partial(MODELS["LearnedSignals"], max_rows=500),
    "NeighborScale": partial(MODELS["NeighborScale"], max_rows=500),
    "SLAD.released": partial(SLAD.released, **SMALL),
    "SLAD.paper": partial(SLAD.paper, **SMALL),
    "SLAD zero_padding": partial(SLAD, maps="zero_padding", **SMALL),
    "SLAD random_mlp": partial(SLAD, maps="random_mlp", **SMALL),
    "SLAD cross_entropy": partial(SLAD, loss="cross_entropy", **SMALL),
    "ICL": partial(MODELS["ICL"], n_members=2),
    "ICL deepod": partial(MODELS["ICL"], n_members=2, variant="deepod"),
    "KNN mean": partial(MODELS["KNN"], aggregation="mean"),
    "GAAL single": partial(MODELS["GAAL"], n_generators=1),
    "PCA mahalanobis": partial(MODELS["PCA"], major=1.0, shrinkage="ledoit_wolf"),
}


def small_recipe(name: str, **settings: Any) -> Detector:
    """A registered detector, cut down like `MODELS`, with those of the settings that it has."""
    wanted = SMALL | SMALL_OTHERS | settings
    known = registry.make(name).get_params(deep=False).keys() - registry.RECIPES[name].fixed.keys()
    return registry.make(name, **{key: value for key, value in wanted.items() if key in known})


def make(model: str, **settings: Any) -> Detector:
    """A small model with those of the settings that it has, say fewer epochs."""
    known = MODELS[model]().get_params()
    return MODELS[model](**{name: value for name, value in settings.items() if name in known})


def _over(chosen: Callable[[Detector], bool]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("model", [m for m, new in MODELS.items() if chosen(new())])


every_model = _over(lambda detector: True)
trained_models = _over(lambda detector: isinstance(detector, StackDetector))
seeded_models = _over(lambda detector: "random_state" in detector.get_params())
models_of_neighbours = _over(lambda detector: isinstance(detector, NoveltyDetector))
models_of_neighbours_in_one_scaling = _over(
    lambda detector: {"n_neighbors", "scaling"} <= detector.get_params().keys()
)
other_models = _over(lambda detector: not isinstance(detector, NoveltyDetector))
every_slad = _over(lambda detector: isinstance(detector, SLAD))


def table(n: int, d: int, seed: int = 0) -> np.ndarray:
    """Correlated columns of different centre and spread."""
    rng = np.random.default_rng(seed)
    mixed = rng.normal(size=(n, d)) @ rng.normal(size=(d, d))
    return mixed * rng.uniform(0.1, 10, size=d) + rng.normal(size=d)


def standardised_table(n: int, d: int) -> np.ndarray:
    rows = table(n, d)
    return (rows - rows.mean(axis=0)) / rows.std(axis=0)


def with_anomalies(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training rows, test rows and the test rows' labels; anomalies break the correlations."""
    rows = table(2 * n, d, seed)
    rng = np.random.default_rng(seed + 1)
    odd = rng.permuted(rows[n:], axis=0)[: n // 4] * 1.5
    test = np.concatenate([rows[n:], odd])
    order = rng.permutation(len(test))
    return rows[:n], test[order], (order >= n).astype(int)
