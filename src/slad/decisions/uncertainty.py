"""How far a score would move under another seed, and which flags that leaves open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from slad.core.errors import ConfigError, DataError
from slad.core.typing import Float
from slad.decisions.standard import PartStandard


def standard_errors(
    parts: Sequence[Float[np.ndarray, "n parts"]], standards: Sequence[PartStandard]
) -> Float[np.ndarray, " n"]:
    """The standard error of each row's score, the mean of its standardised scores by member.

    `parts` are `Detector.score_parts` of the rows under every member. NaN where there is only one
    part in all: one number says nothing about its own error.
    """
    if len(parts) != len(standards):
        raise DataError(f"parts of {len(parts)} members, but {len(standards)} standards")
    total = sum(each.shape[1] for each in parts)
    n_rows = len(parts[0])
    if total < 2:
        return np.full(n_rows, np.nan)
    weighted = [
        _standardised_parts(each, standard) for each, standard in zip(parts, standards, strict=True)
    ]
    pooled = np.concatenate(weighted, axis=1)
    return np.asarray(pooled.std(axis=1, ddof=1) / np.sqrt(total))


def _standardised_parts(
    parts: Float[np.ndarray, "n parts"], standard: PartStandard
) -> Float[np.ndarray, "n parts"]:
    return np.asarray((parts - standard.centres) / standard.standard.spread)


def unsure_rows(
    scores: Float[np.ndarray, " n"],
    errors: Float[np.ndarray, " n"],
    threshold: float | None,
    confidence: float,
) -> np.ndarray:
    """Rows that lie on their side of the threshold with less than this probability.

    Normal approximation. A row of unknown error (NaN) is never set aside, nor is any row where
    nothing can be flagged (no threshold).
    """
    if not 0.5 <= confidence < 1:
        raise ConfigError(f"{confidence=}: give a probability from 0.5 to below 1, such as 0.9")
    if threshold is None:
        return np.zeros(len(scores), dtype=bool)
    known = np.isfinite(errors) & (errors > 0)
    distances = np.abs(scores - threshold) / np.where(known, errors, 1.0)
    return np.asarray(known & (ndtr(distances) < confidence))
