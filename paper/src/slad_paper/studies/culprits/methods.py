"""Ways to blame columns: a number for each row and column, higher = more to blame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from slad.core.typing import Float
from slad.detectors import SLAD
from slad.explain.occluding import Block, Score, feature_indices

BACKGROUND = 50
"""Rows with which SHAP fills in what it hides; its own default is 100."""
EVALUATIONS = 500
"""Of SHAP a row, its default, each over the whole background."""


def z_scores(
    rows: Float[np.ndarray, "n d"], train: Float[np.ndarray, "m d"], blocks: Sequence[Block]
) -> Float[np.ndarray, "n blocks"]:
    """Deviations from the mean; of a column of several features, the largest."""
    spread = train.std(axis=0)
    away = np.abs(rows - train.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.stack([away[:, feature_indices(block)].max(axis=1) for block in blocks], axis=1)


def loss_shares(
    detector: SLAD, rows: Float[np.ndarray, "n d"], blocks: Sequence[Block]
) -> Float[np.ndarray, "n blocks"]:
    """The loss of each of SLAD's groups, handed out to the features of its subspaces."""
    parts = []
    for scorer in detector._scorers:
        subspaces = scorer.maps.subspaces
        owner = np.repeat(np.arange(len(subspaces)), subspaces.lengths) // subspaces.group_size
        counts = np.zeros((subspaces.n_groups, subspaces.n_features))
        np.add.at(counts, (owner, subspaces.features), 1)
        parts.append(counts / counts.sum(axis=1, keepdims=True))
    blamed = detector.group_losses(rows) @ np.concatenate(parts)
    return np.stack([blamed[:, feature_indices(block)].sum(axis=1) for block in blocks], axis=1)


def shap_values(
    score: Score,
    rows: Float[np.ndarray, "n d"],
    train: Float[np.ndarray, "m d"],
    blocks: Sequence[Block],
    seed: int,
) -> Float[np.ndarray, "n blocks"]:
    """SHAP's permutation sampler, as it comes."""
    import shap

    before = np.random.get_state()  # noqa: NPY002  (its `seed` is numpy's global one)
    try:
        masker = shap.maskers.Independent(train, max_samples=BACKGROUND)
        explain: Any = shap.explainers.Permutation(score, masker, seed=seed)
        most = max(EVALUATIONS, 2 * rows.shape[1] + 1)
        values = np.asarray(explain(rows, max_evals=most, silent=True).values)
    finally:
        np.random.set_state(before)  # noqa: NPY002
    return np.stack([values[:, feature_indices(block)].sum(axis=1) for block in blocks], axis=1)
