"""Views of rows with a known amount of corruption, the training data of `NeighborScale`.

The amount is the scale. A view of scale 0 is the row itself; other views have noise in all cells,
or some cells swapped with other rows, column by column, which leaves every cell usual and breaks
the dependencies between cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slad.core.typing import Float, Int

KINDS = ("noise", "swap")


@dataclass(frozen=True)
class Views:
    """Corrupted rows, the places of their origins, and their scales."""

    cells: Float[np.ndarray, "n d"]
    origins: Int[np.ndarray, " n"]
    scales: Int[np.ndarray, " n"]


def draw_views(
    rows: Float[np.ndarray, "m d"],
    kind: str,
    count: int,
    *,
    n_scales: int,
    most: float,
    rng: np.random.Generator,
) -> Views:
    """`count` views of rows drawn at random.

    `most` is the largest noise, in deviations of a column, which halves with every lower scale; or
    the largest fraction of swapped cells, which falls in equal steps.
    """
    origins = rng.integers(len(rows), size=count)
    scales = rng.integers(n_scales, size=count)
    cells = rows[origins]
    if kind == "noise":
        sizes = np.where(scales > 0, most * 2.0 ** (scales - n_scales + 1), 0.0)
        deviations = rows.std(axis=0)
        cells = cells + sizes[:, None] * deviations * rng.standard_normal(cells.shape)
    else:
        swapped = rng.random(cells.shape) < (most * scales / (n_scales - 1))[:, None]
        others = rows[rng.integers(len(rows), size=cells.shape), np.arange(rows.shape[1])]
        cells = np.where(swapped, others, cells)
    return Views(cells, origins, scales)
