"""Made-up Parquet folders, and a table model for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from slad.model import TableDetector


def as_table(rows: np.ndarray, first: int = 0) -> pa.Table:
    """The columns of an array as those of a table, after an id that counts on from `first`."""
    columns: dict[str, Any] = {"id": np.arange(first, first + len(rows))}
    return pa.table(columns | {f"x{at}": rows[:, at] for at in range(rows.shape[1])})


def write_files(folder: Path, rows: np.ndarray, count: int, first: int = 0) -> list[Path]:
    """The rows in so many files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for part in np.array_split(np.arange(len(rows)), count):
        path = folder / f"{first + part[0]:012}.parquet"
        parquet.write_table(as_table(rows[part], first + int(part[0])), path)
        files.append(path)
    return files


def fitted_model(rows: np.ndarray, *, device: str = "cpu") -> TableDetector:
    """SLAD on such a table; beyond 10,000 rows it has one member."""
    model = TableDetector("slad-subspaces", parameters={"epochs": 1}, id="id", device=device)
    return model.fit(as_table(rows))
