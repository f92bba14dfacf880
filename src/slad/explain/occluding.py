"""`occlusion`: how far the score of a row falls when a column gets the values of normal rows.

That fall is the contribution of the column. Only scores are used, so any detector can be explained;
a column is the block of encoded features that belong to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from slad.core.errors import ConfigError, DataError
from slad.core.typing import Float, Int
from slad.explain.comparable import Comparable

Score = Callable[[np.ndarray], np.ndarray]
Block = tuple[int, int] | Sequence[int] | np.ndarray
"""The encoded features of a column: (start, stop) as a tuple, or their indices as a list."""

DRAWS = 4
"""Comparable rows whose values are tried; more hardly help (paper/docs/results/culprits.md)."""
MOST = 256
"""Blocks of a row that are tried. Of more, those that differ most from the comparable rows."""
CELLS = 2**22
"""Cells that are scored at once: 32 MB."""


class Occlusion(NamedTuple):
    """What `occlusion` found for every row."""

    contributions: Float[np.ndarray, "n blocks"]
    """How far the score falls, on average, when the block is replaced; below 0 where it rises, 0
    where it is not tried."""
    nearest: Int[np.ndarray, " n"]
    """The reference row that is nearest in all features."""


def occlusion(
    score: Score,
    rows: Float[np.ndarray, "n d"],
    reference: Float[np.ndarray, "m d"],
    blocks: Sequence[Block],
    *,
    draws: int = DRAWS,
    own: Int[np.ndarray, " n"] | None = None,
) -> Occlusion:
    """The contribution of every block of features to every row's score.

    `score` must score a row alike whatever rows it comes with, as detectors of slad do.
    `reference` holds some hundred normal rows. `own` says which of them is the explained row
    itself (-1: none), so that a row is not compared with itself.
    """
    features = [feature_indices(block) for block in blocks]
    rows, reference, own = _checked(rows, reference, features, draws, own)
    comparable = Comparable.of(reference, features)
    draws = min(draws, len(reference))
    base = np.asarray(score(rows), dtype=np.float64)
    contributions = np.zeros((len(rows), len(features)))
    nearest = np.zeros(len(rows), dtype=np.int64)
    for start, found in comparable.found(rows, own, draws):
        stop = start + len(found.nearest)
        nearest[start:stop] = found.nearest
        tried = _most_apart(found.apart)
        for some, batch in _occluded(rows[start:stop], reference, features, found.places, tried):
            scores = _scores_of_changed(score, batch, rows[start:stop], base[start:stop])
            fallen = base[start:stop, None] - scores.mean(axis=2)
            np.put_along_axis(contributions[start:stop], some, fallen, axis=1)
    return Occlusion(contributions, nearest)


def feature_indices(block: Block) -> Int[np.ndarray, " width"]:
    """The indices of a block's features."""
    if isinstance(block, tuple):
        return np.arange(*block)
    return np.asarray(block, dtype=np.int64)


def _most_apart(apart: Float[np.ndarray, "n blocks"]) -> Int[np.ndarray, "n tried"]:
    """The blocks of each row that are tried: what is as in comparable rows changes no score."""
    if apart.shape[1] <= MOST:
        return np.broadcast_to(np.arange(apart.shape[1]), apart.shape)
    return np.argsort(-apart, axis=1, kind="stable")[:, :MOST]


def _occluded(
    rows: Float[np.ndarray, "n d"],
    reference: Float[np.ndarray, "m d"],
    features: Sequence[np.ndarray],
    places: Int[np.ndarray, "n blocks draws"],
    tried: Int[np.ndarray, "n tried"],
) -> Iterator[tuple[Int[np.ndarray, "n some"], Float[np.ndarray, "n some draws d"]]]:
    """(blocks, copies of the rows with one of them replaced), in bounded memory."""
    draws = places.shape[2]
    size = max(1, CELLS // (len(rows) * draws * rows.shape[1]))
    for first in range(0, tried.shape[1], size):
        some = tried[:, first : first + size]
        batch = np.repeat(rows[:, None, None], some.shape[1], axis=1).repeat(draws, axis=2)
        for (row, at), block in np.ndenumerate(some):
            mine = features[block]
            batch[row, at][:, mine] = reference[np.ix_(places[row, block], mine)]
        yield some, batch


def _scores_of_changed(
    score: Score,
    batch: Float[np.ndarray, "n some draws d"],
    rows: Float[np.ndarray, "n d"],
    base: Float[np.ndarray, " n"],
) -> Float[np.ndarray, "n some draws"]:
    """A copy that equals its row (the same category, say) has its score and is not scored."""
    changed = (batch != rows[:, None, None]).any(axis=3)
    scores = np.broadcast_to(base[:, None, None], changed.shape).copy()
    if changed.any():
        scores[changed] = score(batch[changed])
    return scores


def _checked(
    rows: np.ndarray,
    reference: np.ndarray,
    features: Sequence[np.ndarray],
    draws: int,
    own: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, reference = (np.asarray(each, dtype=np.float64) for each in (rows, reference))
    if rows.ndim != 2 or reference.ndim != 2 or rows.shape[1] != reference.shape[1]:
        raise DataError(
            f"{rows.shape=} and {reference.shape=}: give two tables with the same features"
        )
    if len(reference) == 0:
        raise DataError("the reference has no rows: give at least one normal row")
    if draws < 1:
        raise ConfigError(f"{draws=}: give a number of replacement values from 1 up")
    for place, mine in enumerate(features):
        if len(mine) == 0 or mine.min() < 0 or mine.max() >= rows.shape[1]:
            raise ConfigError(
                f"block {place} has the features {mine.tolist()}, the rows have "
                f"{rows.shape[1]}: give indices from 0 to below that"
            )
    own = np.full(len(rows), -1) if own is None else np.asarray(own)
    if own.shape != (len(rows),):
        raise DataError(f"{own.shape=}, but {len(rows)} rows: give one reference row (or -1) each")
    return rows, reference, own
