"""Why a row is strange: its culprit columns, and what would be usual there."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from slad.explain.correlation import correlated_blocks
from slad.explain.occluding import Occlusion, occlusion
from slad.explain.ranking import Reason, overshadowed, reasons, with_groups
from slad.explain.reference import draw_reference

if TYPE_CHECKING:
    from slad.explain.sentences import sentence
    from slad.tables.kinds import Usual, usual_values

_NEED_TABLES = {
    "Usual": "slad.tables.kinds",
    "sentence": "slad.explain.sentences",
    "usual_values": "slad.tables.kinds",
}
"""Imported when first used: columns of numpy arrays are explained without pyarrow, too."""

__all__ = [
    "Occlusion",
    "Reason",
    "Usual",
    "correlated_blocks",
    "draw_reference",
    "occlusion",
    "overshadowed",
    "reasons",
    "sentence",
    "usual_values",
    "with_groups",
]


def __getattr__(name: str) -> Any:
    if name in _NEED_TABLES:
        return getattr(import_module(_NEED_TABLES[name]), name)
    raise AttributeError(f"module 'slad.explain' has no attribute {name!r}")
