"""A small entry of the catalog, and what a fetch of it leaves behind."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from slad_paper.datasets.catalog import Entry, File

CONTENT = np.random.default_rng(0).integers(256, size=300_000, dtype=np.uint8).tobytes()
SUM = hashlib.sha256(CONTENT).hexdigest()
OTHER = hashlib.sha256(b"other").hexdigest()


def toy(url: str | None, sha256: str | None = SUM, size: int | None = len(CONTENT)) -> Entry:
    file = File("deep/file.npz", url, sha256, size)
    facts = ("toy", "Toy", "toys", 4, 3, 1, "free", "nowhere", "nobody", "npz")
    return Entry(*facts, note="Made by hand.", files=(file,))


def left(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.rglob("*") if path.is_file()}
