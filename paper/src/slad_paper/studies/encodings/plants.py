"""Anomalies planted into rows of a real table: one cell or two of a row are changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from slad.tables import ColumnPlan

Change = Callable[[pa.ChunkedArray, np.ndarray, np.random.Generator], pa.Array]
"""(column, rows, generator) -> the new cells of these rows."""


def _of_other_rows(column: pa.ChunkedArray, rows: np.ndarray, rng: np.random.Generator) -> pa.Array:
    """Values that are usual in the column, but not with the rest of the row."""
    return column.take(pa.array(rng.integers(0, len(column), len(rows)))).combine_chunks()


def _never_seen(column: pa.ChunkedArray, rows: np.ndarray, rng: np.random.Generator) -> pa.Array:
    return pa.array(["never seen"] * len(rows), column.type)


def _missing(column: pa.ChunkedArray, rows: np.ndarray, rng: np.random.Generator) -> pa.Array:
    return pa.nulls(len(rows), column.type)


def _long_ago(column: pa.ChunkedArray, rows: np.ndarray, rng: np.random.Generator) -> pa.Array:
    """As long before the first time as the column lasts, or up to three times that."""
    times = column.take(pa.array(rows)).cast(pa.timestamp("s")).cast(pa.int64()).to_numpy()
    every = column.cast(pa.timestamp("s")).cast(pa.int64()).drop_null().to_numpy()
    span = every.max() - every.min()
    moved = np.nan_to_num(times) - span * rng.integers(2, 5, len(rows))
    return pa.array(moved.astype(np.int64), pa.timestamp("s")).cast(column.type)


def _scrambled(column: pa.ChunkedArray, rows: np.ndarray, rng: np.random.Generator) -> pa.Array:
    """Texts with their letters in another order."""
    texts = [text or "?" for text in column.take(pa.array(rows)).to_pylist()]
    return pa.array(["".join(rng.permutation(list(text))) for text in texts], column.type)


PLANTS: dict[str, tuple[tuple[str, ...], Change]] = {
    "category of another row": (("category", "boolean"), _of_other_rows),
    "number of another row": (("number",), _of_other_rows),
    "value never seen": (("category",), _never_seen),
    "missing": (("number", "category", "text", "time"), _missing),
    "long ago": (("time",), _long_ago),
    "scrambled text": (("text",), _scrambled),
}
"""What is done: (to columns of these kinds, how)."""


def plant(
    frame: pa.Table, plan: Sequence[ColumnPlan], rows: np.ndarray, rng: np.random.Generator
) -> tuple[pa.Table, np.ndarray]:
    """The table with these rows changed, and the plant of each, by its place in PLANTS.

    The plants that the table has columns for share the rows evenly. A cell is not made missing
    where it is missing anyway, nor in a column where that is nothing unusual.
    """
    able = {
        name: [each.name for each in plan if each.kind in kinds and _may(name, frame, each.name)]
        for name, (kinds, _) in PLANTS.items()
    }
    usable = [place for place, name in enumerate(PLANTS) if able[name]]
    kinds = np.array(usable)[np.arange(len(rows)) % len(usable)]
    for place in usable:
        name, (_, change) = list(PLANTS.items())[place]
        mine = rows[kinds == place]
        columns = rng.integers(0, len(able[name]), len(mine))
        for at, column in enumerate(able[name]):
            if len(chosen := mine[columns == at]):
                cells = change(frame.column(column), chosen, rng)
                frame = _replaced(frame, column, chosen, cells)
    return frame, kinds


def _may(plant: str, frame: pa.Table, column: str) -> bool:
    return plant != "missing" or frame.column(column).null_count <= 0.05 * frame.num_rows


def _replaced(frame: pa.Table, name: str, rows: np.ndarray, cells: pa.Array) -> pa.Table:
    column = frame.column(name).combine_chunks()
    places = np.arange(len(column))
    places[rows] = len(column) + np.arange(len(rows))
    joined = pa.concat_arrays([column, cells.cast(column.type)])
    at = frame.column_names.index(name)
    return frame.set_column(at, frame.schema.field(name), joined.take(pa.array(places)))
