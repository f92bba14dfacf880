"""Orders of a shop, one of which anybody would find strange."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

ROWS, STRANGE = 150, 37
"""Rows of the table, and the strange one, counted from 1."""


def orders(seed: int = 0, strange: bool = True) -> list[dict[str, object]]:
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(ROWS):
        item = ("tea", "cup", "pot")[rng.integers(3)]
        price = {"tea": 3.0, "cup": 9.0, "pot": 25.0}[item] + float(rng.normal(0, 0.3))
        row = {"order": f"A-{number + 1}", "item": item, "price": round(price, 2)}
        rows.append(row | {"weight": round(float(rng.normal(5, 1)), 3), "fraud": 0})
    if strange:
        rows[STRANGE - 1] |= {"price": 9999.0, "fraud": 1}
    return rows


def write_csv(path: Path, rows: list[dict[str, object]]) -> Path:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def read_csv(path: Path) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
