"""All signals of a row, seen from one set of reference rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from slad.core.state import State
from slad.core.typing import Float, Int
from slad.detectors.parts.spaces import NAMES as SPACES
from slad.detectors.parts.spaces import Spaces
from slad.detectors.parts.trees import Trees
from slad.detectors.signals.calibration import Calibration
from slad.detectors.signals.columns import Columns
from slad.detectors.signals.dependence import Dependence
from slad.detectors.signals.nearest import GroupMinima
from slad.detectors.signals.pairs import Pairs
from slad.detectors.signals.rows import RowsInSpaces

RANKS = (1, 2, 5, 10, 20, 32, 48, 64)
"""Of the minima over groups: see `nearest`."""
LOCAL = ("standard", "normal")
"""Spaces in which a row is compared with its neighbours column by column."""
NEAR = 10
FIFTH = 4
LEAST = 1e-3
"""Added before a logarithm."""
TREES, DRAWN = 50, 256
AT_ONCE = 512
"""Rows that go through the trees at a time."""

OF_NEIGHBOURS = ("ratio", "local largest", "local mean", "city")
LEVELS = (
    *(f"{space} {rank}" for space in SPACES for rank in RANKS),
    *(f"{space} {name}" for space in LOCAL for name in OF_NEIGHBOURS),
    *Columns.NAMES,
    *Pairs.NAMES,
    *(f"{space} {name}" for space in LOCAL for name in Dependence.NAMES),
    "isolation",
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


class Look:
    """Reference rows, and how extreme other rows are beside them."""

    def __init__(
        self,
        rows: Float[np.ndarray, "m d"],
        seed: int,
        device: torch.device,
        learned: dict[str, np.ndarray] | None = None,
    ) -> None:
        """From standardised rows, or from these and the arrays of a `state`."""
        self.rows, self._device = rows, device
        self._spaces = Spaces.fit(rows.astype(np.float64), device)
        self._reference = RowsInSpaces.of(rows, self._spaces, device)
        self._cells = {space: self._reference.array(space) for space in LOCAL}
        self._nearest = {space: GroupMinima(self._reference.spaces[space]) for space in SPACES}
        self._columns, self._pairs = Columns(rows), Pairs(rows, seed)
        self._dependence = {space: Dependence(self._cells[space]) for space in LOCAL}
        if learned is None:
            self._trees = Trees.grow(rows, TREES, min(DRAWN, len(rows)), seed)
            self._study()
        else:
            self._remember(learned)

    def _study(self) -> None:
        """Look at the reference rows themselves, each without itself."""
        own = np.arange(len(self.rows))
        self._usual: dict[str, np.ndarray] = {}
        self._residual: dict[str, np.ndarray] = {}
        for space, cells in self._cells.items():
            index = self._nearest[space]
            distances, places = index.with_places(self._reference.spaces[space], NEAR, own)
            self._usual[space] = _log(_of_rank(distances, FIFTH + 1))
            self._residual[space] = np.abs(cells - cells[places].mean(axis=1)).mean(axis=0) + LEAST
        levels = self._levels(self._reference, own)
        self._of_levels = Calibration.of(levels)
        self._of_contrasts = Calibration.of(_contrasts(levels))
        self.own = self._extremes(levels)

    def __call__(self, rows: Float[np.ndarray, "n d"]) -> Extremes:
        """Of standardised rows that are not among the reference rows."""
        return self._extremes(self._levels(RowsInSpaces.of(rows, self._spaces, self._device)))

    def _extremes(self, levels: Float[np.ndarray, "n levels"]) -> Extremes:
        return Extremes(
            self._of_levels.tails(levels),
            self._of_levels.distances(levels),
            self._of_contrasts.distances(_contrasts(levels)),
        )

    def _levels(
        self, rows: RowsInSpaces, own: Int[np.ndarray, " n"] | None = None
    ) -> Float[np.ndarray, "n levels"]:
        """The raw signals, in the order of LEVELS. `own`: the rows are the reference rows."""
        distances, local = [], []
        for space in SPACES:
            index, moved = self._nearest[space], rows.spaces[space]
            if space in LOCAL:
                found, places = index.with_places(moved, NEAR, own)
                local.append(self._beside_neighbours(space, rows.array(space), found, places))
            else:
                found = index.distances(moved, own)
            distances.append(_log(np.column_stack([_of_rank(found, rank) for rank in RANKS])))
        parts = [
            *distances,
            *local,
            self._columns(rows.standard, own=own is not None),
            self._pairs(rows.standard, own=own is not None),
            *(self._dependence[space](rows.array(space)) for space in LOCAL),
            -self._path_lengths(rows.standard)[:, None],
        ]
        return np.hstack(parts).astype(np.float64)

    def _beside_neighbours(
        self,
        space: str,
        cells: Float[np.ndarray, "n d"],
        distances: Float[np.ndarray, "n groups"],
        places: Int[np.ndarray, "n near"],
    ) -> Float[np.ndarray, "n 4"]:
        """Against the nearest rows: their own distances, their mean in every column."""
        center, city = np.zeros_like(cells), np.full(len(cells), np.inf, dtype=np.float32)
        for place in places.T:  # one neighbour of all rows at a time: bounded memory
            neighbour = self._cells[space][place]
            center += neighbour
            np.minimum(city, np.abs(cells - neighbour).mean(axis=1), out=city)
        residuals = np.abs(cells - center / places.shape[1]) / self._residual[space]
        usual = self._usual[space][places].mean(axis=1)
        return np.column_stack(
            [
                _log(_of_rank(distances, FIFTH + 1)) - usual,
                _log(residuals.max(axis=1)),
                _log(residuals.mean(axis=1)),
                _log(city),
            ]
        )

    def _path_lengths(self, rows: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " n"]:
        parts = [
            self._trees.path_lengths(rows[start : start + AT_ONCE])
            for start in range(0, len(rows), AT_ONCE)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    # -- saved models ----------------------------------------------------------------------------

    def state(self) -> State:
        """The reference rows, and what is not quickly learned from them again."""
        arrays = {
            "rows": self.rows,
            "trees.features": self._trees.features.astype(np.int32),
            "trees.thresholds": self._trees.thresholds,
            "trees.lengths": self._trees.lengths,
        }
        for space in LOCAL:
            arrays[f"usual.{space}"] = self._usual[space]
            arrays[f"residual.{space}"] = self._residual[space]
        for name, calibration in (("levels", self._of_levels), ("contrasts", self._of_contrasts)):
            arrays |= {f"{name}.{part}": values for part, values in vars(calibration).items()}
        return State({}, arrays)

    def _remember(self, arrays: dict[str, np.ndarray]) -> None:
        self._trees = Trees(
            arrays["trees.features"].astype(np.intp),
            arrays["trees.thresholds"],
            arrays["trees.lengths"],
        )
        self._usual = {space: arrays[f"usual.{space}"] for space in LOCAL}
        self._residual = {space: arrays[f"residual.{space}"] for space in LOCAL}
        self._of_levels, self._of_contrasts = (
            Calibration(*(arrays[f"{name}.{part}"] for part in Calibration.__annotations__))
            for name in ("levels", "contrasts")
        )


def _of_rank(distances: Float[np.ndarray, "n groups"], rank: int) -> Float[np.ndarray, " n"]:
    """The minimum of a rank among 64; of fewer groups, the last one at most."""
    found: np.ndarray = distances[:, min(rank, distances.shape[1]) - 1]
    return found


def _log(values: np.ndarray) -> np.ndarray:
    logs: np.ndarray = np.log(values + np.float32(LEAST))
    return logs


def _contrasts(levels: Float[np.ndarray, "n levels"]) -> Float[np.ndarray, "n contrasts"]:
    """In the order of CONTRASTS."""
    found: np.ndarray = levels[:, _OVER] - levels[:, _UNDER]
    return found
