"""Losses and AUCs of one recipe trained on one class, from a record of that study."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from slad.core.typing import Float
from slad_paper.datasets import find
from slad_paper.pages.boxes import LOWER, MIDDLE, UPPER
from slad_paper.pages.cases import CaseRecord

STATES = {"trained": "after training", "untrained": "control: before training"}
"""Key in a record -> its name on the page."""


class Seen:
    """One recipe trained on one class.

    Losses of different model seeds may differ by orders of magnitude, so they are compared seed by
    seed: something holds for a class where it holds under most seeds.
    """

    def __init__(self, record: CaseRecord) -> None:
        self.record = record
        self.recipe: str = record.settings["recipe"]
        self.trained: int = record.settings["trained_class"]
        self.new = [which for which in range(10) if which != self.trained]

    def quantiles(self, state: str) -> Float[np.ndarray, "seeds 10 5"]:
        """Of every class."""
        runs = self.record.result["runs"]
        return np.array([[box["quantiles"] for box in run[state]["boxes"]] for run in runs])

    def auc(self, state: str, which: int) -> float:
        """Of a new class against the trained one, mean over the seeds."""
        return float(np.mean([run[state]["auc_roc"][which] for run in self.record.result["runs"]]))

    def auc_of_all(self, state: str) -> Float[np.ndarray, " seeds"]:
        return np.array([run[state]["auc_roc_of_all"] for run in self.record.result["runs"]])

    def higher(self, state: str) -> list[int]:
        """The new classes whose median loss is above that of the trained class."""
        medians = self.quantiles(state)[:, :, MIDDLE]
        return self._of_most(medians > medians[:, [self.trained]])

    def clear(self, state: str, slack: float) -> list[int]:
        """The new classes whose lower quartile is not below the trained class's upper one, but for
        `slack` quartile ranges of that."""
        quantiles = self.quantiles(state)
        low, high = quantiles[:, [self.trained], LOWER], quantiles[:, [self.trained], UPPER]
        return self._of_most(quantiles[:, :, LOWER] >= high - slack * (high - low))

    def places(self) -> dict[int, float]:
        """New class -> its place by median loss after training, 1 the lowest, mean over seeds."""
        places = rankdata(self.quantiles("trained")[:, self.new, MIDDLE], axis=1).mean(axis=0)
        found = {which: float(place) for which, place in zip(self.new, places, strict=True)}
        return dict(sorted(found.items(), key=lambda each: each[1]))

    def _of_most(self, held: np.ndarray) -> list[int]:
        return [which for which in self.new if held[:, which].mean() > 0.5]


def name_of(which: int) -> str:
    """A class's number and what it shows, as the catalog says."""
    title = find(f"fmnist-{which}").title
    return f"{which} ({title.removeprefix('Fashion-MNIST, ').removesuffix(' is normal')})"
