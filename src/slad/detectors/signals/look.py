"""All signals of a row, seen from one set of reference rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from slad.core.state import State
from slad.core.typing import Float, Int
from slad.detectors.parts.trees import Trees
from slad.detectors.signals.calibration import Calibration
from slad.detectors.signals.columns import Columns
from slad.detectors.signals.dependence import Dependence
from slad.detectors.signals.histograms import Histograms
from slad.detectors.signals.nearest import GroupMinima
from slad.detectors.signals.pairs import Pairs
from slad.detectors.signals.rows import SPACES, RowsInSpaces, Spaces

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
    *(f"{space} {name}" for space in LOCAL for name in Histograms.NAMES),
    *(f"{space} isolation" for space in LOCAL),
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
        learned: dict[str, np.ndarray] | None = None,
    ) -> None:
        """From standardised rows, or from these and the arrays of a `state`."""
        self.rows = rows
        self._spaces = Spaces(rows)
        self._reference = self._spaces(rows)
        self._cells = {space: self._reference.spaces[space] for space in LOCAL}
        self._nearest = {space: GroupMinima(self._reference.spaces[space]) for space in SPACES}
        self._columns, self._pairs = Columns(rows), Pairs(rows, seed)
        self._dependence = {
            "standard": Dependence(rows, self._spaces.principal),
            "normal": Dependence(self._cells["normal"]),
        }
        self._histograms = {s: Histograms(self._cells[s], seed) for s in LOCAL}
        if learned is None:
            drawn = min(DRAWN, len(rows))
            self._trees = {
                space: Trees.grow_together(self._cells[space], TREES, drawn, seed)
                for space in LOCAL
            }
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
        return self._extremes(self._levels(self._spaces(rows)))

    def _extremes(self, levels: Float[np.ndarray, "n levels"]) -> Extremes:
        return Extremes(
            *self._of_levels.extremes(levels), self._of_contrasts.distances(_contrasts(levels))
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
                local.append(self._beside_neighbours(space, moved, found, places))
            else:
                found = index.distances(moved, own)
            distances.append(_log(np.column_stack([_of_rank(found, rank) for rank in RANKS])))
        parts = [
            *distances,
            *local,
            self._columns(rows.standard, own=own is not None),
            self._pairs(rows.standard, own=own is not None),
            *(self._dependence[space](rows.spaces[space], rows.turned[space]) for space in LOCAL),
            *(self._histograms[s](rows.spaces[s], own=own is not None) for s in LOCAL),
            *(-_path_lengths(self._trees[s], rows.spaces[s])[:, None] for s in LOCAL),
        ]
        return np.hstack([part.astype(np.float32) for part in parts])

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

    # -- saved models ----------------------------------------------------------------------------

    def state(self) -> State:
        """The reference rows, and what is not quickly learned from them again."""
        arrays = {"rows": self.rows}
        for space in LOCAL:
            trees = self._trees[space]
            arrays[f"features.{space}"] = trees.features.astype(np.int32)
            arrays[f"thresholds.{space}"] = trees.thresholds
            arrays[f"lengths.{space}"] = trees.lengths
            arrays[f"usual.{space}"] = self._usual[space]
            arrays[f"residual.{space}"] = self._residual[space]
        for name, calibration in (("levels", self._of_levels), ("contrasts", self._of_contrasts)):
            arrays |= {f"{name}.{part}": values for part, values in vars(calibration).items()}
        return State({}, arrays)

    def _remember(self, arrays: dict[str, np.ndarray]) -> None:
        self._trees = {
            space: Trees(
                arrays[f"features.{space}"].astype(np.intp),
                arrays[f"thresholds.{space}"],
                arrays[f"lengths.{space}"],
            )
            for space in LOCAL
        }
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


def _path_lengths(trees: Trees, rows: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " n"]:
    """In parts that stay in a core's cache."""
    parts = [
        trees.path_lengths(rows[start : start + AT_ONCE]) for start in range(0, len(rows), AT_ONCE)
    ]
    return np.concatenate(parts) if parts else np.zeros(0)


def _log(values: np.ndarray) -> np.ndarray:
    logs: np.ndarray = np.log(values + np.float32(LEAST))
    return logs


def _contrasts(levels: Float[np.ndarray, "n levels"]) -> Float[np.ndarray, "n contrasts"]:
    """In the order of CONTRASTS."""
    found: np.ndarray = levels[:, _OVER] - levels[:, _UNDER]
    return found
