"""Small mixed tables for the tests of table models."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa

FAST = "knn-5"
"""A detector that is fitted at once."""
BEGIN = datetime(2024, 1, 1, 8, tzinfo=UTC)


def orders(n_rows: int, seed: int = 0) -> pa.Table:
    """Orders of two shops: the price follows the item, the hour is in the daytime, some gaps."""
    rng = np.random.default_rng(seed)
    item = rng.choice(["tea", "cup", "pot"], n_rows)
    price = np.select([item == "tea", item == "cup"], [3.0, 9.0], 25.0) * rng.normal(
        1, 0.05, n_rows
    )
    weight = price * 10 + rng.normal(0, 1, n_rows)
    days, hours = rng.integers(0, 90, n_rows), rng.integers(0, 9, n_rows)
    return pa.table(
        {
            "order": pa.array([f"N{n:06d}" for n in range(n_rows)]),
            "item": pa.array(item),
            "price": pa.array(price),
            "weight": pa.array(weight, mask=rng.random(n_rows) < 0.05),
            "gift": pa.array(rng.random(n_rows) < 0.3),
            "time": pa.array(
                [
                    BEGIN + timedelta(days=int(d), hours=int(h))
                    for d, h in zip(days, hours, strict=True)
                ]
            ),
        }
    )


def changed(frame: pa.Table, row: int, **cells: object) -> pa.Table:
    """The table with some cells of a row replaced."""
    rows = frame.to_pylist()
    rows[row] |= cells
    return pa.Table.from_pylist(rows, schema=frame.schema)
