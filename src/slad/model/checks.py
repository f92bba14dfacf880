"""Questions that a model asks itself, so that a person need not."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from slad.detectors.stacking import LEAST_FALL

if TYPE_CHECKING:
    from slad.model.judgement import Judgement
    from slad.model.table_detector import TableDetector

FEW_ROWS = 300
FEW_SCORES = 100
"""Different scores that tell rows apart well enough, whatever their number."""
SHIFTED = 3.0
"""Times the promised share of flagged rows from which the table looks unlike the training rows."""


def self_checks(model: TableDetector, judgement: Judgement) -> list[dict[str, Any]]:
    """Name, whether it is well (None: cannot be told), and a line of text."""
    checks = [_learned(model), _tells_rows_apart(judgement), _enough_rows(model)]
    if not judgement.own:
        checks.append(_like_training(model, judgement))
    checks.append(_can_discover(model, judgement))
    return [check for check in checks if check is not None]


def _check(name: str, ok: bool | None, text: str) -> dict[str, Any]:
    return {"name": name, "ok": ok, "text": text}


def _learned(model: TableDetector) -> dict[str, Any] | None:
    history = model.history()
    if history is None:
        return None
    began, ended = history["loss"][0], history["loss"][-1]
    return _check(
        "The detector learned",
        bool(ended < LEAST_FALL * began) if len(history["loss"]) > 1 else None,
        f"its training loss went from {began:.3g} to {ended:.3g} in {len(history['loss'])} epochs",
    )


def _tells_rows_apart(judgement: Judgement) -> dict[str, Any]:
    rows, different = len(judgement.scores), len(np.unique(judgement.scores))
    return _check(
        "Scores tell rows apart",
        different >= min(FEW_SCORES, 0.1 * rows) if rows > 1 else None,
        f"{rows:,} rows have {different:,} different scores",
    )


def _enough_rows(model: TableDetector) -> dict[str, Any]:
    rows = len(model.calibration_)
    return _check(
        "There are enough rows to calibrate on",
        rows >= FEW_ROWS,
        f"{rows:,} held-out rows; p-values go down to {1 / (rows + 1):.2g}",
    )


def _like_training(model: TableDetector, judgement: Judgement) -> dict[str, Any]:
    share = float((judgement.pvalues <= 0.1).mean())
    return _check(
        "The table is like the one learned from",
        share <= SHIFTED * 0.1,
        f"{share:.0%} of its rows are among the strangest tenth by the training rows' measure"
        + ("; did something change for all rows?" if share > SHIFTED * 0.1 else ""),
    )


def _can_discover(model: TableDetector, judgement: Judgement) -> dict[str, Any] | None:
    """A false-discovery rate over many rows needs p-values that few held-out rows cannot give."""
    rule = model.make_rule()
    rows = len(judgement.scores)
    together = ceil(rows / (rule.value * (len(model.calibration_) + 1)))
    if rule.kind != "fdr" or together <= 1:
        return None
    return _check(
        "A single strange row could be flagged",
        False,
        f"of {rows:,} rows judged against {len(model.calibration_):,}, at least {together:,} must "
        f"be stranger than all of these before any is flagged: learn from more rows, judge fewer "
        "at a time, or use --fpr",
    )
