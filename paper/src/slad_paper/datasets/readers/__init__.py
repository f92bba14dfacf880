"""From the files of a dataset to a table, labels and column names; one reader a kind of file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from slad_paper.datasets.catalog import Entry
from slad_paper.datasets.readers.arrays import read_csr, read_mat, read_npz
from slad_paper.datasets.readers.built import read_breiman, read_embedded, read_planted
from slad_paper.datasets.readers.idx import read_fashion
from slad_paper.datasets.readers.raw import Raw
from slad_paper.datasets.readers.task import read_task
from slad_paper.datasets.readers.text import read_arff, read_csv

Reader = Callable[[Entry, Sequence[Path]], Raw]

READERS: dict[str, Reader] = {
    "npz": read_npz,
    "csr": read_csr,
    "mat": read_mat,
    "csv": read_csv,
    "arff": read_arff,
    "fashion": read_fashion,
    "embedded": read_embedded,
    "breiman": read_breiman,
    "planted": read_planted,
    "task": read_task,
}

__all__ = ["READERS", "Raw", "Reader"]
