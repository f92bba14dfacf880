"""The records of the study `tables`, as arrays over tables and over groups of tables."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from slad.core.errors import DataError
from slad.core.typing import Float
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.standings import TITLES, Standings, standings_from

LISTING = "tables.csv"
"""Beside the records: what their tables are, in their order."""
CASES = ("clean", "own", "mixed")


@dataclass(frozen=True, eq=False)
class InCase:
    """All detectors in one case, on the tables on which each of them has a result."""

    case: str
    names: list[str]
    values: Mapping[str, Float[np.ndarray, "tables detectors"]]
    """By metric."""
    collections: Sequence[str]
    groups: Sequence[str]
    seconds: Sequence[float | None]
    """Of each detector on all tables; None where they were not measured."""
    failures: Mapping[str, Mapping[str, str]]
    """Detector -> table -> why."""
    left_out: int
    """Tables on which a detector failed."""

    def over_groups(self, metric: str) -> Float[np.ndarray, "groups detectors"]:
        """A group counts once, as the mean of its tables."""
        _, place = np.unique(self.groups, return_inverse=True)
        sums = np.zeros((place.max() + 1, len(self.names)))
        np.add.at(sums, place, self.values[metric])
        return np.asarray(sums / np.bincount(place)[:, None])

    def in_collection(self, metric: str, collection: str) -> Float[np.ndarray, " detectors"]:
        """The mean over the tables of a collection."""
        mine = np.array(self.collections) == collection
        return np.asarray(self.values[metric][mine].mean(axis=0))

    def standing(self, metric: str) -> Standings:
        return standings_from(metric, self.names, self.over_groups(metric), "group")


def in_cases(records: Sequence[CaseRecord]) -> list[InCase]:
    """The cases that have records, in the order of `CASES`."""
    found = []
    for case in CASES:
        mine = [record for record in records if record.settings["case"] == case]
        if mine:
            found.append(_in_case(case, sorted(mine, key=_detector)))
    return found


def _in_case(case: str, records: Sequence[CaseRecord]) -> InCase:
    listed = _listing(records[0].path.with_name(LISTING))
    for record in records:
        if record.result["tables"] != len(listed):
            raise DataError(
                f"{record.path} has {record.result['tables']} tables and {LISTING} beside it "
                f"{len(listed)}: delete the record, and run it again"
            )
    every = {
        metric: np.array([record.result[metric] for record in records], dtype=float).T
        for metric in TITLES
    }
    whole = np.all([np.isfinite(values).all(axis=1) for values in every.values()], axis=0)
    if not whole.any():
        raise DataError(f"there is no table on which all detectors have a result in {case!r}")
    return InCase(
        case=case,
        names=[_detector(record) for record in records],
        values={metric: values[whole] for metric, values in every.items()},
        collections=[line["collection"] for line, keep in zip(listed, whole, strict=True) if keep],
        groups=[line["group"] for line, keep in zip(listed, whole, strict=True) if keep],
        seconds=[_sum(record.result["seconds"]) for record in records],
        failures={_detector(record): record.result["failures"] for record in records},
        left_out=int((~whole).sum()),
    )


def _detector(record: CaseRecord) -> str:
    return str(record.settings["detector"])


def _sum(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return sum(known) if known else None


def _listing(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            return list(csv.DictReader(lines))
    except FileNotFoundError:
        raise DataError(
            f"{path} is not there: it says which tables the records beside it are of, and "
            "`slad reproduce tables` writes it"
        ) from None
