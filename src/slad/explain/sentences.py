"""`sentence`: a reason in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slad.tables.kinds import Usual
from slad.tables.kinds.words import join

NAMED = 3
"""Columns of a group that are named."""


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
    `own`: the row is one of those that the model was fitted on.

    >>> from slad.tables.kinds.number import NumberUsual
    >>> sentence(["amount"], [9999], [NumberUsual("number", 0.0, low=3.2, high=180.0)], [41.5])
    'amount is 9,999 (usually 3.2 to 180); in the nearest normal row it is 41.5'
    """
    if len(columns) == 1:
        text = f"{columns[0]} is {usuals[0].describe(values[0], own=own)}"
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


def _together(columns: Sequence[str], values: Sequence[Any], usuals: Sequence[Usual]) -> str:
    parts = [
        f"{column} is {usual.show(value)} (usually {usual.brief})"
        for column, value, usual in list(zip(columns, values, usuals, strict=True))[:NAMED]
    ]
    more = len(columns) - len(parts)
    if more:
        parts.append(f"{more} more {'column' if more == 1 else 'columns'}")
    return f"odd together: {join(parts, 'and')}"
