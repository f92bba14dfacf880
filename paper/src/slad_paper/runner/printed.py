"""The paper's two tables as printed (printed.toml), and what of ours is compared with them.

>>> thyroid = row_of("thyroid")
>>> thyroid.printed("auc_roc", "SLAD")
Printed(mean=0.995, std=0.001)
>>> compared_with("slad-released")
'SLAD'
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

METRICS = {"auc_roc": "AUC-ROC", "auc_pr": "AUC-PR"}
"""The two metrics of the paper: their keys in records, and their printed names."""

OUT_OF_MEMORY = "OOM"
OURS = "SLAD"
"""The paper's own method."""
RECIPES = ("slad-released", "slad-paper", "slad-subspaces", "slad", "neighbor-scale")
"""What is compared with it here: the authors' code, their text, our former and present settings of
it, and the default detector, which is another method."""


@dataclass(frozen=True)
class Printed:
    """A printed number with its printed standard deviation."""

    mean: float
    std: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.std:.3f}"


@dataclass(frozen=True)
class Row:
    """One of the ten rows of the main table: a dataset, or the mean of the 15 sets of MVTec."""

    title: str
    datasets: tuple[str, ...]
    numbers: Mapping[str, Mapping[str, Printed | None]]
    """Metric -> method -> number; None where the paper prints OOM."""
    bold: Mapping[str, tuple[str, ...]]
    note: str = ""
    available: bool = True
    scaled: bool = True

    @property
    def name(self) -> str:
        """The title, with the note behind it."""
        return f"{self.title} ({self.note})" if self.note else self.title

    def printed(self, metric: str, method: str) -> Printed | None:
        return self.numbers[metric][method]


@dataclass(frozen=True)
class Standing:
    """A method's places on ADBench, as printed; percentages are of all its datasets."""

    rank: float
    top2: int
    top2_percent: float
    top4: int
    top4_percent: float


def methods() -> tuple[str, ...]:
    """The paper's methods in the order of its main table."""
    return tuple(_document()["methods"])


def rows() -> tuple[Row, ...]:
    """The main table."""
    return tuple(_row(entry) for entry in _document()["effectiveness"])


def row_of(dataset: str) -> Row | None:
    """The row of the main table that one of our datasets belongs to."""
    return next((row for row in rows() if dataset in row.datasets), None)


def adbench() -> dict[str, dict[str, Standing]]:
    """The ADBench table: method -> metric -> standing."""
    return {
        entry["method"]: {metric: Standing(**entry[metric]) for metric in METRICS}
        for entry in _document()["adbench"]["rows"]
    }


def adbench_datasets() -> int:
    """How many datasets the ADBench table is over."""
    return int(_document()["adbench"]["datasets"])


def compared_with(detector: str) -> str | None:
    """The printed method one of our detectors is compared with, if any.

    Parameters in brackets do not matter: `slad[n_neighbors=3]` goes with `slad`.
    """
    return compared().get(detector.partition("[")[0])


def compared() -> dict[str, str]:
    """Our detector -> the printed method it is compared with."""
    return dict(_document()["compared"])


def stand_ins() -> dict[str, str]:
    """Printed method -> the one detector of ours that stands for it in a contest of the eight."""
    first: dict[str, str] = {}
    for detector, method in compared().items():
        first.setdefault(method, detector)
    return {method: first[method] for method in methods()}


def remark(method: str) -> str | None:
    """What should be known of a printed method."""
    found: str | None = _document()["remarks"].get(method)
    return found


def group(name: str) -> tuple[str, ...] | None:
    """The detectors that a group's name stands for, if it is one."""
    found = _document()["groups"].get(name)
    return None if found is None else tuple(found)


def ordered(detectors: Iterable[str]) -> list[str]:
    """Those with a printed counterpart first, in the paper's order; the others by name.

    >>> ordered(["ae", "rca", "slad", "slad-released"])
    ['slad-released', 'slad', 'rca', 'ae']
    """
    places, own = [*methods(), None], list(compared())

    def place(name: str) -> tuple[int, int, str]:
        base = name.partition("[")[0]
        within = own.index(base) if base in own else len(own)
        return places.index(compared_with(name)), within, name

    return sorted(detectors, key=place)


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("printed.toml").read_text("utf-8"))


def _row(entry: dict[str, Any]) -> Row:
    plain = {key: value for key, value in entry.items() if key not in METRICS}
    plain["datasets"] = tuple(plain["datasets"])
    plain["bold"] = {metric: tuple(names) for metric, names in plain["bold"].items()}
    numbers = {
        metric: {method: _number(value) for method, value in entry[metric].items()}
        for metric in METRICS
    }
    return Row(numbers=numbers, **plain)


def _number(value: list[float] | str) -> Printed | None:
    return None if value == OUT_OF_MEMORY else Printed(float(value[0]), float(value[1]))
