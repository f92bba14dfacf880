"""The registry of detectors: by name for users, by class for saved models."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any

from slad.core import former
from slad.core.artifact import read_artifact
from slad.core.errors import ArtifactError, ConfigError
from slad.core.names import unknown
from slad.detectors.autoencoder import Autoencoder
from slad.detectors.base import Capability, Detector
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
from slad.detectors.learned_signals import LearnedSignals
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
    "learned-signals": (LearnedSignals, {}),
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
AUTO = "learned-signals"
"""The detector of "auto", the best of all on 867 one-class tables (docs/accuracy.md)."""
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
    'LearnedSignals'
    """
    check_parameters(name, parameters)
    construct, fixed, preset = _recipe(name)
    return construct(**fixed, **(preset | parameters))


def check_parameters(name: str, parameters: Iterable[str]) -> None:
    """Raise ConfigError for parameters that `make` would refuse. Builds no detector."""
    construct, fixed, _ = _recipe(name)
    known = parameter_names(name)
    for parameter in parameters:
        if parameter not in known:
            raise ConfigError(
                f"{name} has no parameter {parameter!r}; its parameters: {', '.join(sorted(known))}"
            )
        if parameter in fixed:
            raise ConfigError(
                f"{name} fixes {parameter}={fixed[parameter]!r}; use the class "
                f"{_class_of_recipe(construct).__name__} for another value"
            )


def parameter_names(name: str) -> list[str]:
    """The constructor parameters of a detector.

    >>> parameter_names("ecod")
    ['contamination']
    """
    return list(signature(_class_of_recipe(_recipe(name)[0])).parameters)


def _recipe(name: str) -> tuple[Callable[..., Detector], dict[str, Any], dict[str, Any]]:
    """(constructor, parameters that the name fixes, parameters that it presets)."""
    today, preset = former.RECIPES.get(resolved(name), (resolved(name), {}))
    if today not in RECIPES:
        raise unknown("detector", name, RECIPES)
    return *RECIPES[today], preset


def _class_of_recipe(construct: Callable[..., Detector]) -> type[Detector]:
    """The class itself, or the one whose class method a recipe is."""
    owner: Any = construct
    found: type[Detector] = getattr(owner, "__self__", owner)
    return found


def names_with(capability: Capability) -> list[str]:
    """The names of the detectors that have a capability."""
    return [
        name
        for name, (construct, _) in RECIPES.items()
        if capability in _class_of_recipe(construct).capabilities
    ]


def require(
    capability: Capability, detector: Detector, name: str | None = None, *, otherwise: str = ""
) -> None:
    """ConfigError where a detector lacks a capability; it names those that have it.

    `otherwise` is another way out, which ends the sentence.
    """
    if capability in detector.capabilities:
        return
    *others, last = names_with(capability)
    able = f"{', '.join(others)} or {last}" if others else last
    raise ConfigError(
        f"{resolved(name) if name else type(detector).__name__} cannot {capability}: use {able}"
        + (f", or {otherwise}" if otherwise else "")
    )


def is_deterministic(name: str) -> bool:
    """Whether this detector draws nothing at random, so that all fits on a table are equal."""
    return "random_state" not in parameter_names(name)


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
