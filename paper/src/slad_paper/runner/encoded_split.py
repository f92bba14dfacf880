"""Categories and gaps of a split as numbers, by an encoder that has seen training rows only.

A mixed task of the tuning suite is stored as it came: categories as codes, gaps as NaN. What they
become depends on the rows that train, so it waits for the split.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from slad_paper.datasets.catalog import Entry
from slad_paper.datasets.protocol import Split


def encoded(split: Split, entry: Entry) -> Split:
    """The split with all columns as numbers, if the dataset says that some are not."""
    categories = entry.options.get("categories", ())
    if not categories and not entry.options.get("gaps"):
        return split
    train, test = encode(np.asarray(split.train), np.asarray(split.test), categories)
    return replace(split, train=train, test=test)


def encode(
    train: np.ndarray, test: np.ndarray, categories: Collection[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Both as `slad.tables` encodes them, with statistics of the training rows.

    Every column is used, one that is constant in training, too: another value may come.
    """
    import pyarrow as pa  # not above: tables of numbers need no pyarrow

    from slad.tables import ColumnPlan, Encoder

    def columns(rows: np.ndarray) -> pa.Table:
        return pa.table({f"x{at}": _column(rows[:, at], at in categories) for at in range(width)})

    width = train.shape[1]
    fitted_on = columns(train)
    plan = [
        ColumnPlan(name, "category" if at in categories else "number", "", column.type)
        for at, (name, column) in enumerate(
            zip(fitted_on.column_names, fitted_on.columns, strict=True)
        )
    ]
    encoder = Encoder.fit(fitted_on, plan)
    return encoder.transform(fitted_on), encoder.transform(columns(test))


def _column(cells: np.ndarray, coded: bool) -> object:
    """Numbers with nulls for gaps, or the codes of a category as text."""
    import pyarrow as pa

    numbers = pa.array(cells.astype(float), from_pandas=True)
    return numbers.cast(pa.int64()).cast(pa.string()) if coded else numbers
