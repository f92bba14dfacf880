"""Why a row is strange: its culprit columns, and what would be usual there."""

from slad.explain.columns import usual_values
from slad.explain.correlation import correlated_blocks
from slad.explain.occluding import Occlusion, occlusion
from slad.explain.ranking import Reason, overshadowed, reasons, with_groups
from slad.explain.reference import draw_reference
from slad.explain.sentences import sentence
from slad.explain.usual import Usual, usual_from_state, usual_state
from slad.explain.values import show_value

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
    "show_value",
    "usual_from_state",
    "usual_state",
    "usual_values",
    "with_groups",
]
