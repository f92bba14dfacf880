"""Rows in four of the spaces of `detectors.parts.spaces`, mapped with numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slad.core.typing import Float
from slad.detectors.parts.space_statistics import FAR, Principal, knots_of, or_one
from slad.detectors.parts.statistics import CLIP
from slad.detectors.signals.blocks import row_product

SPACES = ("standard", "normal", "whitened", "normal whitened")
"""Without "minmax": beside the others it tells nothing more."""
TURNED = {"standard": "whitened", "normal": "normal whitened"}
"""A space, and the same turned to uncorrelated directions of one variance."""


@dataclass(frozen=True)
class RowsInSpaces:
    """Standardised rows, and the same rows in every space; all in single precision."""

    spaces: dict[str, Float[np.ndarray, "n d"]]
    turned: dict[str, Float[np.ndarray, "n d"]]
    """Before far cells are cut off, by the name of the space that is turned."""

    @property
    def standard(self) -> Float[np.ndarray, "n d"]:
        return self.spaces["standard"]

    def __len__(self) -> int:
        return len(self.standard)

    def __getitem__(self, part: slice) -> RowsInSpaces:
        """Some of the rows."""
        return RowsInSpaces(
            *(
                {name: cells[part] for name, cells in of.items()}
                for of in (self.spaces, self.turned)
            )
        )


class Spaces:
    """The spaces, learned from standardised rows."""

    def __init__(self, rows: Float[np.ndarray, "m d"]) -> None:
        rows = rows.astype(np.float64)
        self._knots = [knots_of(column) for column in rows.T]
        self._deviation = np.ones(rows.shape[1])
        self._deviation = or_one(self._normal(rows).std(axis=0))
        self.principals = {
            "standard": Principal.of(rows),
            "normal": Principal.of(self._normal(rows).clip(-CLIP, CLIP)),
        }
        self._turns = {
            space: (each.center, each.whitening().astype(np.float32))
            for space, each in self.principals.items()
        }

    def __call__(self, rows: Float[np.ndarray, "n d"]) -> RowsInSpaces:
        """Standardised rows in each space."""
        normal = self._normal(rows).clip(-CLIP, CLIP).astype(np.float32)
        spaces = {"standard": rows, "normal": normal}
        turned = {
            space: row_product((spaces[space] - center).astype(np.float32), turn)
            for space, (center, turn) in self._turns.items()
        }
        whitened = {TURNED[space]: cells.clip(-FAR, FAR) for space, cells in turned.items()}
        return RowsInSpaces(spaces | whitened, turned)

    def _normal(self, rows: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
        """Normal scores of ranks, linear between knots; beyond them a deviation counts as one."""
        scores = np.empty(rows.shape)
        for at, (values, heights) in enumerate(self._knots):
            cells = rows[:, at].astype(np.float64)
            beyond = cells - cells.clip(values[0], values[-1])
            scores[:, at] = np.interp(cells, values, heights) + beyond
        return scores / self._deviation
