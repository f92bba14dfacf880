"""Every kind of column, by its name."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from slad.core.state import State
from slad.core.typing import Int
from slad.tables.kinds.boolean import BooleanKind
from slad.tables.kinds.category import CategoryKind
from slad.tables.kinds.facts import Facts
from slad.tables.kinds.kind import Kind
from slad.tables.kinds.number import NumberKind
from slad.tables.kinds.text import TextKind
from slad.tables.kinds.time import TimeKind
from slad.tables.kinds.usual import Usual

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        TextKind(),
        CategoryKind(),
        NumberKind(),
        BooleanKind(),
        TimeKind(),
    )
}
"""From the most general to the most special: the last one that recognises a column has it."""


def recognised(name: str, facts: Facts) -> Kind | None:
    """The kind of a column that is used."""
    return next((kind for kind in reversed(KINDS.values()) if kind.recognises(name, facts)), None)


def usual_values(
    column: pa.ChunkedArray, kind: str, ordinary: Int[np.ndarray, " m"] | None = None
) -> Usual:
    """What is usual in a column of the kind of this name (see `Usual.of`)."""
    return KINDS[kind].usual_type.of(kind, column, ordinary)


def usual_from_state(state: State) -> Usual:
    """Usual values of whatever kind, from what their `state` gave."""
    return KINDS[state.values["kind"]].usual_type.from_state(state)
