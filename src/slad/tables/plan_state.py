"""A plan as JSON, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from slad.core.errors import ArtifactError
from slad.tables.arrow_types import type_from_text, type_text
from slad.tables.kinds import LEFT_OUT, USED
from slad.tables.plan import ColumnPlan


def plan_state(plan: Sequence[ColumnPlan]) -> list[dict[str, Any]]:
    return [
        {
            "name": each.name,
            "kind": each.kind,
            "note": each.note,
            "type": type_text(each.type),
            "constant": each.constant,
            "format": each.format,
        }
        for each in plan
    ]


def plan_from_state(state: Sequence[dict[str, Any]]) -> tuple[ColumnPlan, ...]:
    plan = []
    for each in state:
        try:
            column = ColumnPlan(**each)
        except TypeError as error:
            raise ArtifactError(f"this is no plan of a column: {each!r}") from error
        if column.kind not in (*USED, *LEFT_OUT):
            raise ArtifactError(f"column {column.name!r} has the kind {column.kind!r}: not known")
        plan.append(replace(column, type=type_from_text(each["type"])))
    return tuple(plan)
