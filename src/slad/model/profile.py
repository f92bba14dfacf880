"""The profile of a table: gaps, usual values and spread of each column, for reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from slad.explain import Usual, show_value
from slad.tables import ColumnPlan
from slad.tables.encoding import as_floats, as_seconds

BINS = 24
LEVELS = 12
TAIL = 0.005
"""Fraction of cells left out of a histogram at each end: one extreme cell would flatten it."""


def profile(
    frame: pa.Table, plan: Sequence[ColumnPlan], usuals: Mapping[str, Usual]
) -> list[dict[str, Any]]:
    """One entry per column, as JSON values."""
    return [_column(frame.column(column.name), column, usuals.get(column.name)) for column in plan]


def _column(cells: pa.ChunkedArray, plan: ColumnPlan, usual: Usual | None) -> dict[str, Any]:
    return {
        "name": plan.name,
        "kind": plan.kind,
        "used": plan.used,
        "note": plan.note,
        "missing": cells.null_count / max(len(cells), 1),
        "usual": usual.text if usual else "",
        "shape": _SHAPES[plan.kind](cells) if plan.kind in _SHAPES else None,
    }


def _histogram(values: np.ndarray) -> dict[str, Any] | None:
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


def _levels(cells: pa.ChunkedArray) -> dict[str, Any] | None:
    counted = pc.value_counts(cells.drop_null())
    order = np.argsort(-counted.field("counts").to_numpy(), kind="stable")[:LEVELS]
    levels = counted.field("values").take(order).to_pylist()
    if not levels:
        return None
    return {
        "levels": [show_value(level, "category") for level in levels],
        "counts": counted.field("counts").to_numpy()[order].tolist(),
    }


_SHAPES: dict[str, Callable[[pa.ChunkedArray], dict[str, Any] | None]] = {
    "number": lambda cells: _histogram(as_floats(cells)),
    "time": lambda cells: _histogram(as_seconds(cells)),
    "category": _levels,
    "boolean": _levels,
}
