"""Checks that a model makes of itself and of a judgement."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from slad.model.findings import Check

if TYPE_CHECKING:
    from slad.model.judgement import Judgement
    from slad.model.table_detector import TableDetector

FEW_ROWS = 300
FEW_SCORES = 100
"""Enough different scores, whatever the number of rows."""
SHIFTED = 3.0
"""A table is unlike the training rows if this many times the expected fraction of its rows is
strange."""


def self_checks(model: TableDetector, judgement: Judgement) -> list[Check]:
    """All checks that apply."""
    checks = [_learned(model), _different_scores(judgement), _enough_rows(model)]
    if not judgement.own:
        checks.append(_like_training(model, judgement))
    checks.append(_can_discover(model, judgement))
    return [check for check in checks if check is not None]


def _learned(model: TableDetector) -> Check | None:
    history = model.history()
    if history is None:
        return None
    from slad.detectors.stacking import LEAST_FALL  # here, because torch comes with it

    began, ended = history["loss"][0], history["loss"][-1]
    return Check(
        "The detector learned",
        bool(ended < LEAST_FALL * began) if len(history["loss"]) > 1 else None,
        f"its training loss went from {began:.3g} to {ended:.3g} in {len(history['loss'])} epochs",
    )


def _different_scores(judgement: Judgement) -> Check:
    rows, different = len(judgement.scores), len(np.unique(judgement.scores))
    return Check(
        "Scores differ between rows",
        different >= min(FEW_SCORES, 0.1 * rows) if rows > 1 else None,
        f"{rows:,} rows have {different:,} different scores",
    )


def _enough_rows(model: TableDetector) -> Check:
    rows = len(model.calibration_)
    return Check(
        "There are enough calibration rows",
        rows >= FEW_ROWS,
        f"{rows:,} calibration rows; the smallest p-value is {1 / (rows + 1):.2g}",
    )


def _like_training(model: TableDetector, judgement: Judgement) -> Check:
    share = float((judgement.pvalues <= 0.1).mean())
    return Check(
        "The table is like the training table",
        share <= SHIFTED * 0.1,
        f"{share:.0%} of its rows score like the strangest 10% of the training rows"
        + ("; did something change for all rows?" if share > SHIFTED * 0.1 else ""),
    )


def _can_discover(model: TableDetector, judgement: Judgement) -> Check | None:
    """A false-discovery rate over many rows needs smaller p-values than few rows can give."""
    rule = model.make_rule()
    rows = len(judgement.scores)
    together = ceil(rows / (rule.value * (len(model.calibration_) + 1)))
    if rule.kind != "fdr" or together <= 1:
        return None
    return Check(
        "A single strange row can be flagged",
        False,
        f"of {rows:,} rows at least {together:,} must score above all "
        f"{len(model.calibration_):,} calibration rows before any is flagged; fit on more rows, "
        "score fewer at a time, or use --fpr",
    )
