"""Normal rows of tables: those the method was chosen on, and those it is rated on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from slad.core.errors import DataError
from slad.core.seeds import Streams
from slad.core.typing import Float
from slad_paper.datasets import load
from slad_paper.datasets.store import data_root

RATED = (
    "6_cardio",
    "12_fault",
    "19_landsat",
    "22_magic.gamma",
    "27_PageBlocks",
    "29_Pima",
    "38_thyroid",
    "41_Waveform",
    "43_WDBC",
    "44_Wilt",
)
"""By catalog name. Nothing of the method was chosen on these."""
MOST_ROWS = 2000
HELD_OUT = 400


@dataclass(frozen=True)
class NormalRows:
    """Rows that train, and rows in which culprits are planted."""

    name: str
    train: Float[np.ndarray, "n d"]
    held_out: Float[np.ndarray, "m d"]


def normal_rows(name: str, seed: int) -> NormalRows:
    """A random split of a table's normal rows; columns of one or two values are left out."""
    rows = CHOSEN_ON[name]() if name in CHOSEN_ON else _of_catalog(name)
    order = Streams(seed).numpy(f"{name}, rows").permutation(len(rows))
    held = min(HELD_OUT, len(rows) // 3)
    train, held_out = rows[order[held : held + MOST_ROWS]], rows[order[:held]]
    varied = np.array([len(np.unique(column)) > 2 for column in train.T])
    return NormalRows(name, train[:, varied], held_out[:, varied])


def _of_catalog(name: str) -> np.ndarray:
    data = load(name, download=False)
    rows: np.ndarray = np.asarray(data.X, dtype=np.float64)[np.asarray(data.y) == 0]
    return rows


def _file(path: str) -> Path:
    found = data_root() / "timeseries" / path
    if not found.exists():
        raise DataError(f"{found} is not there: the choice was made on this table among others")
    return found


def _csv(path: str, columns: slice, delimiter: str = ",") -> np.ndarray:
    rows = np.genfromtxt(_file(path), delimiter=delimiter, skip_header=1)[:, columns]
    complete: np.ndarray = rows[np.isfinite(rows).all(axis=1)]
    return complete


def _server(machine: str) -> np.ndarray:
    with np.load(_file(f"SMD_machine-{machine}.npz")) as arrays:
        name = next((name for name in arrays.files if "train" in name.lower()), arrays.files[0])
        return np.asarray(arrays[name], dtype=np.float64)


def _diabetes() -> np.ndarray:
    from sklearn.datasets import load_diabetes

    return np.asarray(load_diabetes(scaled=False).data)


def _iris() -> np.ndarray:
    from sklearn.datasets import load_iris

    return np.asarray(load_iris().data)


CHOSEN_ON: dict[str, Callable[[], np.ndarray]] = {
    "skab": lambda: _csv("SKAB/anomaly-free_anomaly-free.csv", slice(1, 9), ";"),
    "omi-1": lambda: _csv("omi-1_train.csv", slice(1, 20)),
    "smd-1-1": lambda: _server("1-1"),
    "smd-1-6": lambda: _server("1-6"),
    "msl": lambda: _csv("MSL-GDN_train.csv", slice(1, None)),
    "diabetes": _diabetes,
    "iris": _iris,
}
"""Tables the method was chosen on: sensors and servers without a fault, and two of scikit-learn."""
