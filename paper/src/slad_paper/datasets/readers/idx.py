"""The idx.gz files of Fashion-MNIST: images and labels of bytes."""

from __future__ import annotations

import gzip
import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from slad.core.errors import DataError
from slad_paper.datasets.catalog import Entry
from slad_paper.datasets.readers.raw import Raw, labels, reading

BYTES = 0x08


def read_fashion(entry: Entry, paths: Sequence[Path]) -> Raw:
    """Images and labels in turn, part after part; all classes but options.normal are anomalies.

    With options.odd there are several normal classes, and of all classes the first images only.
    """
    states = [path.stat() for path in paths if path.exists()]
    images, classes = _parts(tuple(paths), tuple((s.st_size, s.st_mtime_ns) for s in states))
    if "odd" in entry.options:
        rows, odd = _of_classes(classes, entry)
    else:
        rows, odd = np.arange(len(classes)), classes != entry.options["normal"]
    return Raw(images[rows].astype(np.float32), labels(odd[rows], paths[1]))


def _of_classes(classes: np.ndarray, entry: Entry) -> tuple[np.ndarray, np.ndarray]:
    """The first rows of each class, and which rows are of the strange one."""
    normal, odd = entry.options["normal"], entry.options["odd"]
    shares = [
        len(part) for part in np.array_split(range(entry.rows - entry.anomalies), len(normal))
    ]
    rows = [
        np.flatnonzero(classes == each)[:count]
        for each, count in zip((*normal, odd), (*shares, entry.anomalies), strict=True)
    ]
    return np.concatenate(rows), classes == odd


@lru_cache(maxsize=1)
def _parts(paths: tuple[Path, ...], states: tuple[tuple[int, int], ...]) -> tuple[Any, Any]:
    """All images, a row each, and their classes; kept, for hundreds of tables are made of them."""
    images = [read_idx(path, dimensions=3) for path in paths[::2]]
    classes = [read_idx(path, dimensions=1) for path in paths[1::2]]
    for path, pictures, names in zip(paths[::2], images, classes, strict=True):
        if len(pictures) != len(names):
            raise DataError(f"{path}: {len(pictures)} images, but {len(names)} labels beside it")
    flat = np.concatenate([each.reshape(len(each), -1) for each in images])
    return flat, np.concatenate(classes)


def read_idx(path: Path, dimensions: int) -> np.ndarray:
    """One idx.gz file of bytes: two zeros, the type, the number of dimensions, sizes, values."""
    with reading(path, "idx.gz"):
        with gzip.open(path) as file:
            content = file.read()
        start = 4 + 4 * dimensions
        if content[:4] != bytes((0, 0, BYTES, dimensions)) or len(content) < start:
            raise DataError(
                f"{path} is no idx file of bytes with {dimensions} dimensions: it starts with "
                f"{content[:4].hex(' ') or 'nothing'}"
            )
        shape = np.frombuffer(content[4:start], ">u4").tolist()
        values = np.frombuffer(content, np.uint8, offset=start)
        if len(values) != math.prod(shape):
            raise DataError(f"{path}: {len(values)} values where its head promises {shape}")
        return values.reshape(shape)
