"""Tables in Parquet files, made up, for tests of fitting from streams."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from slad.model import TableDetector


def numbers_table(rows: int, seed: int = 0) -> pa.Table:
    """Three columns that go together, and none that is missing."""
    rng = np.random.default_rng(seed)
    x = rng.normal(5, 2, rows)
    return pa.table(
        {
            "x": x,
            "y": 3 * x + rng.normal(0, 0.3, rows),
            "z": rng.normal(-1, 0.5, rows) - x,
        }
    )


def mixed_table(rows: int, seed: int = 0) -> pa.Table:
    """Numbers with gaps and infinities, categories, texts, times, ids, a constant."""
    rng = np.random.default_rng(seed)
    shop = rng.choice(["north", "south", "east", "west"], rows, p=[0.5, 0.3, 0.15, 0.05])
    price = rng.lognormal(2, 1, rows) + 5 * (shop == "south")
    price[rng.random(rows) < 0.01] = np.inf
    weight = rng.normal(5, 1, rows)
    begin = dt.datetime(2024, 1, 1)
    words = np.array(["red", "blue", "cup", "tea", "pot", "late", "again", "ok"])
    return pa.table(
        {
            "row": np.arange(1000, 1000 + rows),
            "ticket": [f"T{number:06d}x" for number in rng.permutation(rows)],
            "price": price,
            "weight": pa.array(weight, mask=rng.random(rows) < 0.1),
            "floor": rng.integers(0, 4, rows),
            "shop": pa.array(shop.tolist(), mask=rng.random(rows) < 0.02),
            "open": rng.random(rows) < 0.7,
            "note": [" ".join(rng.choice(words, rng.integers(2, 6))) for _ in range(rows)],
            "when": [begin + dt.timedelta(minutes=int(m)) for m in rng.integers(0, 90_000, rows)],
            "same": ["x"] * rows,
        }
    )


def odd_table(rows: int, seed: int = 0) -> pa.Table:
    """Dates, times of day, durations, decimals, dictionaries, zones, and cells never there."""
    rng = np.random.default_rng(seed)
    days = pa.array(rng.integers(18_000, 19_900, rows).astype(np.int32), pa.int32())
    seconds = rng.integers(0, 86_400, rows)
    shops = pa.array(rng.choice(["north", "south"], rows).tolist()).dictionary_encode()
    return pa.table(
        {
            "day": days.cast(pa.date32()),
            "clock": pa.array(seconds.astype(np.int32), pa.time32("s")),
            "lasted": pa.array(rng.integers(1, 10**6, rows), pa.duration("ms")),
            "paid": pa.array(rng.integers(1, 10**4, rows)).cast(pa.decimal128(21, 2)),
            "shop": shops,
            "zoned": pa.array(seconds * 10**4, pa.timestamp("s", "Europe/Berlin")),
            "some": pa.array(rng.random(rows) < 0.5, mask=rng.random(rows) < 0.2),
            "small": pa.array(rng.integers(0, 200, rows).astype(np.uint8)),
            "shop_id": pa.array(rng.integers(0, 12, rows)),
            "count": pa.array(np.arange(rows)),
            "nothing": pa.nulls(rows, pa.float64()),
            "never": pa.nulls(rows),
            "list": [[1, 2]] * rows,
        }
    )


def written(folder: Path, table: pa.Table, *, files: int, group: int) -> Path:
    """The rows as so many files, with row groups of this size."""
    folder.mkdir(parents=True, exist_ok=True)
    for at, places in enumerate(np.array_split(np.arange(table.num_rows), files)):
        part = table.slice(places[0], len(places))
        parquet.write_table(part, folder / f"{at:02d}.parquet", row_group_size=group)
    return folder


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


def strange_rows(count: int) -> tuple[pa.Table, np.ndarray]:
    """Normal rows, and as many whose columns no longer go together."""
    normal, other = numbers_table(count, 5), numbers_table(count, 6)
    mixed = other.set_column(0, "x", normal["x"])
    return pa.concat_tables([normal, mixed]), np.repeat([0, 1], count)


def model_of(**parameters) -> TableDetector:
    return TableDetector(
        "slad", parameters={"epochs": 3, **parameters}, calibration="split", device="cpu"
    )
