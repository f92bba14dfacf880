"""The registry of detectors: by name for users, by class for saved models."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from slad import detectors
from slad.core import former
from slad.core.artifact import read_artifact
from slad.core.errors import ArtifactError, ConfigError
from slad.core.names import unknown

if TYPE_CHECKING:
    from slad.detectors.base import Capability, Detector

    DETECTORS: dict[str, type[Detector]]


class Recipe(NamedTuple):
    """How a detector is made. Its class is named, and imported when it is first needed."""

    class_name: str
    """A public name of `slad.detectors`."""
    fixed: Mapping[str, Any] = MappingProxyType({})
    """The parameters that the name of the recipe fixes."""
    method: str | None = None
    """The class method that makes it; None: the class itself."""

    @property
    def detector_class(self) -> type[Detector]:
        return _class(self.class_name)

    def make(self, parameters: Mapping[str, Any]) -> Detector:
        construct: Callable[..., Detector] = self.detector_class
        if self.method is not None:
            construct = getattr(construct, self.method)
        return construct(**self.fixed, **parameters)


RECIPES: dict[str, Recipe] = {
    "slad": Recipe("SLAD"),
    "slad-released": Recipe("SLAD", method="released"),
    "slad-paper": Recipe("SLAD", method="paper"),
    "learned-signals": Recipe("LearnedSignals"),
    "neighbor-scale": Recipe("NeighborScale"),
    "icl": Recipe("ICL", {"variant": "authors"}),
    "icl-deepod": Recipe("ICL", {"variant": "deepod"}),
    "dsvdd": Recipe("DeepSVDD", {"objective": "one_class"}),
    "dsvdd-soft": Recipe("DeepSVDD", {"objective": "soft_boundary"}),
    "neutral": Recipe("NeuTraL"),
    "goad": Recipe("GOAD"),
    "rca": Recipe("RCA"),
    "so-gaal": Recipe("GAAL", {"n_generators": 1}),
    "mo-gaal": Recipe("GAAL", {"n_generators": 10}),
    "iforest": Recipe("IsolationForest"),
    "dif": Recipe("DeepIsolationForest"),
    "ae": Recipe("Autoencoder"),
    "knn-1": Recipe("KNN", {"n_neighbors": 1}),
    "knn-5": Recipe("KNN", {"n_neighbors": 5}),
    "dte-np": Recipe("DTENonParametric"),
    "dte-c": Recipe("DTECategorical"),
    "lof": Recipe("LOF"),
    "ocsvm": Recipe("OneClassSVM"),
    "ecod": Recipe("ECOD"),
    "copod": Recipe("COPOD"),
    "pca": Recipe("PCA"),
    "mahalanobis": Recipe("PCA", {"major": 1.0, "shrinkage": "ledoit_wolf"}),
}
AUTO = "learned-signals"
"""The detector of "auto", the best of all on 867 one-class tables (docs/accuracy.md)."""
AUTO_SHARED = "slad"
"""The detector of "auto" for several processes: they can train only the paper's method together."""

OF_SERIES = ("SLADSeries", "SeriesDetector")
"""The classes of detectors of time series. They are not in `RECIPES`, because rows of a series are
not independent."""


def __getattr__(name: str) -> Any:
    """`DETECTORS`: class name in a saved model: class. It imports all of them."""
    if name == "DETECTORS":
        return {each: _class(each) for each in _class_names()}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    recipe, preset = _recipe(name)
    return recipe.make(preset | parameters)


def check_parameters(name: str, parameters: Iterable[str]) -> None:
    """Raise ConfigError for parameters that `make` would refuse. Builds no detector."""
    recipe, _ = _recipe(name)
    known = parameter_names(name)
    for parameter in parameters:
        if parameter not in known:
            raise ConfigError(
                f"{name} has no parameter {parameter!r}; its parameters: {', '.join(sorted(known))}"
            )
        if parameter in recipe.fixed:
            raise ConfigError(
                f"{name} fixes {parameter}={recipe.fixed[parameter]!r}; use the class "
                f"{recipe.class_name} for another value"
            )


def parameter_names(name: str) -> list[str]:
    """The constructor parameters of a detector.

    >>> parameter_names("ecod")
    ['contamination']
    """
    return list(signature(_recipe(name)[0].detector_class).parameters)


def _recipe(name: str) -> tuple[Recipe, dict[str, Any]]:
    """The recipe, and the parameters that a former name presets."""
    today, preset = former.RECIPES.get(resolved(name), (resolved(name), {}))
    if today not in RECIPES:
        raise unknown("detector", name, RECIPES)
    return RECIPES[today], preset


def _class(name: str) -> type[Detector]:
    found: type[Detector] = getattr(detectors, name)
    return found


def _class_names() -> list[str]:
    """The classes of all recipes, each once."""
    return list(dict.fromkeys(recipe.class_name for recipe in RECIPES.values()))


def names_with(capability: Capability) -> list[str]:
    """The names of the detectors that have a capability."""
    return [
        name for name, recipe in RECIPES.items() if capability in recipe.detector_class.capabilities
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
    known = [*_class_names(), *OF_SERIES]
    if name not in known:
        raise ArtifactError(
            f"{where} holds an unknown detector, {name!r}; known: {', '.join(known)}"
        )
    return _class(name)
