"""Rows and a model that the tests of all engines share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from slad.model import TableDetector


def table(rows: int, seed: int = 0, first: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "order": np.arange(first, first + rows),
            "price": rng.normal(10, 2, rows),
            "weight": rng.normal(5, 1, rows),
            "item": rng.choice(["cup", "tea", "pot"], rows),
        }
    )


def fitted() -> TableDetector:
    return TableDetector("slad", parameters={"epochs": 2}, id="order", level=0.02).fit(table(600))


def files(folder: Path, count: int = 4, rows: int = 2000) -> Path:
    """A folder of Parquet files; the ids of all of them follow each other."""
    folder.mkdir()
    for at in range(count):
        parquet.write_table(table(rows, at + 1, at * rows), folder / f"{at}.parquet")
    return folder


def expected(model: TableDetector, folder: Path) -> dict[int, float]:
    """What the model says of every row here, by id."""
    rows = parquet.read_table(folder)
    return dict(zip(rows["order"].to_pylist(), model.judge(rows).scores.tolist(), strict=True))
