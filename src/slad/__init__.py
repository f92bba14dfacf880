"""slad: fast, honest anomaly detection for tables.

The paper's letters and where they live (Xu et al., ICML 2023):

| paper   | here                  | where                          |
|---------|-----------------------|--------------------------------|
| r       | n_groups              | SubspaceSLAD                   |
| c       | group_size            | SubspaceSLAD                   |
| h       | representation_dim    | SubspaceSLAD                   |
| gamma   | magnification         | SubspaceSLAD                   |
| delta   | weighting_threshold   | SubspaceSLAD                   |
| omega   | feature_weights       | scale.labels                   |
| S       | Subspaces             | scale.subspaces                |
| T       | AffineMaps            | scale.transform                |
| G       | scale_labels          | scale.labels                   |
| Phi     | ScaleNetwork          | scale.network                  |
| ell     | JensenShannon         | scale.loss                     |
| tau     | anomaly_score         | SubspaceSLAD                   |
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from slad.core.extras import not_installed
from slad.core.version import __version__

if TYPE_CHECKING:
    from slad.detectors import SLAD as SLAD
    from slad.detectors import SLADSeries as SLADSeries
    from slad.detectors import SubspaceSLAD as SubspaceSLAD
    from slad.detectors import fit_many as fit_many
    from slad.detectors import load as load
    from slad.pipeline import TableDetector as TableDetector

_PUBLIC = {
    "SLAD": "slad.detectors",
    "SLADSeries": "slad.detectors",
    "SubspaceSLAD": "slad.detectors",
    "TableDetector": "slad.pipeline",
    "fit_many": "slad.detectors",
    "load": "slad.detectors",
}

__all__ = [
    "SLAD",
    "SLADSeries",
    "SubspaceSLAD",
    "TableDetector",
    "__version__",
    "fit_many",
    "load",
]


def __getattr__(name: str) -> Any:
    """Import torch, scikit-learn and pyarrow when first needed, not when slad is imported."""
    if name in _PUBLIC:
        try:
            return getattr(import_module(_PUBLIC[name]), name)
        except ModuleNotFoundError as error:
            raise not_installed(error) or error from error
    raise AttributeError(f"module 'slad' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
