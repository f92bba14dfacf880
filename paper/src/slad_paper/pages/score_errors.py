"""Part of a page: whether errors of scores predict how far scores move under another seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from slad_paper.pages.document import Heading, Notes, Part
from slad_paper.pages.tables import table

HEADER = (
    "detector",
    "calibration",
    "within two errors",
    "movement / error",
    "changed flags set aside",
    "rows set aside",
    "flags that change",
    "sure flags that change",
)
UNKNOWN = "no error"


def parts(records: Sequence[dict[str, Any]]) -> list[Part]:
    lines = [
        _line(record["detector"], way, [each[way] for each in record["datasets"]])
        for record in records
        for way in ("cross", "split")
    ]
    return [
        Heading("How far scores move under another seed"),
        Notes(list(_about(records))),
        table(HEADER, lines),
    ]


def _about(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    first = records[0]
    names = ", ".join(each["dataset"] for each in first["datasets"])
    yield (
        f"Two seeds, all else alike, on {names}: none of them ADBench's, and none on which the "
        f"errors were worked out. Flags at {first['level']:.0%} false alarms, rows set aside at a "
        f"confidence of {first['confidence']:.0%}. Fresh normal rows, and a tenth of anomalies."
    )
    yield (
        "Within two errors: rows whose two scores differ by at most two errors of the difference; "
        "95 % if errors are right. Movement / error: 1 if errors are right, below 1 where they are "
        "larger than need be."
    )
    yield (
        "A detector that draws nothing at random (knn-5) moves only by its folds, less than its "
        "fold models differ: they also show what other training rows would change."
    )


def _line(detector: str, way: str, sets: Sequence[dict[str, Any]]) -> list[str]:
    if not all("unsure" in each for each in sets):
        return [detector, way, *[UNKNOWN] * (len(HEADER) - 2)]
    return [
        detector,
        way,
        f"{_mean(sets, 'within_two_errors'):.1%}",
        f"{_mean(sets, 'typical_ratio'):.2f}",
        _ratio(sets, "unsure_changed", "changed"),
        _ratio(sets, "unsure", "rows"),
        _ratio(sets, "flags_changed", "flagged"),
        _ratio(sets, "sure_flags_changed", "sure_flags"),
    ]


def _mean(sets: Sequence[dict[str, Any]], name: str) -> float:
    return float(sum(each[name] for each in sets) / len(sets))


def _ratio(sets: Sequence[dict[str, Any]], part: str, whole: str) -> str:
    return f"{sum(each[part] for each in sets) / max(1, sum(each[whole] for each in sets)):.1%}"
