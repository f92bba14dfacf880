"""Why rows score as they do, in the table's own columns and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from slad.explain import (
    Occlusion,
    Reason,
    correlated_blocks,
    occlusion,
    overshadowed,
    reasons,
    sentence,
    with_groups,
)

if TYPE_CHECKING:
    from slad.model.member import Member
    from slad.model.table_detector import TableDetector

Shown = list[tuple[str, str]]
"""(column, cell as people read it)."""
FAR = 0.25
"""Widths of the usual range beyond which a value may be odd with others: about one in seventy of a
normal column is."""


@dataclass(frozen=True)
class ColumnReason:
    """One column, or a few that go together, and what is odd about them."""

    columns: tuple[str, ...]
    contribution: float
    """How far the score would fall with usual values there."""
    share: float
    values: tuple[str, ...]
    usual: tuple[str, ...]
    nearest: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class RowExplanation:
    """The reasons of a row, strongest first, and the normal row that is most like it."""

    row: int
    reasons: list[ColumnReason]
    values: Shown
    nearest: Shown

    @property
    def sentence(self) -> str:
        """The first reason; a row with none differs neither in one column nor in several."""
        if not self.reasons:
            return "no column alone makes it strange"
        return self.reasons[0].sentence


def explain_rows(
    model: TableDetector, frame: pa.Table, rows: np.ndarray, *, own: bool
) -> list[RowExplanation]:
    """One explanation a row. Own rows are explained by the member that had not seen them."""
    chosen = frame.take(rows)
    found = _Found(model, own)
    judges = np.full(len(rows), -1)
    if own:
        judges = model.own_scores().members[rows]
    explained: dict[int, RowExplanation] = {}
    for judge in np.unique(judges):
        mine = np.flatnonzero(judges == judge)
        members = model.members_ if judge < 0 else [model.members_[judge]]
        contributions, nearest = found.contributions(members, chosen.take(mine), rows[mine])
        joint = found.together(members, chosen.take(mine), nearest)
        for number, (place, row_reasons, near) in enumerate(
            zip(mine, reasons(contributions, found.groups), nearest, strict=True)
        ):
            row, cells = int(rows[place]), chosen.slice(place, 1)
            why = overshadowed(row_reasons, joint[number]) if number in joint else row_reasons
            explained[int(place)] = _in_words(model, row, cells, why, int(near), own)
    return [explained[place] for place in range(len(rows))]


class _Found:
    """Contributions through members, each of which encodes a column in its own way."""

    def __init__(self, model: TableDetector, own: bool) -> None:
        self.model = model
        self.own = own
        first = model.members_[0]
        reference = first.encoder.transform(model.normal_)
        self.groups = correlated_blocks(reference, _blocks(first))

    def contributions(
        self, members: Sequence[Member], chosen: pa.Table, rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        found = [self._of_member(member, chosen, rows) for member in members]
        return np.mean([each.contributions for each in found], axis=0), found[0].nearest

    def together(
        self, members: Sequence[Member], chosen: pa.Table, nearest: np.ndarray
    ) -> dict[int, Reason]:
        """All columns of a row that lie far outside, the farthest first, as one reason.

        They are given the values of the nearest normal row. By place; rows in which fewer than two
        lie far outside have none.
        """
        every = [self._far(chosen.slice(place, 1)) for place in range(len(nearest))]
        far = {place: columns for place, columns in enumerate(every) if len(columns) > 1}
        if not far:
            return {}
        places = list(far)
        falls = []
        for member in members:
            rows = member.encoder.transform(chosen.take(places))
            normal, blocks = member.encoder.transform(self.model.normal_), _blocks(member)
            changed = rows.copy()
            for row, place in zip(changed, places, strict=True):
                mine = np.concatenate([np.arange(*blocks[column]) for column in far[place]])
                row[mine] = normal[nearest[place], mine]
            falls.append(_score(member, rows) - _score(member, changed))
        return {
            place: Reason(far[place], float(fall), 1.0)
            for place, fall in zip(places, np.mean(falls, axis=0), strict=True)
        }

    def _far(self, cells: pa.Table) -> tuple[int, ...]:
        """The columns of a row whose values lie far outside, the farthest first."""
        values, columns = _cells(cells), self.model.members_[0].encoder.columns
        excess = [self.model.usuals_[each.name].excess(values[each.name]) for each in columns]
        order = sorted(range(len(excess)), key=lambda place: -excess[place])
        return tuple(place for place in order if excess[place] > FAR)

    def _of_member(self, member: Member, chosen: pa.Table, rows: np.ndarray) -> Occlusion:
        return occlusion(
            partial(_score, member),
            member.encoder.transform(chosen),
            member.encoder.transform(self.model.normal_),
            with_groups(_blocks(member), self.groups),
            own=self._places(rows),
        )

    def _places(self, rows: np.ndarray) -> np.ndarray | None:
        """Where an explained row is itself one of the normal rows, as it may be in training."""
        if not self.own:
            return None
        places = {int(row): place for place, row in enumerate(self.model.normal_places_)}
        return np.array([places.get(int(row), -1) for row in rows], dtype=np.int64)


def _score(member: Member, rows: np.ndarray) -> np.ndarray:
    return member.standard.apply(member.detector.score_parts(rows))


def _blocks(member: Member) -> list[tuple[int, int]]:
    return [(column.start, column.stop) for column in member.encoder.columns]


def _in_words(
    model: TableDetector, row: int, cells: pa.Table, found: list[Reason], near: int, own: bool
) -> RowExplanation:
    values, nearest = _cells(cells), _cells(model.normal_.slice(near, 1))
    names = [column.name for column in model.members_[0].encoder.columns]
    return RowExplanation(
        row,
        [
            _reason(model, tuple(names[block] for block in each.blocks), each, values, nearest, own)
            for each in found
        ],
        [(name, model.usuals_[name].show(values[name])) for name in names],
        [(name, model.usuals_[name].show(nearest[name])) for name in names],
    )


def _cells(row: pa.Table) -> dict[str, Any]:
    """The cells of a table of one row. Python's own times have no nanoseconds."""
    cells: dict[str, Any] = {}
    for name, column in zip(row.column_names, row.columns, strict=True):
        if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
            column = column.cast(pa.timestamp("us", tz=column.type.tz), safe=False)
        cells[name] = column[0].as_py()
    return cells


def _reason(
    model: TableDetector,
    columns: tuple[str, ...],
    found: Reason,
    values: dict[str, Any],
    nearest: dict[str, Any],
    own: bool,
) -> ColumnReason:
    usuals = [model.usuals_[name] for name in columns]
    here, there = [values[name] for name in columns], [nearest[name] for name in columns]
    return ColumnReason(
        columns,
        found.contribution,
        found.share,
        tuple(usual.show(value) for usual, value in zip(usuals, here, strict=True)),
        tuple(usual.brief for usual in usuals),
        tuple(usual.show(value) for usual, value in zip(usuals, there, strict=True)),
        sentence(columns, here, usuals, there, own=own),
    )
