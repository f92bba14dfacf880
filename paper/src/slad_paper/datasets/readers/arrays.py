"""Files of arrays: npz (dense, sparse by rows) and MATLAB's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.io import loadmat
from scipy.sparse import csr_array

from slad.core.errors import DataError
from slad_paper.datasets.catalog import Entry
from slad_paper.datasets.readers.raw import Raw, labels, numbers, reading

HDF5 = b"\x89HDF\r\n\x1a\n"


def read_npz(entry: Entry, paths: Sequence[Path]) -> Raw:
    """Arrays X and y; `columns`, if it is there, names the columns."""
    (path,) = paths
    with reading(path, "npz"):
        arrays = _arrays(path, ("X", "y"), ("columns",))
        names = tuple(map(str, arrays["columns"])) if "columns" in arrays else None
        y = labels(arrays["y"], path, entry.options.get("anomaly"))
        return Raw(numbers(arrays["X"], "X", path), y, names)


def read_csr(entry: Entry, paths: Sequence[Path]) -> Raw:
    """A table sparse by rows: data, indices, indptr, shape, and labels y."""
    (path,) = paths
    with reading(path, "npz of a sparse table"):
        arrays = _arrays(path, ("data", "indices", "indptr", "shape", "y"))
        y = labels(arrays.pop("y"), path, entry.options.get("anomaly"))
        shape = tuple(map(int, arrays.pop("shape")))
        data = numbers(arrays["data"][None], "data", path)[0].astype(np.float32)
        X = csr_array((data, arrays["indices"], arrays["indptr"]), shape=shape)
        X.check_format(full_check=True)
        return Raw(X, y)


def read_mat(entry: Entry, paths: Sequence[Path]) -> Raw:
    """MATLAB's files up to version 7 with X and y, as ODDS has them."""
    (path,) = paths
    with reading(path, "a MATLAB file"):
        with open(path, "rb") as file:  # scipy leaves a damaged file open
            head = file.read(512 + len(HDF5))
            if HDF5 in (head[: len(HDF5)], head[512:]):
                raise DataError(
                    f"{path} is MATLAB 7.3 (HDF5), which is not read: save it in MATLAB with "
                    "save(name, 'X', 'y', '-v7'), or in Python as npz with arrays X and y"
                )
            file.seek(0)
            arrays = loadmat(file, variable_names=("X", "y"))
        _need(arrays.keys(), ("X", "y"), path)
        y = labels(arrays["y"], path, entry.options.get("anomaly"))
        return Raw(numbers(arrays["X"], "X", path), y)


def _arrays(
    path: Path, needed: Sequence[str], welcome: Sequence[str] = ()
) -> dict[str, np.ndarray]:
    with open(path, "rb") as file:  # numpy leaves a damaged file open
        archive = np.load(file, allow_pickle=False)
        if isinstance(archive, np.ndarray):
            raise DataError(f"{path} is a single array: an npz with {', '.join(needed)} is needed")
        _need(archive.files, needed, path)
        wanted = [*needed, *(name for name in welcome if name in archive.files)]
        return {name: _array(archive, name, path) for name in wanted}


def _array(archive: np.lib.npyio.NpzFile, name: str, path: Path) -> np.ndarray:
    try:
        array: np.ndarray = archive[name]
        return array
    except ValueError as error:
        if "allow_pickle" not in str(error):
            raise
        raise DataError(
            f"{path}: array {name} holds Python objects, which slad does not load because they "
            "can run code. If you trust the file, np.load it with allow_pickle=True and np.savez "
            f"it anew with {name}.astype(float)"
        ) from error


def _need(found: object, needed: Sequence[str], path: Path) -> None:
    there = list(found)  # type: ignore[call-overload]
    missing = [name for name in needed if name not in there]
    if missing:
        raise DataError(f"{path} has no array {' or '.join(missing)}, but {', '.join(there)}")
