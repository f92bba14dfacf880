"""Scores of a table under the members of a model, on one footing, with their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from slad.decisions import Fold, PartStandard, settle_ties, standard_errors, tied_rows
from slad.model.member import Member


@dataclass(frozen=True)
class Scores:
    """Standardised scores and their standard errors (NaN: unknown), one a row."""

    scores: np.ndarray
    errors: np.ndarray
    members: np.ndarray
    """Which member judged the row; -1: all of them."""


def scores_of(frame: pa.Table, members: Sequence[Member]) -> Scores:
    """Of rows that no member has seen: the mean over members."""
    parts = [member.parts(frame) for member in members]
    standards = [member.standard for member in members]
    by_member = [standard.apply(each) for standard, each in zip(standards, parts, strict=True)]
    return Scores(
        np.mean(by_member, axis=0),
        standard_errors(parts, standards),
        np.full(frame.num_rows, -1),
    )


def held_scores(frame: pa.Table, members: Sequence[Member], folds: Sequence[Fold]) -> Scores:
    """Of the training rows, each by the member that had not seen it; NaN where all have.

    Sets every member's `standard` on the way.
    """
    n_rows = frame.num_rows
    scores, errors = np.full(n_rows, np.nan), np.full(n_rows, np.nan)
    judges = np.full(n_rows, -1)
    for number, (member, fold) in enumerate(zip(members, folds, strict=True)):
        parts = member.parts(frame.take(fold.held))
        member.standard = PartStandard.fit(parts)
        scores[fold.held] = member.standard.apply(parts)
        errors[fold.held] = standard_errors([parts], [member.standard])
        judges[fold.held] = number
    return Scores(scores, errors, judges)


def calibrating_scores(
    frame: pa.Table, members: Sequence[Member], folds: Sequence[Fold], held: Scores
) -> np.ndarray:
    """Scores of the rows held out, to calibrate with: equal rows as new rows would be judged."""
    settled = held.scores.copy()
    if len(members) > 1:
        tied = np.concatenate([fold.held[tied_rows(settled[fold.held])] for fold in folds])
        if len(tied):
            mean = scores_of(frame.take(tied), members).scores
            settled[tied] = settle_ties(settled[tied], mean)
    return np.asarray(settled[np.isfinite(settled)])
