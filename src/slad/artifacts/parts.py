"""Arrays of several parts in one dictionary, as one file holds them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

Arrays = dict[str, np.ndarray]


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
