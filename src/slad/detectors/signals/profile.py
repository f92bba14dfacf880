"""What the signals of a row are, in order, and how extreme rows are by each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from slad.core.typing import Float
from slad.detectors.signals.columns import Columns
from slad.detectors.signals.dependence import Dependence
from slad.detectors.signals.histograms import Histograms
from slad.detectors.signals.pairs import Pairs
from slad.detectors.signals.rows import SPACES
from slad.detectors.signals.subspaces import Size, Subspaces

RANKS = (1, 2, 5, 10, 20, 32, 48, 64)
"""Of the minima over groups: see `nearest`."""
LOCAL = ("standard", "normal")
"""Spaces in which a row is compared with its neighbours column by column."""
SUBSETS = {"standard": Size("half", 4, 2048), "normal": Size("root", 4, 2048)}
"""Subsets of columns that are looked at in a space."""

OF_NEIGHBOURS = ("ratio", "local largest", "local mean", "city")
LEVELS = (
    *(f"{space} {rank}" for space in SPACES for rank in RANKS),
    *(f"{space} {name}" for space in LOCAL for name in OF_NEIGHBOURS),
    *Columns.NAMES,
    *Pairs.NAMES,
    *(f"{space} {name}" for space in LOCAL for name in Dependence.NAMES),
    *(f"{space} {name}" for space in LOCAL for name in Histograms.NAMES),
    *(f"{space} isolation" for space in LOCAL),
    *(f"{space} {name}" for space in SUBSETS for name in Subspaces.NAMES),
)
"""Signals of which more is stranger."""
CONTRASTS = (
    *((f"{s} {far}", f"{s} {near}") for s in SPACES for near, far in pairwise(RANKS)),
    *((f"{s} norm", f"{s} 1") for s in LOCAL),
    *((f"{s} local mean", f"{s} local largest") for s in LOCAL),
    *((f"{s} residual mean", f"{s} residual largest") for s in LOCAL),
)
"""Pairs of signals whose difference, the logarithm of a ratio, counts too: whether few or many rows
are near, whether one column is strange or all. These ratios stay the same where a row moves away
from all others by one factor."""
_PLACE = {name: at for at, name in enumerate(LEVELS)}
_OVER = np.array([_PLACE[over] for over, _ in CONTRASTS])
_UNDER = np.array([_PLACE[under] for _, under in CONTRASTS])


@dataclass(frozen=True)
class Extremes:
    """How extreme rows are by every signal."""

    tails: Float[np.ndarray, "n levels"]
    distances: Float[np.ndarray, "n levels"]
    contrasts: Float[np.ndarray, "n contrasts"]

    @staticmethod
    def sizes() -> tuple[int, int]:
        """The number of inputs that the network is monotone in, and of the others."""
        return 2 * len(LEVELS), len(CONTRASTS)

    @property
    def monotone(self) -> Float[np.ndarray, "n inputs"]:
        return np.hstack([self.tails / 3, self.distances / 2])

    @property
    def free(self) -> Float[np.ndarray, "n contrasts"]:
        return self.contrasts / 2


def contrasts_of(levels: Float[np.ndarray, "n levels"]) -> Float[np.ndarray, "n contrasts"]:
    """In the order of CONTRASTS."""
    found: np.ndarray = levels[:, _OVER] - levels[:, _UNDER]
    return found
