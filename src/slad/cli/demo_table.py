"""The table of `slad demo`: visits to invented clinics, with real measurements of tumours.

The measurements are scikit-learn's breast-cancer table: all benign rows, and ten malignant rows as
real anomalies. The other columns are random but depend on one another: each clinic has its own
devices, walk-ins have no referral, visits are in office hours. Eight benign rows are corrupted on
purpose, each in a different way.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.random import PCG64, Generator

from slad.core.files import written_aside

TUMOURS = 10
FIRST_DAY = datetime(2023, 1, 2, tzinfo=UTC)
"""A Monday."""
WEEKS = 52
MEASURED = {
    "radius": "mean radius",
    "texture": "mean texture",
    "perimeter": "mean perimeter",
    "smoothness": "mean smoothness",
    "compactness": "mean compactness",
    "concavity": "mean concavity",
    "concave_points": "mean concave points",
    "symmetry": "mean symmetry",
    "worst_radius": "worst radius",
    "worst_concave_points": "worst concave points",
}
"""Column of the demo table -> column of scikit-learn's table."""
DEVICES = {
    "Harbour": ("Cytoscan 2", "Cytoscan 3"),
    "Hill": ("Cytoscan 3",),
    "Northgate": ("Lumen A", "Lumen B"),
    "Riverside": ("Lumen B",),
}
SHARES = (0.4, 0.25, 0.2, 0.15)
REFERRALS = ("family doctor", "screening", "specialist")
FINDINGS = (
    "no complaints",
    "small lump, soft",
    "small lump, mobile",
    "tender to touch",
    "cyst seen",
)
SIDES = ("left side", "right side", "both sides")
ADVICE = ("see again in a year", "see again in six months", "sample sent to the lab")

Row = dict[str, str]


@dataclass(frozen=True)
class Visits:
    """Rows as text, and which of them are anomalies: no detector may see that."""

    rows: list[Row]
    tumours: frozenset[int]
    planted: dict[int, str]
    """Row number, from 0 -> how the row was corrupted."""

    def write(self, path: Path) -> None:
        """Write the rows as CSV."""
        with written_aside(path) as aside, open(aside, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(self.rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows)


def visits(seed: int = 0) -> Visits:
    """Make the table; the same seed gives the same table."""
    from sklearn.datasets import load_breast_cancer

    source = load_breast_cancer()
    places = [list(source.feature_names).index(name) for name in MEASURED.values()]
    rng = Generator(PCG64(seed))
    malignant = rng.choice(np.flatnonzero(source.target == 0), TUMOURS, replace=False)
    chosen = rng.permutation(np.concatenate([np.flatnonzero(source.target == 1), malignant]))
    rows = [
        {"patient": f"P-{number + 1001}"}
        | _administration(rng)
        | dict(zip(MEASURED, map(str, source.data[place, places].tolist()), strict=True))
        for number, place in enumerate(chosen)
    ]
    tumours = frozenset(np.flatnonzero(source.target[chosen] == 0).tolist())
    benign = np.flatnonzero(source.target[chosen] == 1)
    planted = {}
    for place, (what, corrupt) in zip(
        rng.choice(benign, len(CORRUPTIONS), replace=False).tolist(),
        CORRUPTIONS.items(),
        strict=True,
    ):
        corrupt(rows[place])
        planted[place] = what
    return Visits(rows, tumours, planted)


def _administration(rng: Generator) -> Row:
    clinic = str(rng.choice(list(DEVICES), p=SHARES))
    walk_in = rng.random() < 0.2
    minutes = int(rng.integers(0, 9 * 6)) * 10
    day = 7 * int(rng.integers(WEEKS)) + int(rng.integers(5))
    return {
        "visit": (FIRST_DAY + timedelta(days=day, hours=8, minutes=minutes)).isoformat(),
        "clinic": clinic,
        "device": str(rng.choice(DEVICES[clinic])),
        "age": str(int(np.clip(rng.normal(47, 11), 21, 84))),
        "walk_in": "yes" if walk_in else "no",
        "referral": "" if walk_in else str(rng.choice(REFERRALS, p=(0.5, 0.4, 0.1))),
        "note": ", ".join(str(rng.choice(words)) for words in (FINDINGS, SIDES, ADVICE)),
    }


def _at_night(row: Row) -> None:
    moment = datetime.fromisoformat(row["visit"])
    sunday = moment + timedelta(days=6 - moment.weekday())
    row["visit"] = sunday.replace(hour=3, minute=10).isoformat()


def _other_device(row: Row) -> None:
    own = DEVICES[row["clinic"]][0].split()[0]
    others = [each for devices in DEVICES.values() for each in devices if not each.startswith(own)]
    row["device"] = others[0]


def _swapped(row: Row) -> None:
    row["radius"], row["texture"] = row["texture"], row["radius"]


CORRUPTIONS: dict[str, Callable[[Row], None]] = {
    "perimeter in centimetres": lambda row: row.update(
        perimeter=f"{float(row['perimeter']) / 10:.4g}"
    ),
    "a clinic that does not exist": lambda row: row.update(clinic="Nrothgate"),
    "a visit at 3 on a Sunday night": _at_night,
    "a device of another clinic": _other_device,
    "three measurements missing": lambda row: row.update(
        smoothness="", compactness="", symmetry=""
    ),
    "radius and texture swapped": _swapped,
    "a visit in 2042": lambda row: row.update(visit="2042" + row["visit"][4:]),
    "a note unlike all others": lambda row: row.update(note="TEST!! do not bill 00000"),
}
