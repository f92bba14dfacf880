"""Hit rates of all ways to blame columns, on one table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slad.core.seeds import Streams
from slad.detectors import SLAD, Detector, is_deterministic, make
from slad.explain import occlusion
from slad.explain.occluding import DRAWS, Block
from slad.explain.reference import SIZE
from slad_paper.studies.culprits.methods import BACKGROUND, loss_shares, shap_values, z_scores
from slad_paper.studies.culprits.plants import GAP_PLANTS, PLANTS, Gaps, Planted
from slad_paper.studies.culprits.tables import NormalRows, normal_rows

ROWS = 100
"""Planted rows of each kind and table."""
SHAP_ROWS = 10
"""Of these, those explained by SHAP too, which takes a few hundred times as long."""
FLAGGED = 0.05
DETECTORS = ("neighbor-scale", "slad-subspaces", "knn-5", "iforest")


@dataclass(frozen=True)
class Setting:
    """A training table, normal rows that were held out, and rows with planted culprits."""

    train: np.ndarray
    normal: np.ndarray
    blocks: Sequence[Block]
    planted: dict[str, Planted]


def settings(table: NormalRows, seed: int, count: int = ROWS) -> Iterator[Setting]:
    """The table as it is, and with gaps in it."""
    streams = Streams(seed)

    def rng(what: str) -> np.random.Generator:
        return streams.numpy(f"{table.name}, {what}")

    values = {
        name: plant(table.train, table.held_out, rng(name), count) for name, plant in PLANTS.items()
    }
    alone = [(column, column + 1) for column in range(table.train.shape[1])]
    yield Setting(table.train, table.held_out, alone, _made(values))
    gaps = Gaps(table.train, table.held_out, rng("gaps"))
    breaks = {name: plant(gaps, rng(name), count) for name, plant in GAP_PLANTS.items()}
    yield Setting(gaps.train, gaps.normal, gaps.blocks, _made(breaks))


def fitted(name: str, rows: np.ndarray, seed: int) -> Detector:
    given = {} if is_deterministic(name) else {"random_state": seed}
    return make(name, **given).fit(rows)


def reference_of(train: np.ndarray, seed: int, size: int = SIZE) -> np.ndarray:
    rows: np.ndarray = train[Streams(seed).numpy("reference").permutation(len(train))[:size]]
    return rows


def found(blame: np.ndarray, culprits: np.ndarray, most: int) -> np.ndarray:
    """Whether a right answer is among the `most` columns that are blamed most."""
    first = np.argsort(-blame, axis=1, kind="stable")[:, :most]
    hits: np.ndarray = (first[:, :, None] == culprits[:, None]).any(axis=(1, 2))
    return hits


PARAMETERS = {
    "draws": DRAWS,
    "reference": SIZE,
    "rows": ROWS,
    "shap_rows": SHAP_ROWS,
    "shap_background": BACKGROUND,
    "flagged": FLAGGED,
}
"""What hit rates depend on beside the table and the seed."""


def rate(dataset: str, seed: int, count: int = ROWS) -> dict[str, Any]:
    """Hits of every way to blame columns, on one table."""
    table = normal_rows(dataset, seed)
    each = (_of_setting(setting, seed) for setting in settings(table, seed, count))
    results = [result for of_setting in each for result in of_setting]
    return {
        "train_rows": len(table.train),
        "columns": table.train.shape[1],
        "results": results,
    }


def _of_setting(setting: Setting, seed: int) -> Iterator[dict[str, Any]]:
    for name in DETECTORS:
        detector = fitted(name, setting.train, seed)
        threshold = np.quantile(detector.anomaly_score(setting.normal), 1 - FLAGGED)
        for plant, planted in setting.planted.items():
            flagged = detector.anomaly_score(planted.rows) > threshold
            for method, blame, seconds in _blames(name, detector, setting, planted.rows, seed):
                counts = _counts(blame, planted.culprits, flagged)
                yield {
                    "plant": plant, "detector": name, "method": method, **counts,
                    "seconds": round(seconds, 3),
                }  # fmt: skip


def _blames(
    name: str, detector: Detector, setting: Setting, rows: np.ndarray, seed: int
) -> Iterator[tuple[str, np.ndarray, float]]:
    """(method, what it blames, seconds it took); SHAP on the first rows only."""
    score, blocks = detector.anomaly_score, setting.blocks
    reference = reference_of(setting.train, seed)
    ways: dict[str, Callable[[], np.ndarray]] = {
        "occlusion": lambda: occlusion(score, rows, reference, blocks).contributions
    }
    if isinstance(detector, SLAD):
        few = rows[:SHAP_ROWS]
        ways |= {
            "z-scores": lambda: z_scores(rows, setting.train, blocks),
            "loss shares": lambda: loss_shares(detector, rows, blocks),
            "SHAP": lambda: shap_values(score, few, reference, blocks, seed),
            "occlusion, SHAP's rows": lambda: (
                occlusion(score, few, reference, blocks).contributions
            ),
        }
    for method, way in ways.items():
        start = time.perf_counter()
        blame = way()
        yield method, blame, time.perf_counter() - start


def _counts(blame: np.ndarray, culprits: np.ndarray, flagged: np.ndarray) -> dict[str, int]:
    culprits, flagged = culprits[: len(blame)], flagged[: len(blame)]
    counts = {"rows": len(blame), "flagged": int(flagged.sum())}
    for most in (1, 3):
        hits = found(blame, culprits, most)
        counts[f"top{most}"] = int(hits.sum())
        counts[f"flagged_top{most}"] = int(hits[flagged].sum())
    return counts


def _made(planted: dict[str, Planted | None]) -> dict[str, Planted]:
    return {name: each for name, each in planted.items() if each is not None}
