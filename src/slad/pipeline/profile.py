"""What the columns of a table look like: gaps, usual values, shape. For people and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from slad.explain import Usual, show_value
from slad.tables import ColumnPlan

BINS = 24
LEVELS = 12
TAIL = 0.005
"""Share of cells left out of a histogram at each end, so that one wild cell does not flatten it."""


def profile(
    frame: pa.Table, plan: Sequence[ColumnPlan], usuals: Mapping[str, Usual]
) -> list[dict[str, Any]]:
    """One entry a column, in plain values."""
    return [_column(frame.column(column.name), column, usuals.get(column.name)) for column in plan]


def _column(cells: pa.ChunkedArray, plan: ColumnPlan, usual: Usual | None) -> dict[str, Any]:
    return {
        "name": plan.name,
        "kind": plan.kind,
        "used": plan.used,
        "note": plan.note,
        "missing": _missing(cells) / max(len(cells), 1),
        "usual": usual.text if usual else "",
        "shape": _SHAPES[plan.kind](cells) if plan.kind in _SHAPES else None,
    }


def _missing(cells: pa.ChunkedArray) -> int:
    count = cells.null_count
    if pa.types.is_floating(cells.type):
        count += pc.sum(pc.is_nan(cells)).as_py() or 0
    return int(count)


def _histogram(cells: pa.ChunkedArray) -> dict[str, Any] | None:
    values = as_numbers(cells)
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
    if isinstance(cells.type, pa.DictionaryType):
        cells = cells.cast(cells.type.value_type)
    counted = pc.value_counts(cells.drop_null())
    order = np.argsort(-counted.field("counts").to_numpy(), kind="stable")[:LEVELS]
    levels = counted.field("values").take(order).to_pylist()
    if not levels:
        return None
    return {
        "levels": [show_value(level, "category") for level in levels],
        "counts": counted.field("counts").to_numpy()[order].tolist(),
    }


def as_numbers(cells: pa.ChunkedArray) -> np.ndarray:
    """Cells as floats, NaN where missing; times as seconds since 1970."""
    if pa.types.is_temporal(cells.type):
        if pa.types.is_date(cells.type):
            cells = cells.cast(pa.timestamp("s"))
        unit = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[cells.type.unit]
        whole = pc.is_valid(cells).to_numpy()
        values = np.full(len(cells), np.nan)
        values[whole] = cells.drop_null().cast(pa.int64()).to_numpy() * unit
        return values
    numbers: np.ndarray = cells.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)
    return numbers


_SHAPES = {"number": _histogram, "time": _histogram, "category": _levels, "boolean": _levels}
