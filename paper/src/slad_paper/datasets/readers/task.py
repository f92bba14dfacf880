"""The files of the tuning suite: rows and labels whose content, not packing, has a checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from slad.core.errors import DataError
from slad_paper.datasets.catalog import Entry
from slad_paper.datasets.readers.arrays import read_npz
from slad_paper.datasets.readers.raw import Raw


def read_task(entry: Entry, paths: Sequence[Path]) -> Raw:
    """A task; the numbers of categories are codes, and gaps are NaN.

    They are for `slad_paper.runner.encoded_split` to encode, once it is known which rows train.
    """
    raw = read_npz(entry, paths)
    X = np.asarray(raw.X, np.float32)
    if (found := content_sum(X, raw.y)) != entry.options["content"]:
        raise DataError(
            f"{paths[0]} holds other rows than {entry.name}: checksum {entry.options['content']} "
            f"expected, {found} found. To build it anew: slad data suite"
        )
    return Raw(X, raw.y)


def content_sum(X: np.ndarray, y: np.ndarray) -> str:
    """The checksum of shape, rows and labels, which no version of a packer can change."""
    gathered = hashlib.sha256(f"{X.shape[0]} {X.shape[1]}\n".encode())
    gathered.update(np.ascontiguousarray(X, "<f4").tobytes())
    gathered.update(np.ascontiguousarray(y, np.uint8).tobytes())
    return gathered.hexdigest()
