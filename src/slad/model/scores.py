"""Standardised scores of a table by fold models, with their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from slad.core.progress import Progress
from slad.decisions import Fold, PartStandard, settle_ties, standard_errors, tied_rows
from slad.model.fold_model import FoldModel

ALL_FOLDS = -1


@dataclass(frozen=True)
class Scores:
    """One standardised score per row and its standard error (NaN: unknown)."""

    scores: np.ndarray
    errors: np.ndarray
    folds: np.ndarray
    """The number of the fold model that scored the row, or `ALL_FOLDS`."""


def scores_of(
    frame: pa.Table, fold_models: Sequence[FoldModel], *, verbose: bool = False
) -> Scores:
    """Scores of rows that no fold model has seen: the mean over fold models."""
    total = frame.num_rows * len(fold_models)
    with Progress("rows scored by the fold models", total, shown=verbose) as progress:
        parts = [each.score_parts(frame, progress) for each in fold_models]
    standards = [each.standard for each in fold_models]
    by_fold = [standard.apply(each) for standard, each in zip(standards, parts, strict=True)]
    return Scores(
        np.mean(by_fold, axis=0),
        standard_errors(parts, standards),
        np.full(frame.num_rows, ALL_FOLDS),
    )


def held_out_scores(
    frame: pa.Table,
    fold_models: Sequence[FoldModel],
    folds: Sequence[Fold],
    *,
    verbose: bool = False,
) -> Scores:
    """Scores of the training rows, each by the fold model that did not see the row.

    Rows that were never held out get NaN. Sets the `standard` of every fold model.
    """
    n_rows = frame.num_rows
    scores, errors = np.full(n_rows, np.nan), np.full(n_rows, np.nan)
    scored_by = np.full(n_rows, ALL_FOLDS)
    total = sum(len(fold.held) for fold in folds)
    with Progress("held-out rows scored", total, shown=verbose) as progress:
        for number, (fold_model, fold) in enumerate(zip(fold_models, folds, strict=True)):
            parts = fold_model.score_parts(frame.take(fold.held), progress)
            fold_model.standard = PartStandard.fit(parts)
            scores[fold.held] = fold_model.standard.apply(parts)
            errors[fold.held] = standard_errors([parts], [fold_model.standard])
            scored_by[fold.held] = number
    return Scores(scores, errors, scored_by)


def calibration_scores(
    frame: pa.Table, fold_models: Sequence[FoldModel], folds: Sequence[Fold], held: Scores
) -> np.ndarray:
    """Scores of the held-out rows for calibration.

    A tied row gets at least the score that a new row equal to it would get.
    """
    settled = held.scores.copy()
    if len(fold_models) > 1:
        tied = np.concatenate([fold.held[tied_rows(settled[fold.held])] for fold in folds])
        if len(tied):
            mean = scores_of(frame.take(tied), fold_models).scores
            settled[tied] = settle_ties(settled[tied], mean)
    return np.asarray(settled[np.isfinite(settled)])
