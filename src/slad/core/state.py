"""The one way in which anything fitted becomes a file and comes back: `state` and `from_state`.

A state is plain values, which are written as JSON, and arrays. Nothing that is read is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

Arrays = dict[str, np.ndarray]


class State(NamedTuple):
    """What is needed to go on where something fitted stands."""

    values: dict[str, Any]
    """What JSON can hold."""
    arrays: Arrays


class Stateful(Protocol):
    """What can be saved: `from_state(x.state())` does all that `x` did."""

    def state(self) -> State: ...

    @classmethod
    def from_state(cls, state: State) -> Self: ...


def joined(parts: Mapping[str, Mapping[str, np.ndarray]]) -> Arrays:
    """`name.key` -> array, for every array of every part."""
    return {f"{part}.{key}": array for part, own in parts.items() for key, array in own.items()}


def parted(arrays: Mapping[str, np.ndarray]) -> dict[str, Arrays]:
    """What `joined` put together; names of parts have no point in them.

    >>> list(parted({"a.x": np.zeros(1), "a.y.z": np.zeros(1)})["a"])
    ['x', 'y.z']
    """
    parts: dict[str, Arrays] = {}
    for name, array in arrays.items():
        part, _, key = name.partition(".")
        parts.setdefault(part, {})[key] = array
    return parts
