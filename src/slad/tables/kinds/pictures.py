"""Picture data: how the values of a column are spread, for whoever draws them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from slad.tables.kinds.words import show_cell

BINS = 24
LEVELS = 12
TAIL = 0.005
"""Fraction of cells left out of a histogram at each end, so that one wild cell does not flatten
it."""


def histogram(values: np.ndarray) -> dict[str, Any] | None:
    """Edges and counts; None where all values are the same."""
    values = values[np.isfinite(values)]
    if not len(values):
        return None
    low, high = np.quantile(values, [TAIL, 1 - TAIL])
    if not low < high:
        low, high = values.min(), values.max()
    if not low < high:
        return None
    counts, edges = np.histogram(values, bins=BINS, range=(low, high))
    return {"edges": edges.tolist(), "counts": counts.tolist()}


def bars(cells: pa.ChunkedArray) -> dict[str, Any] | None:
    """The most common values, as they are shown, and how often they come."""
    counted = pc.value_counts(cells.drop_null())
    order = np.argsort(-counted.field("counts").to_numpy(), kind="stable")[:LEVELS]
    levels = counted.field("values").take(order).to_pylist()
    if not levels:
        return None
    return {
        "levels": [show_cell(level) for level in levels],
        "counts": counted.field("counts").to_numpy()[order].tolist(),
    }
