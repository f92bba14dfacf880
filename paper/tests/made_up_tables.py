"""Made-up one-class tables under a data root, and records of detectors on them."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import numpy as np

COLUMNS = ("name", "collection", "group", "features", "sha256")
NAMES = ("oddbench__a", "oddbench__a2", "oddbench__b", "ovrbench__c")
GROUPS = ("a", "a", "b", "c")


def write_tables(
    root: Path, train: int = 300, normal: int = 200, odd: int = 40, features: int = 3
) -> Path:
    """Tables whose anomalies lie apart; no two rows are equal, and a row tells what it is.

    The first column is 0 to 1 for training rows, 1 to 2 for normal test rows, 9 to 10 for others.
    """
    folder = root / "tables"
    folder.mkdir(parents=True)
    lines = []
    for number, (name, group) in enumerate(zip(NAMES, GROUPS, strict=True)):
        rng = np.random.default_rng(number)
        rows = rng.normal(size=(train + normal + odd, features)).astype(np.float32)
        kinds = np.repeat([0, 1, 9], [train, normal, odd])
        rows[:, 0] = kinds + rng.permutation(len(rows)) / len(rows)
        order = train + rng.permutation(normal + odd)
        y = (kinds[order] == 9).astype(np.int8)
        path = folder / f"{name}.npz"
        np.savez(path, train=rows[:train], test=rows[order], y=y)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        lines.append([name, name.partition("__")[0], group, features, digest])
    with (folder / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *lines])
    return root
