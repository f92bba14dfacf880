"""Standard errors of scores over seeds, and the rows that are unsure because of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from slad.core.errors import ConfigError, DataError
from slad.core.typing import Float
from slad.decisions.standard import PartStandard

SHARED_TRAINING = 1.25
"""The parts of one detector share one training, so their spread is too small: by this factor on
time series and small tables (SKAB, omi, SMD, MSL, diabetes, digits), and on others in
paper/docs/results/false-alarms.md. The spread over fold models needs no such factor."""


def standard_errors(
    parts: Sequence[Float[np.ndarray, "n parts"]], standards: Sequence[PartStandard]
) -> Float[np.ndarray, " n"]:
    """The standard error of each row's score, the mean of its standardised scores over detectors.

    `parts` are the `Detector.score_parts` of the rows, of every detector. NaN if there is only one
    part in all: one number says nothing about its own error.
    """
    if not parts or len(parts) != len(standards):
        raise DataError(f"{len(parts)=} but {len(standards)=}: use one standard for each detector")
    pairs = list(zip(parts, standards, strict=True))
    variances = []
    if len(parts) > 1:
        scores = np.stack([standard.apply(each) for each, standard in pairs])
        variances.append(scores.var(axis=0, ddof=1) / len(parts))
    if min(each.shape[1] for each in parts) > 1:
        within = sum(_variance_within(each, standard) for each, standard in pairs)
        variances.append(np.asarray(within) / len(parts) ** 2)
    if not variances:
        return np.full(len(parts[0]), np.nan)
    # The spread of five detectors is unbiased but rough, that of a hundred parts the reverse.
    factor = SHARED_TRAINING if len(parts) == 1 else 1.0
    return np.asarray(factor * np.sqrt(np.mean(variances, axis=0)))


def _variance_within(
    parts: Float[np.ndarray, "n parts"], standard: PartStandard
) -> Float[np.ndarray, " n"]:
    """Variance of the standardised score of one detector, estimated from its parts.

    Parts have different means and deviations, the same for all rows. What counts is how far a part
    is from the value expected from the row's score.
    """
    centred = (parts - standard.centres) / standard.standard.spread
    mean_scale = float(standard.scales.mean())
    weights = standard.scales / mean_scale if mean_scale > 0 else np.ones_like(standard.scales)
    rest = centred - centred.mean(axis=1, keepdims=True) * weights
    count = parts.shape[1]
    return np.asarray(np.square(rest).sum(axis=1) / ((count - 1) * count))


def unsure_rows(
    scores: Float[np.ndarray, " n"],
    errors: Float[np.ndarray, " n"],
    threshold: float | None,
    confidence: float,
) -> np.ndarray:
    """Rows that lie on their side of the threshold with a probability below `confidence`.

    By the normal approximation. A row with an unknown error (NaN) is never unsure, and no row is if
    there is no threshold.
    """
    if not 0.5 <= confidence < 1:
        raise ConfigError(
            f"{confidence=} is not a probability from 0.5 to below 1; use for example 0.9"
        )
    if threshold is None:
        return np.zeros(len(scores), dtype=bool)
    known = np.isfinite(errors) & (errors > 0)
    distances = np.abs(scores - threshold) / np.where(known, errors, 1.0)
    return np.asarray(known & (ndtr(distances) < confidence))
