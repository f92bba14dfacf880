"""The registry of detectors: by name for users, by class for saved models."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from slad.core import former
from slad.core.artifact import read_artifact
from slad.core.errors import ArtifactError, ConfigError
from slad.core.names import unknown
from slad.detectors.autoencoder import Autoencoder
from slad.detectors.base import Detector
from slad.detectors.copod import COPOD
from slad.detectors.deep_svdd import DeepSVDD
from slad.detectors.dif import DeepIsolationForest
from slad.detectors.dte import DTENonParametric
from slad.detectors.dte_categorical import DTECategorical
from slad.detectors.ecod import ECOD
from slad.detectors.gaal import GAAL
from slad.detectors.goad import GOAD
from slad.detectors.icl import ICL
from slad.detectors.iforest import IsolationForest
from slad.detectors.knn import KNN
from slad.detectors.lof import LOF
from slad.detectors.neighbor_scale import NeighborScale
from slad.detectors.neutral import NeuTraL
from slad.detectors.ocsvm import OneClassSVM
from slad.detectors.pca import PCA
from slad.detectors.rca import RCA
from slad.detectors.series import SeriesDetector
from slad.detectors.slad.estimator import SLAD
from slad.detectors.slad_series import SLADSeries

RECIPES: dict[str, tuple[Callable[..., Detector], dict[str, Any]]] = {
    "slad": (SLAD, {}),
    "slad-released": (SLAD.released, {}),
    "slad-paper": (SLAD.paper, {}),
    "neighbor-scale": (NeighborScale, {}),
    "icl": (ICL, {"variant": "authors"}),
    "icl-deepod": (ICL, {"variant": "deepod"}),
    "dsvdd": (DeepSVDD, {"objective": "one_class"}),
    "dsvdd-soft": (DeepSVDD, {"objective": "soft_boundary"}),
    "neutral": (NeuTraL, {}),
    "goad": (GOAD, {}),
    "rca": (RCA, {}),
    "so-gaal": (GAAL, {"n_generators": 1}),
    "mo-gaal": (GAAL, {"n_generators": 10}),
    "iforest": (IsolationForest, {}),
    "dif": (DeepIsolationForest, {}),
    "ae": (Autoencoder, {}),
    "knn-1": (KNN, {"n_neighbors": 1}),
    "knn-5": (KNN, {"n_neighbors": 5}),
    "dte-np": (DTENonParametric, {}),
    "dte-c": (DTECategorical, {}),
    "lof": (LOF, {}),
    "ocsvm": (OneClassSVM, {}),
    "ecod": (ECOD, {}),
    "copod": (COPOD, {}),
    "pca": (PCA, {}),
    "mahalanobis": (PCA, {"major": 1.0, "shrinkage": "ledoit_wolf"}),
}
"""Name: (constructor, the parameters that the name fixes)."""
AUTO = "neighbor-scale"
"""The detector of "auto", the best of all on the tuning suite (docs/accuracy.md)."""
AUTO_SHARED = "slad"
"""The detector of "auto" for several processes: they can train only the paper's method together."""

DETECTORS: dict[str, type[Detector]] = {
    cls.__name__: cls for cls in (type(make(**fixed)) for make, fixed in RECIPES.values())
}
"""Class name in a saved model: class."""
OF_SERIES: dict[str, type[Detector]] = {cls.__name__: cls for cls in (SLADSeries, SeriesDetector)}
"""Class name: class, of the detectors of time series. They are not in `RECIPES`, because rows of a
series are not independent."""


def names() -> list[str]:
    """The names that `make` knows."""
    return list(RECIPES)


def resolved(name: str) -> str:
    """The name itself, or the name that "auto" stands for."""
    return AUTO if name == "auto" else name


def make(name: str, **parameters: Any) -> Detector:
    """An unfitted detector by its name.

    >>> make("slad-released", epochs=10).epochs
    10
    >>> type(make("auto")).__name__
    'NeighborScale'
    """
    name = resolved(name)
    if name in former.RECIPES:
        today, made = former.RECIPES[name]
        return make(today, **(made | parameters))
    if name not in RECIPES:
        raise unknown("detector", name, RECIPES)
    construct, fixed = RECIPES[name]
    known = construct(**fixed).get_params(deep=False)
    for parameter in parameters:
        if parameter not in known:
            raise ConfigError(
                f"{name} has no parameter {parameter!r}; its parameters: {', '.join(sorted(known))}"
            )
        if parameter in fixed:
            raise ConfigError(
                f"{name} fixes {parameter}={fixed[parameter]!r}; use the class "
                f"{type(construct(**fixed)).__name__} for another value"
            )
    return construct(**fixed, **parameters)


def is_deterministic(name: str) -> bool:
    """Whether this detector draws nothing at random, so that all fits on a table are equal."""
    return "random_state" not in make(name).get_params(deep=False)


def load(path: str | os.PathLike[str], **overrides: Any) -> Detector:
    """The detector saved at `path`, of any class."""
    state, where = read_artifact(path), os.fspath(path)
    return class_of(state.values, where).from_state(state, where=where, **overrides)


def class_of(description: dict[str, Any], where: str) -> type[Detector]:
    """The class of a saved detector."""
    name = former.class_name(description.get("detector"), description.get("slad_version"))
    if name is None and "model" in description:
        raise ArtifactError(f"{where} holds a table model: load it with slad.TableDetector.load")
    known = DETECTORS | OF_SERIES
    if name not in known:
        raise ArtifactError(
            f"{where} holds an unknown detector, {name!r}; known: {', '.join(known)}"
        )
    return known[name]
