"""`conform`: a later table with the columns and types of the training table."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import pyarrow as pa
from pyarrow import compute as pc

from slad.core.errors import DataError
from slad.tables.arrow_types import BOOLEAN, NULL, NUMBER, TEXT, TIME, as_text, family, is_whole
from slad.tables.dates import FORMAT_KEY, ISO_TIME, parse_as
from slad.tables.kinds import CONSTANT, EMPTY
from slad.tables.loaded import Note
from slad.tables.plan import ColumnPlan

SHOWN = 10
_USUAL = {NUMBER: r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$", TIME: ISO_TIME}
"""What the texts of a family look like; an error shows one that does not."""


def conform(frame: pa.Table, plan: Sequence[ColumnPlan]) -> tuple[pa.Table, tuple[Note, ...]]:
    """The planned columns of `frame`, in the plan's order, with its types.

    DataError names a column that is missing or has changed its type. Columns that the plan leaves
    out may be missing; other columns are ignored, with a note.
    """
    present = set(frame.column_names)
    _check_missing(plan, frame.column_names)
    notes = []
    planned = {each.name for each in plan}
    if extra := [name for name in frame.column_names if name not in planned]:
        shown = ", ".join(extra[:SHOWN]) + (", ..." if len(extra) > SHOWN else "")
        notes.append(Note(None, f"ignored, because the model does not know them: {shown}"))
    columns, names = [], []
    for each in plan:
        if each.name not in present:
            continue
        column = frame.column(each.name)
        if each.used:
            column = _converted(column, each, frame.schema.field(each.name))
        elif changed := _changed_cells(column, each):
            was = f"always {each.constant!r}" if each.kind == CONSTANT else "empty"
            text = f"was {was} in the training rows; {changed:,} cells differ, and are not used"
            notes.append(Note(each.name, text))
        columns.append(column)
        names.append(each.name)
    return pa.table(columns, names=names), tuple(notes)


def _check_missing(plan: Sequence[ColumnPlan], present: list[str]) -> None:
    missing = [each.name for each in plan if each.used and each.name not in present]
    if not missing:
        return
    near = get_close_matches(missing[0], present, n=1, cutoff=0.6)
    hint = f" Is it {near[0]!r}?" if near else ""
    some = ", ".join(map(repr, missing[:SHOWN])) + (", ..." if len(missing) > SHOWN else "")
    raise DataError(
        f"missing columns that the model was fitted with: {some}.{hint} The table has: "
        f"{', '.join(present[:50])}"
    )


def _converted(column: pa.ChunkedArray, plan: ColumnPlan, field: pa.Field) -> pa.ChunkedArray:
    was, now = family(plan.type), family(column.type)
    if now == NULL or column.null_count == len(column):
        return pa.chunked_array([pa.nulls(len(column), plan.type)])
    if was == TIME and now == TEXT and plan.format:
        return _dates(column, plan)
    if was != now:
        raise DataError(_changed_type(column, plan))
    if was == TIME:
        _check_times(column, plan, field)
    if was == NUMBER and pa.types.is_duration(plan.type) == pa.types.is_duration(column.type):
        return column if not pa.types.is_duration(plan.type) else _cast(column, plan)
    if was in (BOOLEAN, TEXT, TIME):
        return _cast(column, plan)
    raise DataError(_changed_type(column, plan))


def _cast(column: pa.ChunkedArray, plan: ColumnPlan) -> pa.ChunkedArray:
    """In the plan's unit and zone; what is finer than the unit is cut off."""
    try:
        return column.cast(plan.type, safe=False)
    except (pa.ArrowException, ValueError) as error:
        raise DataError(f"{_changed_type(column, plan)} ({error})") from error


def _dates(column: pa.ChunkedArray, plan: ColumnPlan) -> pa.ChunkedArray:
    """Dates whose order of day and month only the training table made clear."""
    assert plan.format is not None
    parsed = parse_as(column, plan.format)
    wrong = pc.filter(column, pc.and_(pc.is_null(parsed), pc.is_valid(column)))
    if len(wrong):
        raise DataError(
            f"column {plan.name!r} had dates written as {plan.format} when the model was fitted: "
            f"{wrong[0].as_py()!r} is not such a date"
        )
    return parsed.cast(plan.type)


def _check_times(column: pa.ChunkedArray, plan: ColumnPlan, field: pa.Field) -> None:
    format_ = (field.metadata or {}).get(FORMAT_KEY, b"").decode() or None
    if format_ and plan.format and format_ != plan.format:
        raise DataError(
            f"column {plan.name!r} has dates written as {format_}: the model was fitted with "
            f"{plan.format}"
        )
    of_day = [pa.types.is_time(each) for each in (plan.type, column.type)]
    zoned = [getattr(each, "tz", None) is not None for each in (plan.type, column.type)]
    if of_day[0] != of_day[1] or zoned[0] != zoned[1]:
        raise DataError(_changed_type(column, plan))


def _changed_type(column: pa.ChunkedArray, plan: ColumnPlan) -> str:
    odd = column.drop_null()
    usual = _USUAL.get(family(plan.type))
    if family(column.type) == TEXT and usual:
        matches = pc.match_substring_regex(odd, usual)
        odd = odd if pc.all(matches).as_py() else pc.filter(odd, pc.invert(matches))
    example = repr(odd[0].as_py())[:60] if len(odd) else "nothing"
    return (
        f"column {plan.name!r} holds {column.type} such as {example}: the model was fitted with "
        f"{plan.type}"
    )


def _changed_cells(column: pa.ChunkedArray, plan: ColumnPlan) -> int:
    """How many cells of a column that was constant or empty are different now."""
    if plan.kind == EMPTY:
        return len(column) - int(column.null_count)
    if plan.kind != CONSTANT:
        return 0
    try:
        same = pc.equal(as_text(_cast(column, plan)), plan.constant)
    except (DataError, pa.ArrowException):  # its type cannot hold that value
        return len(column)
    if is_whole(plan.type) and pa.types.is_floating(column.type):  # the cast turned 2.5 into 2
        same = pc.and_(same, pc.equal(column, pc.floor(column)))
    return len(column) - int(pc.sum(pc.fill_null(same, False)).as_py() or 0)
