"""A table of text cells as numbers: categories as codes, gaps as NaN, classes as text."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slad.core.errors import DataError
from slad.core.names import unknown

MISSING = frozenset(("", "NA", "NaN", "?", "<null>"))


@dataclass(frozen=True, eq=False)
class RawTable:
    """Rows as numbers, before any of them is normal or an anomaly."""

    values: np.ndarray
    """float64, rows by columns."""
    categories: tuple[int, ...] = ()
    """Columns whose numbers are codes of values that have no order."""
    classes: np.ndarray | None = None
    """Of each row, as text; empty where the table leaves it out."""


def parse_table(
    content: bytes,
    *,
    header: bool,
    label: str | None,
    drop: Sequence[str] = (),
    categories: Sequence[str] = (),
) -> RawTable:
    """The table in bytes of comma-separated text.

    Without a header columns are x0, x1, ... and the last one is the label, as KEEL has it. With a
    header the first column counts the rows if it has no name.
    """
    lines = content.decode("utf-8", "replace").splitlines()
    cells = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    names = cells.pop(0) if header else _numbered(len(cells[0]))
    columns = dict(zip(names, zip(*cells, strict=True), strict=True))
    columns.pop("", None)
    label = label if header else names[-1]
    for name in (*([label] if label else []), *drop, *categories):
        if name not in columns:
            raise unknown("column", name, columns)
    classes = None if label is None else np.array([_plain(cell) for cell in columns.pop(label)])
    kept = {name: column for name, column in columns.items() if name not in drop}
    if not kept:
        raise DataError("no column is left of the table")
    read = [_numbers(column, name in categories) for name, column in kept.items()]
    codes = tuple(at for at, (_, coded) in enumerate(read) if coded)
    return RawTable(np.column_stack([column for column, _ in read]), codes, classes)


def _numbered(width: int) -> list[str]:
    return [f"x{at}" for at in range(width)]


def _plain(cell: str) -> str:
    """A class as text: 1.0 is 1, a gap is nothing."""
    return "" if cell in MISSING else cell.removesuffix(".0")


def _numbers(cells: Sequence[str], coded: bool) -> tuple[np.ndarray, bool]:
    """The cells as numbers, and whether they are codes: the values in the order of the alphabet."""
    if not coded:
        try:
            return np.array([float("nan" if cell in MISSING else cell) for cell in cells]), False
        except ValueError:
            pass
    levels = {level: float(code) for code, level in enumerate(sorted(set(cells) - MISSING))}
    return np.array([levels.get(cell, np.nan) for cell in cells]), True
