"""How everything fitted is saved and restored: `state` and `from_state`.

A state is plain values, which are written as JSON, and arrays. Reading it executes no code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

Arrays = dict[str, np.ndarray]


class State(NamedTuple):
    """All that is needed to restore something fitted."""

    values: dict[str, Any]
    """Values that JSON can hold."""
    arrays: Arrays


class Stateful(Protocol):
    """Anything that can be saved: `from_state(x.state())` behaves like `x`."""

    def state(self) -> State: ...

    @classmethod
    def from_state(cls, state: State) -> Self: ...


def joined(parts: Mapping[str, Mapping[str, np.ndarray]]) -> Arrays:
    """All arrays of all parts, named `part.key`."""
    return {f"{part}.{key}": array for part, own in parts.items() for key, array in own.items()}


def parted(arrays: Mapping[str, np.ndarray]) -> dict[str, Arrays]:
    """The parts that `joined` put together. Names of parts contain no point.

    >>> list(parted({"a.x": np.zeros(1), "a.y.z": np.zeros(1)})["a"])
    ['x', 'y.z']
    """
    parts: dict[str, Arrays] = {}
    for name, array in arrays.items():
        part, _, key = name.partition(".")
        parts.setdefault(part, {})[key] = array
    return parts
