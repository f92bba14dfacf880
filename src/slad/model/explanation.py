"""Explanations of rows: occlusion by the fold models, put into words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from slad.core.progress import Progress
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
from slad.model.fold_model import FoldModel
from slad.model.row_explanation import ColumnReason, RowExplanation
from slad.model.scores import ALL_FOLDS

if TYPE_CHECKING:
    from slad.model.table_detector import TableDetector

FAR = 0.25
"""Widths of the usual range beyond which a value may be odd together with others. About one in
seventy values of a normal column lies beyond."""

AT_ONCE = 25
"""Rows that are explained together: between them the line of progress moves."""

Groups = list[tuple[int, ...]]


def explain_rows(
    model: TableDetector, frame: pa.Table, rows: np.ndarray, *, own: bool
) -> list[RowExplanation]:
    """One explanation per row of a conformed table.

    Own rows, those of the training table, are explained by the fold model that did not see them.
    """
    chosen = frame.take(rows)
    folds = model.own_scores().folds[rows] if own else np.full(len(rows), ALL_FOLDS)
    normal = _NormalRows(model)
    explained: dict[int, RowExplanation] = {}
    with Progress("rows explained", len(rows), shown=model.verbose) as progress:
        for fold, places in _by_fold(folds):
            numbers = range(len(model.fold_models_)) if fold == ALL_FOLDS else [fold]
            cells = chosen.take(places)
            views = [
                _View(each, each.encoder.transform(cells), normal.encoded(number))
                for number, each in ((number, model.fold_models_[number]) for number in numbers)
            ]
            found, nearest = _reasons(model, views, cells, normal, rows[places] if own else None)
            for at, place in enumerate(places.tolist()):
                explained[place] = _in_words(
                    model, int(rows[place]), cells.slice(at, 1), found[at], int(nearest[at]), own
                )
            progress.advance(len(places))
    return [explained[place] for place in range(len(rows))]


def _by_fold(folds: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Places of rows that the same fold models explain, not too many at once."""
    for fold in np.unique(folds).tolist():
        places = np.flatnonzero(folds == fold)
        for start in range(0, len(places), AT_ONCE):
            yield fold, places[start : start + AT_ONCE]


class _NormalRows:
    """The model's normal rows, encoded once by each fold model that needs them."""

    def __init__(self, model: TableDetector) -> None:
        self.model = model
        self._encoded: dict[int, np.ndarray] = {}
        self.groups: Groups = correlated_blocks(self.encoded(0), model.fold_models_[0].blocks)

    def encoded(self, number: int) -> np.ndarray:
        """The normal rows as fold model `number` encodes them."""
        if number not in self._encoded:
            encoder = self.model.fold_models_[number].encoder
            self._encoded[number] = encoder.transform(self.model.normal_)
        return self._encoded[number]

    def places(self, rows: np.ndarray | None) -> np.ndarray | None:
        """The place of each training row among the normal rows; -1 for those that are not."""
        if rows is None:
            return None
        places = {int(row): place for place, row in enumerate(self.model.normal_places_)}
        return np.array([places.get(int(row), -1) for row in rows], dtype=np.int64)


@dataclass(frozen=True)
class _View:
    """The rows to explain and the normal rows, as one fold model encodes them."""

    fold_model: FoldModel
    rows: np.ndarray
    normal: np.ndarray

    def occlusion(self, groups: Groups, own: np.ndarray | None) -> Occlusion:
        blocks = with_groups(self.fold_model.blocks, groups)
        score = self.fold_model.standard_scores
        return occlusion(score, self.rows, self.normal, blocks, own=own)

    def falls(self, columns: dict[int, tuple[int, ...]], nearest: np.ndarray) -> np.ndarray:
        """How far scores fall when these columns of a row become those of its nearest row."""
        rows, blocks = self.rows[list(columns)], self.fold_model.blocks
        changed = rows.copy()
        for row, (place, of_row) in zip(changed, columns.items(), strict=True):
            features = np.concatenate([np.arange(*blocks[column]) for column in of_row])
            row[features] = self.normal[nearest[place], features]
        score = self.fold_model.standard_scores
        fallen: np.ndarray = score(rows) - score(changed)
        return fallen


def _reasons(
    model: TableDetector,
    views: list[_View],
    cells: pa.Table,
    normal: _NormalRows,
    own_rows: np.ndarray | None,
) -> tuple[list[list[Reason]], np.ndarray]:
    """The reasons of every row, and the place of its nearest normal row."""
    found = [view.occlusion(normal.groups, normal.places(own_rows)) for view in views]
    contributions, nearest = (
        np.mean([each.contributions for each in found], axis=0),
        found[0].nearest,
    )
    joint = _joint_reasons(model, views, cells, nearest)
    by_row = [
        overshadowed(of_row, joint[place]) if place in joint else of_row
        for place, of_row in enumerate(reasons(contributions, normal.groups))
    ]
    return by_row, nearest


def _joint_reasons(
    model: TableDetector, views: list[_View], cells: pa.Table, nearest: np.ndarray
) -> dict[int, Reason]:
    """All columns of a row that are far outside their usual range, as one reason.

    By place, for the rows with at least two such columns.
    """
    every = [_far_columns(model, cells.slice(place, 1)) for place in range(len(nearest))]
    far = {place: columns for place, columns in enumerate(every) if len(columns) > 1}
    if not far:
        return {}
    falls = np.mean([view.falls(far, nearest) for view in views], axis=0)
    return {
        place: Reason(columns, float(fall), 1.0)
        for (place, columns), fall in zip(far.items(), falls, strict=True)
    }


def _far_columns(model: TableDetector, row: pa.Table) -> tuple[int, ...]:
    """The columns of a row whose values are far outside their usual range, farthest first."""
    values, columns = _cells(row), model.fold_models_[0].encoder.columns
    excess = [model.usuals_[each.name].excess(values[each.name]) for each in columns]
    order = sorted(range(len(excess)), key=lambda place: -excess[place])
    return tuple(place for place in order if excess[place] > FAR)


def _in_words(
    model: TableDetector, row: int, cells: pa.Table, found: list[Reason], near: int, own: bool
) -> RowExplanation:
    values, nearest = _cells(cells), _cells(model.normal_.slice(near, 1))
    names = [column.name for column in model.fold_models_[0].encoder.columns]
    return RowExplanation(
        row,
        [
            _column_reason(
                model, tuple(names[at] for at in each.blocks), each, values, nearest, own
            )
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


def _column_reason(
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
