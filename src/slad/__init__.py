"""slad: fast, honest anomaly detection for tables.

The paper's letters and where they live (Xu et al., ICML 2023):

| paper   | here                  | where                          |
|---------|-----------------------|--------------------------------|
| r       | n_groups              | SLAD                           |
| c       | group_size            | SLAD                           |
| h       | representation_dim    | SLAD                           |
| gamma   | magnification         | SLAD                           |
| delta   | weighting_threshold   | SLAD                           |
| omega   | feature_weights       | detectors.slad.labels          |
| S       | Subspaces             | detectors.slad.subspaces       |
| T       | AffineMaps            | detectors.slad.transform       |
| G       | scale_labels          | detectors.slad.labels          |
| Phi     | ScaleNetwork          | detectors.slad.network         |
| ell     | JensenShannon         | detectors.slad.loss            |
| tau     | anomaly_score         | SLAD                           |
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from slad.core import former
from slad.core.extras import not_installed
from slad.core.version import __version__

if TYPE_CHECKING:
    from slad.detectors import SLAD as SLAD
    from slad.detectors import LearnedSignals as LearnedSignals
    from slad.detectors import NeighborScale as NeighborScale
    from slad.detectors import SLADSeries as SLADSeries
    from slad.detectors import fit_many as fit_many
    from slad.detectors import load as load
    from slad.model import TableDetector as TableDetector

_PUBLIC = {
    "LearnedSignals": "slad.detectors",
    "NeighborScale": "slad.detectors",
    "SLAD": "slad.detectors",
    "SLADSeries": "slad.detectors",
    "TableDetector": "slad.model",
    "fit_many": "slad.detectors",
    "load": "slad.detectors",
}

__all__ = [
    "SLAD",
    "LearnedSignals",
    "NeighborScale",
    "SLADSeries",
    "TableDetector",
    "__version__",
    "fit_many",
    "load",
]


def __getattr__(name: str) -> Any:
    """Import torch, scikit-learn and pyarrow when first needed, not when slad is imported."""
    today = former.PUBLIC.get(name, name)
    if today in _PUBLIC:
        try:
            return getattr(import_module(_PUBLIC[today]), today)
        except ModuleNotFoundError as error:
            raise not_installed(error) or error from error
    raise AttributeError(f"module 'slad' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
