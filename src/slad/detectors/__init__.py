"""Detectors: one public file each, and one contract (`base`) for all.

They are fitted in one step (`direct`) or trained as members of a stack (`stacking`). `registry` has
their names, `slad` is the paper's method, `parts` holds what several share.
"""

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
from slad.detectors.registry import (
    AUTO,
    DETECTORS,
    check_parameters,
    class_of,
    is_deterministic,
    load,
    make,
    names,
    names_with,
    parameter_names,
    require,
    resolved,
)
from slad.detectors.series import SeriesDetector
from slad.detectors.slad.estimator import RELEASED_EPOCHS, SLAD
from slad.detectors.slad_series import SLADSeries
from slad.detectors.stacking import fit_many

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
