"""Curves over the epochs of a training, from the records of the inlier-priority study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from slad.core.typing import Float
from slad_paper.datasets import find
from slad_paper.pages.boxes import median, quartile_range
from slad_paper.pages.cases import CaseRecord
from slad_paper.runner import printed


@dataclass(frozen=True)
class Course:
    """One recipe on one row of the main table; curves have a value for epoch 0 and every other.

    Values are means over the model seeds, and of MVTec over its sets.
    """

    recipe: str
    row: str
    auc: Float[np.ndarray, " epochs"]
    gap: Float[np.ndarray, " epochs"]
    """Median loss of anomalies less that of inliers, in mean quartile ranges of both."""
    inliers: Float[np.ndarray, " epochs"]
    anomalies: Float[np.ndarray, " epochs"]
    """Median losses as fractions of those at epoch 0."""
    spread: float
    """Deviation of the last AUC-ROC over the model seeds."""

    @property
    def trend(self) -> float:
        """Kendall's rank correlation of AUC-ROC with the epoch."""
        return float(stats.kendalltau(np.arange(len(self.auc)), self.auc).statistic)


def by_row(records: Sequence[CaseRecord], recipe: str) -> dict[str, list[CaseRecord]]:
    """Row of the main table -> its sets; a set that is not in the paper is a row of its own."""
    found: dict[str, list[CaseRecord]] = {}
    mine = {each.settings["dataset"]: each for each in records if each.settings["recipe"] == recipe}
    for row in printed.rows():
        here = [mine.pop(name) for name in row.datasets if name in mine]
        if here:
            found[row.title] = here
    return found | {find(name).title: [each] for name, each in mine.items()}


def course_of(recipe: str, row: str, records: Sequence[CaseRecord]) -> Course:
    runs = [[_curves(run) for run in record.result["runs"]] for record in records]
    mean = np.mean([np.mean(of_set, axis=0) for of_set in runs], axis=0)
    last = np.array([[run[0, -1] for run in of_set] for of_set in runs])
    auc, gap, inliers, anomalies = mean
    spread = float(last.mean(axis=0).std())
    return Course(recipe, row, auc, gap, inliers, anomalies, spread)


def _curves(run: Mapping[str, Any]) -> Float[np.ndarray, "4 epochs"]:
    """AUC-ROC, gap, and the relative medians of both groups, epoch by epoch."""
    pairs = list(zip(run["inliers"], run["anomalies"], strict=True))
    inliers = np.array([median(box) for box, _ in pairs])
    anomalies = np.array([median(box) for _, box in pairs])
    ranges = np.array([(quartile_range(one) + quartile_range(two)) / 2 for one, two in pairs])
    gap = (anomalies - inliers) / np.maximum(ranges, np.finfo(float).tiny)
    return np.stack([run["auc_roc"], gap, inliers / inliers[0], anomalies / anomalies[0]])
