"""The 867 one-class tables of OddBench and OvRBench, and the three ways of learning from them.

`tables/` of the data root holds them, with a manifest. A table is given as normal training rows
and test rows with labels. Tables of one `group` share their source: they stay together in every
split and count as one.

"clean": learn from the normal rows, judge the test rows. "own": learn from a table that holds
anomalies, and judge its rows; that is `slad detect FILE`. "mixed": learn from training rows of
which a few are anomalies, judge other rows. Which rows take part is drawn by the name of the
table, so that it is the same for everyone who asks.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from slad.core.errors import DataError
from slad.core.names import unknown
from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad_paper.datasets.store import VARIABLE, checksum, data_root

CASES = ("clean", "own", "mixed")
OWN_RATES = (0.01, 0.02, 0.05, 0.1)
MIXED_RATES = (0.01, 0.02, 0.05)
MOST_OWN = 2000
"""Normal rows of a table that judges itself."""


@dataclass(frozen=True)
class OneClassTable:
    """A row of the manifest."""

    name: str
    collection: str
    group: str
    features: int
    sha256: str

    @property
    def path(self) -> Path:
        return data_root() / "tables" / f"{self.name}.npz"


@dataclass(frozen=True)
class Rows:
    """What is learned from and what is judged. In the case "own" they are the same rows."""

    train: Float[np.ndarray, "n d"]
    judged: Float[np.ndarray, "m d"]
    labels: Int[np.ndarray, " m"]
    """1 for an anomaly; of the judged rows."""
    own: bool


def one_class_tables() -> tuple[OneClassTable, ...]:
    """All tables, in the order of their manifest; an error where they are not at hand."""
    return _listed(data_root() / "tables" / "manifest.csv")


@cache
def _listed(manifest: Path) -> tuple[OneClassTable, ...]:
    if not manifest.is_file():
        raise DataError(
            f"{manifest} is not there: set {VARIABLE} to a folder whose tables/ holds the "
            "one-class tables (paper/docs/tables.md says where they come from)"
        )
    with open(manifest, encoding="utf-8", newline="") as lines:
        return tuple(
            OneClassTable(
                row["name"], row["collection"], row["group"], int(row["features"]), row["sha256"]
            )
            for row in csv.DictReader(lines)
        )


def one_class_table(name: str) -> OneClassTable:
    """The table of this name."""
    known = {table.name: table for table in one_class_tables()}
    if name not in known:
        raise unknown("table", name, known)
    return known[name]


def rows_of(table: OneClassTable, case: str) -> Rows:
    """The rows of a table in one of the `CASES`. Judged rows come in a random order."""
    if case not in CASES:
        raise unknown("case", case, CASES)
    if not table.path.is_file():
        raise DataError(f"{table.path} is not there, though its manifest lists it: fetch it again")
    if checksum(table.path) != table.sha256:
        raise DataError(f"{table.path} is not the file that its manifest means: fetch it again")
    with np.load(table.path, allow_pickle=False) as stored:
        train, test, y = stored["train"], stored["test"], stored["y"].astype(np.int64)
    if case == "clean":
        return Rows(train, test, y, own=False)
    rng = Streams(0).numpy(f"{case} {table.name}")
    odd = rng.permutation(np.flatnonzero(y == 1))
    if case == "own":
        return _own(train, test, y, odd, float(rng.choice(OWN_RATES)), rng)
    return _mixed(train, test, y, odd, float(rng.choice(MIXED_RATES)), rng)


def _own(
    train: np.ndarray,
    test: np.ndarray,
    y: np.ndarray,
    odd: np.ndarray,
    rate: float,
    rng: np.random.Generator,
) -> Rows:
    """Fewer normal rows where the anomalies are too few for the rate."""
    normal = np.concatenate([train, test[y == 0]])
    most = min(MOST_OWN, round(len(odd) * (1 - rate) / rate), len(normal))
    normal = normal[rng.permutation(len(normal))[:most]]
    strange = test[odd[: max(1, round(len(normal) * rate / (1 - rate)))]]
    order = rng.permutation(len(normal) + len(strange))
    rows = np.concatenate([normal, strange])[order]
    return Rows(rows, rows, (order >= len(normal)).astype(np.int64), own=True)


def _mixed(
    train: np.ndarray,
    test: np.ndarray,
    y: np.ndarray,
    odd: np.ndarray,
    rate: float,
    rng: np.random.Generator,
) -> Rows:
    """At most half of the anomalies train."""
    among = odd[: min(len(odd) // 2, round(len(train) * rate / (1 - rate)))]
    judged = np.setdiff1d(np.arange(len(test)), among)
    judged = judged[rng.permutation(len(judged))]
    rows = np.concatenate([train, test[among]])
    return Rows(rows[rng.permutation(len(rows))], test[judged], y[judged], own=False)
