"""All signals of a row, seen from one set of reference rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slad.core.state import State
from slad.core.typing import Float, Int
from slad.detectors.parts.trees import Trees
from slad.detectors.signals.blocks import by_all_cores
from slad.detectors.signals.calibration import Calibration
from slad.detectors.signals.columns import Columns
from slad.detectors.signals.dependence import Dependence
from slad.detectors.signals.histograms import Histograms
from slad.detectors.signals.nearest import GroupMinima
from slad.detectors.signals.pairs import Pairs
from slad.detectors.signals.profile import (
    LOCAL,
    RANKS,
    SUBSETS,
    Extremes,
    contrasts_of,
)
from slad.detectors.signals.rows import SPACES, RowsInSpaces, Spaces
from slad.detectors.signals.subspaces import Subspaces, over_subsets, usual

NEAR = 10
FIFTH = 4
LEAST = 1e-3
"""Added before a logarithm."""
TREES, DRAWN = 50, 256
AT_ONCE = 512
"""Rows that go through the trees at a time."""
TOGETHER = 2048
"""Rows that are looked at together."""


@dataclass(frozen=True)
class Neighbours:
    """Of some rows."""

    near: dict[str, tuple[np.ndarray, np.ndarray]]
    """By space: sorted distances to the groups of reference rows, and the places of the nearest."""
    subsets: dict[str, Float[np.ndarray, "n subsets ranks"]]
    """By space: distances in its subsets of columns."""


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
            space: Dependence(self._cells[space], self._spaces.principals[space]) for space in LOCAL
        }
        self._histograms = {s: Histograms(self._cells[s], seed) for s in LOCAL}
        self._subsets = {s: Subspaces(self._cells[s], size, seed) for s, size in SUBSETS.items()}
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
        rows, own = self._reference, np.arange(len(self.rows))

        def neighbours(part: slice) -> tuple[RowsInSpaces, Neighbours]:
            return rows[part], self._neighbours(rows[part], own[part])

        parts = list(by_all_cores(neighbours, len(rows), TOGETHER))
        self._usual: dict[str, np.ndarray] = {}
        self._residual: dict[str, np.ndarray] = {}
        for space, cells in self._cells.items():
            distances = np.concatenate([found.near[space][0] for _, found in parts])
            places = np.concatenate([found.near[space][1] for _, found in parts])
            self._usual[space] = _log(_of_rank(distances, FIFTH + 1))
            self._residual[space] = np.abs(cells - cells[places].mean(axis=1)).mean(axis=0) + LEAST

        self._usual_subsets = {
            space: usual(np.concatenate([found.subsets[space] for _, found in parts]))
            for space in SUBSETS
        }

        def levels_of(part: slice) -> np.ndarray:
            return self._levels(*parts[part.start], own=True)

        levels = np.concatenate(list(by_all_cores(levels_of, len(parts), 1)))
        self._of_levels = Calibration.of(levels)
        self._of_contrasts = Calibration.of(contrasts_of(levels))
        self.own = self._extremes(levels)

    def __call__(self, rows: Float[np.ndarray, "n d"]) -> Extremes:
        """Of standardised rows that are not among the reference rows."""
        moved = self._spaces(rows)
        return self._extremes(self._levels(moved, self._neighbours(moved)))

    def _extremes(self, levels: Float[np.ndarray, "n levels"]) -> Extremes:
        return Extremes(
            *self._of_levels.extremes(levels), self._of_contrasts.distances(contrasts_of(levels))
        )

    def _neighbours(
        self, rows: RowsInSpaces, own: Int[np.ndarray, " n"] | None = None
    ) -> Neighbours:
        """In every space. `own`: the places of the rows among the reference rows."""
        near = {space: NEAR if space in LOCAL else 0 for space in SPACES}
        return Neighbours(
            {s: self._nearest[s].with_places(rows.spaces[s], near[s], own) for s in SPACES},
            {s: each.distances(rows.spaces[s], own) for s, each in self._subsets.items()},
        )

    def _levels(
        self, rows: RowsInSpaces, neighbours: Neighbours, *, own: bool = False
    ) -> Float[np.ndarray, "n levels"]:
        """The raw signals, in the order of LEVELS. `own`: the rows are reference rows."""
        parts = [
            *(
                _log(np.column_stack([_of_rank(neighbours.near[space][0], rank) for rank in RANKS]))
                for space in SPACES
            ),
            *(self._beside_neighbours(s, rows.spaces[s], *neighbours.near[s]) for s in LOCAL),
            self._columns(rows.standard, own=own),
            self._pairs(rows.standard, own=own),
            *(self._dependence[space](rows.spaces[space], rows.turned[space]) for space in LOCAL),
            *(self._histograms[s](rows.spaces[s], own=own) for s in LOCAL),
            *(-_path_lengths(self._trees[s], rows.spaces[s])[:, None] for s in LOCAL),
            *(over_subsets(neighbours.subsets[s], *self._usual_subsets[s]) for s in SUBSETS),
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
        for space, (middle, spread) in self._usual_subsets.items():
            arrays[f"subsets.{space}.middle"] = middle
            arrays[f"subsets.{space}.spread"] = spread
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
        self._usual_subsets = {
            space: (arrays[f"subsets.{space}.middle"], arrays[f"subsets.{space}.spread"])
            for space in SUBSETS
        }
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
