"""What readers share: the table they give, its labels, and one kind of error for damaged files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from slad.core.errors import DataError
from slad.core.typing import Int, Table


@dataclass(frozen=True, eq=False)
class Raw:
    """A table as a file has it; columns are None where the file names none."""

    X: Table
    y: Int[np.ndarray, " n"]
    columns: tuple[str, ...] | None = None


@contextmanager
def reading(path: Path, kind: str) -> Iterator[None]:
    """Whatever numpy or scipy say of a damaged file, as an error that names the file."""
    try:
        yield
    except DataError:
        raise
    except MemoryError as error:
        raise DataError(
            f"{path} needs more memory than there is ({error}): it is too large for this machine, "
            "or damaged"
        ) from error
    except Exception as error:
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        raise DataError(
            f"{path} cannot be read as {kind} ({said}): it is damaged, cut short or of another kind"
        ) from error


def numbers(values: np.ndarray, name: str, path: Path) -> np.ndarray:
    """A table of rows by columns: floats as they are, integers as float64."""
    if values.ndim != 2:
        raise DataError(f"{path}: {name} has shape {values.shape}, not rows by columns")
    if values.dtype.kind not in "fiub":
        raise DataError(f"{path}: {name} holds {values.dtype}, not numbers")
    kept = values.dtype.kind == "f" and values.dtype.itemsize in (4, 8)
    return np.asarray(values, dtype=values.dtype.newbyteorder("=") if kept else np.float64)


def labels(values: Any, path: Path, anomaly: Any = None) -> Int[np.ndarray, " n"]:
    """1 for an anomaly: the rows that carry the declared value, or the 1 of labels 0 and 1."""
    flat = np.asarray(values)
    flat = flat.ravel() if flat.ndim == 2 and 1 in flat.shape else flat
    if flat.ndim != 1:
        raise DataError(f"{path}: labels have shape {flat.shape}, not one a row")
    found = np.unique(flat)
    if anomaly is not None:
        if anomaly not in found.tolist():
            raise DataError(f"{path}: no row is labelled {anomaly!r}, but {_shown(found)}")
        return np.asarray(flat == anomaly, dtype=np.int64)
    if flat.dtype.kind not in "fiub" or not np.isin(found, (0, 1)).all():
        raise DataError(
            f"{path}: labels are {_shown(found)}, not 0 and 1; the catalog can say which one is "
            "the anomaly (options.anomaly)"
        )
    return flat.astype(np.int64)


def _shown(found: np.ndarray) -> str:
    return ", ".join(map(repr, found[:5].tolist())) + (", ..." if len(found) > 5 else "")
