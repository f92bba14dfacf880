"""How the way of replacing values was chosen, on tables that the study does not use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.explain import occlusion
from slad.explain.occluding import Score, feature_indices
from slad_paper.studies.culprits.hits import Setting, fitted, found, reference_of, settings
from slad_paper.studies.culprits.tables import CHOSEN_ON, normal_rows

ROWS = 100
Way = Callable[[Score, np.ndarray, Setting, int], np.ndarray]


def nearest(draws: int, size: int) -> Way:
    def blame(score: Score, rows: np.ndarray, setting: Setting, seed: int) -> np.ndarray:
        reference = reference_of(setting.train, seed, size)
        return occlusion(score, rows, reference, setting.blocks, draws=draws).contributions

    return blame


def random_rows(draws: int) -> Way:
    """The values of any normal rows, the same ones for all explained rows."""

    def blame(score: Score, rows: np.ndarray, setting: Setting, seed: int) -> np.ndarray:
        chosen = Streams(seed).numpy("any rows").choice(len(setting.train), draws, replace=False)
        falls = [_replaced(score, rows, setting, setting.train[at]) for at in chosen]
        mean: np.ndarray = np.stack(falls).mean(axis=0)
        return mean

    return blame


def median_value(
    score: Score, rows: np.ndarray, setting: Setting, seed: int
) -> Float[np.ndarray, "n blocks"]:
    return _replaced(score, rows, setting, np.median(setting.train, axis=0))


def _replaced(
    score: Score, rows: np.ndarray, setting: Setting, other: np.ndarray
) -> Float[np.ndarray, "n blocks"]:
    """How far scores fall when a block is that of one other row."""
    base, falls = score(rows), []
    for block in map(feature_indices, setting.blocks):
        changed = rows.copy()
        changed[:, block] = other[block]
        falls.append(base - score(changed))
    return np.stack(falls, axis=1)


WAYS: dict[str, Way] = {
    "1 nearest of 500": nearest(1, 500),
    "4 nearest of 500": nearest(4, 500),
    "16 nearest of 500": nearest(16, 500),
    "4 nearest of 100": nearest(4, 100),
    "4 nearest of 2,000": nearest(4, 2000),
    "16 at random": random_rows(16),
    "the median": median_value,
}
"""Where replacement values are taken from."""


def choose(seed: int) -> dict[str, Any]:
    """Hits of every way, over all tables and plants."""
    results = []
    for dataset in CHOSEN_ON:
        for setting in settings(normal_rows(dataset, seed), seed, ROWS):
            score = fitted("slad-subspaces", setting.train, seed).anomaly_score
            for plant, planted in setting.planted.items():
                for way, blame in WAYS.items():
                    hits = found(blame(score, planted.rows, setting, seed), planted.culprits, 1)
                    results.append(
                        {"dataset": dataset, "plant": plant, "way": way,
                         "rows": len(hits), "top1": int(hits.sum())}
                    )  # fmt: skip
    return {"results": results}
