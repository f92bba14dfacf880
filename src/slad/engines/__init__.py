"""Tables larger than memory, and jobs on several machines.

Every engine scores Arrow batches with one `BatchScorer` of a saved model. `fit_files` fits on
Parquet files of any size, in one process or in those that torchrun started.

Names are imported on first use: a model without networks scores batches without torch.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slad.engines.fitting import fit_files as fit_files
    from slad.engines.scorer import BatchScorer as BatchScorer
    from slad.engines.streaming import Streamed as Streamed
    from slad.engines.streaming import stream_scores as stream_scores

_MODULES = {
    "BatchScorer": "scorer",
    "Streamed": "streaming",
    "fit_files": "fitting",
    "stream_scores": "streaming",
}

__all__ = ["BatchScorer", "Streamed", "fit_files", "stream_scores"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"slad.engines.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'slad.engines' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
