"""Reasons in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from slad.explain.usual import RARE, Usual, join
from slad.explain.values import is_missing, show_share

NAMED = 3
"""Columns of a group that are spelled out."""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def sentence(
    columns: Sequence[str],
    values: Sequence[Any],
    usuals: Sequence[Usual],
    nearest: Sequence[Any] | None = None,
    *,
    own: bool = False,
) -> str:
    """Why a row stands out by these columns, in one sentence.

    `values` and `nearest` are the cells of the row and of the nearest normal row, as they are.
    `own`: the row is one of those that were learned from.

    >>> sentence(["amount"], [9999], [Usual("number", 0.0, low=3.2, high=180.0)], [41.5])
    'amount is 9,999 (usually 3.2 to 180); in the nearest normal row it is 41.5'
    """
    if len(columns) == 1:
        text = _alone(columns[0], values[0], usuals[0], own)
    else:
        text = _together(columns, values, usuals)
    if nearest is None:
        return text
    named = list(zip(usuals, nearest, values, strict=True))[:NAMED]
    shown = [usual.show(other) for usual, other, _ in named]
    if shown == [usual.show(value) for usual, _, value in named]:
        return text
    verb = "it is" if len(columns) == 1 else "they are"
    return f"{text}; in the nearest normal row {verb} {join(shown, 'and')}"


def _alone(column: str, value: Any, usual: Usual, own: bool) -> str:
    if is_missing(value):
        return f"{column} is missing, {_gap(usual, own)}"
    shown = usual.show(value)
    remark = _remark(value, usual, own)
    if remark:
        return f"{column} is {shown}, {remark}"
    if usual.holds(value):
        return f"{column} is {shown}: usual by itself ({usual.brief}), not with the rest of the row"
    return f"{column} is {shown} (usually {usual.brief})"


def _together(columns: Sequence[str], values: Sequence[Any], usuals: Sequence[Usual]) -> str:
    parts = [
        f"{column} is {usual.show(value)} (usually {usual.brief})"
        for column, value, usual in list(zip(columns, values, usuals, strict=True))[:NAMED]
    ]
    more = len(columns) - len(parts)
    if more:
        parts.append(f"{more} more {'column' if more == 1 else 'columns'}")
    return f"odd together: {join(parts, 'and')}"


def _gap(usual: Usual, own: bool) -> str:
    share = usual.others(usual.missing, own)
    if share == 0:
        return "as in no other row" if own else "as it never was before"
    if share < RARE:
        return f"as in only {_counted(share, own)}"
    return f"as in {_counted(share, own)}, but not with the rest of the row"


def _counted(share: float, own: bool) -> str:
    return f"{show_share(share)} of {'other rows' if own else 'the rows learned from'}"


def _remark(value: Any, usual: Usual, own: bool) -> str | None:
    """What is odd about the value, where it is more than a place outside of a range."""
    if usual.kind == "time" and isinstance(value, date) and usual.holds(value):
        return _hour_or_day(value, usual)
    if usual.kind == "text" and usual.low is not None and not usual.holds(value):
        count = len(str(value))
        letters = "character" if count == 1 else "characters"
        return f"{count:,} {letters} long (usually {usual.brief.split(' char')[0]})"
    if usual.low is None and usual.levels and not usual.holds(value):
        share = usual.levels.get(usual.show(value))
        if share is None and usual.n_levels > len(usual.levels):
            return None
        seen = usual.others((share or 0.0) * (1 - usual.missing), own)
        if seen > 0:
            return f"seen in {_counted(seen, own)} (usually {usual.brief})"
        never = "seen in no other row" if own else "never seen before"
        return f"{never} (usually {usual.brief})"
    return None


def _hour_or_day(value: date, usual: Usual) -> str | None:
    if usual.weekdays is not None and value.weekday() not in usual.weekdays:
        return f"a {WEEKDAYS[value.weekday()]} (usually {_days(usual.weekdays)})"
    if isinstance(value, datetime) and usual.hours is not None:
        first, last = usual.hours
        if not first <= value.hour <= last:
            return f"outside the usual hours ({first:02}:00 to {last:02}:59)"
    return None


def _days(days: Sequence[int]) -> str:
    """Days that follow one another as a span: Monday to Friday."""
    if len(days) > 2 and days[-1] - days[0] == len(days) - 1:
        return f"{WEEKDAYS[days[0]]} to {WEEKDAYS[days[-1]]}"
    return join([WEEKDAYS[day] for day in days], "or")
