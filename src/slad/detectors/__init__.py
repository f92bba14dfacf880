"""Detectors: one public file each, and one contract (`base`) for all.

They are fitted in one step (`direct`) or trained as members of a stack (`stacking`). `registry` has
their names, `slad` is the paper's method, `parts` holds what several share.

Names are imported on first use: a detector without networks starts without torch.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slad.detectors.autoencoder import Autoencoder as Autoencoder
    from slad.detectors.base import Capability as Capability
    from slad.detectors.base import Detector as Detector
    from slad.detectors.copod import COPOD as COPOD
    from slad.detectors.deep_svdd import DeepSVDD as DeepSVDD
    from slad.detectors.dif import DeepIsolationForest as DeepIsolationForest
    from slad.detectors.dte import DTENonParametric as DTENonParametric
    from slad.detectors.dte_categorical import DTECategorical as DTECategorical
    from slad.detectors.ecod import ECOD as ECOD
    from slad.detectors.gaal import GAAL as GAAL
    from slad.detectors.goad import GOAD as GOAD
    from slad.detectors.icl import ICL as ICL
    from slad.detectors.iforest import IsolationForest as IsolationForest
    from slad.detectors.knn import KNN as KNN
    from slad.detectors.learned_signals import LearnedSignals as LearnedSignals
    from slad.detectors.lof import LOF as LOF
    from slad.detectors.neighbor_scale import NeighborScale as NeighborScale
    from slad.detectors.neutral import NeuTraL as NeuTraL
    from slad.detectors.ocsvm import OneClassSVM as OneClassSVM
    from slad.detectors.pca import PCA as PCA
    from slad.detectors.rca import RCA as RCA
    from slad.detectors.registry import AUTO as AUTO
    from slad.detectors.registry import DETECTORS as DETECTORS
    from slad.detectors.registry import check_parameters as check_parameters
    from slad.detectors.registry import class_of as class_of
    from slad.detectors.registry import is_deterministic as is_deterministic
    from slad.detectors.registry import load as load
    from slad.detectors.registry import make as make
    from slad.detectors.registry import names as names
    from slad.detectors.registry import names_with as names_with
    from slad.detectors.registry import parameter_names as parameter_names
    from slad.detectors.registry import require as require
    from slad.detectors.registry import resolved as resolved
    from slad.detectors.series import SeriesDetector as SeriesDetector
    from slad.detectors.slad.estimator import RELEASED_EPOCHS as RELEASED_EPOCHS
    from slad.detectors.slad.estimator import SLAD as SLAD
    from slad.detectors.slad_series import SLADSeries as SLADSeries
    from slad.detectors.stacking import fit_many as fit_many

_MODULES = {
    "AUTO": "registry",
    "COPOD": "copod",
    "DETECTORS": "registry",
    "ECOD": "ecod",
    "GAAL": "gaal",
    "GOAD": "goad",
    "ICL": "icl",
    "KNN": "knn",
    "LOF": "lof",
    "PCA": "pca",
    "RCA": "rca",
    "RELEASED_EPOCHS": "slad.estimator",
    "SLAD": "slad.estimator",
    "Autoencoder": "autoencoder",
    "Capability": "base",
    "DTECategorical": "dte_categorical",
    "DTENonParametric": "dte",
    "DeepIsolationForest": "dif",
    "DeepSVDD": "deep_svdd",
    "Detector": "base",
    "IsolationForest": "iforest",
    "LearnedSignals": "learned_signals",
    "NeighborScale": "neighbor_scale",
    "NeuTraL": "neutral",
    "OneClassSVM": "ocsvm",
    "SLADSeries": "slad_series",
    "SeriesDetector": "series",
    "check_parameters": "registry",
    "class_of": "registry",
    "fit_many": "stacking",
    "is_deterministic": "registry",
    "load": "registry",
    "make": "registry",
    "names": "registry",
    "names_with": "registry",
    "parameter_names": "registry",
    "require": "registry",
    "resolved": "registry",
}

__all__ = [
    "AUTO",
    "COPOD",
    "DETECTORS",
    "ECOD",
    "GAAL",
    "GOAD",
    "ICL",
    "KNN",
    "LOF",
    "PCA",
    "RCA",
    "RELEASED_EPOCHS",
    "SLAD",
    "Autoencoder",
    "Capability",
    "DTECategorical",
    "DTENonParametric",
    "DeepIsolationForest",
    "DeepSVDD",
    "Detector",
    "IsolationForest",
    "LearnedSignals",
    "NeighborScale",
    "NeuTraL",
    "OneClassSVM",
    "SLADSeries",
    "SeriesDetector",
    "check_parameters",
    "class_of",
    "fit_many",
    "is_deterministic",
    "load",
    "make",
    "names",
    "names_with",
    "parameter_names",
    "require",
    "resolved",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"slad.detectors.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'slad.detectors' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
