"""Text files: csv with a header, and ARFF. The label is the last column."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.io import arff

from slad.core.errors import DataError
from slad_paper.datasets.catalog import Entry
from slad_paper.datasets.readers.raw import Raw, labels, numbers, reading


def read_csv(entry: Entry, paths: Sequence[Path]) -> Raw:
    """A header, then numbers; the last column is 0 or 1, or the declared value of an anomaly."""
    (path,) = paths
    with reading(path, "csv"), open(path, newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)
        header = next(lines, None)
        if header is None or len(header) < 2:
            raise DataError(f"{path} has no header with a column and a label: {header}")
        rows, at = [], []
        for row in lines:
            if row:
                _check_width(row, header, path, lines.line_num)
                rows.append(row)
                at.append(lines.line_num)
        if not rows:
            raise DataError(f"{path} has a header and no rows")
        anomaly = entry.options.get("anomaly")
        cells = _floats([row[:-1] for row in rows], header, at, path)
        last = [[row[-1]] for row in rows]
        if anomaly is None:
            y = labels(_floats(last, header[-1:], at, path, len(header)), path)
        else:
            y = labels([label for (label,) in last], path, str(anomaly))
        return Raw(cells, y, tuple(header[:-1]))


def _check_width(row: list[str], header: list[str], path: Path, line: int) -> None:
    if len(row) != len(header):
        raise DataError(
            f"{path}, line {line}: {len(row)} cells where the header has {len(header)} columns"
        )


def _floats(
    rows: list[list[str]], header: list[str], at: list[int], path: Path, first: int = 1
) -> np.ndarray:
    """The cells as numbers; one that is none is named by line and column (counted from `first`)."""
    try:
        table = np.array(rows).astype(np.float64)
        if np.isfinite(table).all():
            return table
    except ValueError:
        pass
    for row, line in zip(rows, at, strict=True):
        for place, cell in enumerate(row):
            if not _is_number(cell):
                raise DataError(
                    f"{path}, line {line}, column {first + place} ({header[place]}): "
                    f"{cell!r} is no finite number"
                )
    raise AssertionError("numpy refuses a cell that Python takes")


def _is_number(cell: str) -> bool:
    try:
        return bool(np.isfinite(np.float64(cell)))
    except ValueError:
        return False


def read_arff(entry: Entry, paths: Sequence[Path]) -> Raw:
    """Numeric attributes, and a last one whose declared value (options.anomaly) is the anomaly."""
    (path,) = paths
    with reading(path, "ARFF"):
        with open(path, encoding="utf-8") as file:
            data, meta = arff.loadarff(file)
        *columns, label = meta.names()
        odd = [name for name in columns if meta[name][0] != "numeric"]
        if odd or not columns:
            raise DataError(f"{path}: attributes {odd or meta.names()} are not numeric columns")
        X = np.column_stack([data[name] for name in columns])
        anomaly = entry.options.get("anomaly")
        values = data[label]
        if values.dtype.kind == "S":
            values = np.char.decode(values, "utf-8")
            anomaly = None if anomaly is None else str(anomaly)
        return Raw(numbers(X, "the table", path), labels(values, path, anomaly), tuple(columns))
