"""The profile of a table: gaps, usual values and spread of each column, for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from slad.tables import ColumnPlan
from slad.tables.kinds import KINDS, Usual


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
        "shape": KINDS[plan.kind].picture(cells) if plan.used else None,
    }
