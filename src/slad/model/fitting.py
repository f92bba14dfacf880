"""The steps of a fit before and after training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slad.core.errors import DataError
from slad.decisions import Fold, make_folds
from slad.detectors import Detector
from slad.explain import draw_reference, usual_values
from slad.explain.reference import ORDINARY
from slad.model.profile import profile
from slad.model.scores import Scores
from slad.model.validation import check_reject, columns_left_out
from slad.tables import ColumnPlan, Loaded, plan_columns

if TYPE_CHECKING:
    from slad.model.table_detector import TableDetector

LEAST_ROWS = 10
"""Fewer rows than this leave nothing to hold out."""


def plan_and_folds(
    model: TableDetector, loaded: Loaded, detector: Detector
) -> tuple[tuple[ColumnPlan, ...], list[Fold]]:
    """What becomes of each column, and which rows are held out; errors for what cannot work."""
    frame = loaded.frame
    if frame.num_rows < LEAST_ROWS:
        raise DataError(
            f"{loaded.name} has {frame.num_rows} rows; fitting needs at least {LEAST_ROWS}"
        )
    plan = plan_columns(
        frame, drop=columns_left_out(model, frame), keep=model.keep, categories=model.categories
    )
    if not any(column.used for column in plan):
        raise DataError(
            f"{loaded.name} has no column to learn from: "
            + "; ".join(f"{column.name!r} {column.note}" for column in plan[:10])
        )
    folds = make_folds(
        frame.num_rows, calibration=model.calibration, own_rows=model.own_rows, seed=model.seed_
    )
    held = sum(len(fold.held) for fold in folds)
    model.make_rule().check(held, own_rows=model.own_rows)
    check_reject(model, detector, scores_per_row=1 if model.own_rows else len(folds))
    return plan, folds


def keep_normal_rows(
    model: TableDetector, loaded: Loaded, plan: tuple[ColumnPlan, ...], own: Scores
) -> None:
    """Set what explanations and reports need of the training table."""
    frame = loaded.frame
    held = np.flatnonzero(np.isfinite(own.scores))
    share = 1.0 if model.clean else ORDINARY
    ordinary = held[own.scores[held] <= np.quantile(own.scores[held], share)]
    model.normal_places_ = held[draw_reference(own.scores[held], share=share, seed=model.seed_)]
    used = [column for column in plan if column.used]
    model.normal_ = frame.select([c.name for c in used]).take(model.normal_places_)
    model.usuals_ = {c.name: usual_values(frame.column(c.name), c.kind, ordinary) for c in used}
    model.profile_ = profile(frame, plan, model.usuals_)
    model.notes_ = [str(note) for note in loaded.notes]
    model.training_ = describe(loaded)


def describe(loaded: Loaded) -> dict[str, Any]:
    """A table's name, checksum and size."""
    return {
        "name": loaded.name,
        "sha256": loaded.sha256,
        "rows": loaded.frame.num_rows,
        "columns": loaded.frame.num_columns,
    }
