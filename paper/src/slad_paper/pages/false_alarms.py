"""The page on false alarms: how often promised rates held on real tables, and errors of scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from slad.core.errors import DataError
from slad_paper.pages import score_errors
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, Value
from slad_paper.pages.names import explained
from slad_paper.pages.records import natural
from slad_paper.pages.tables import table
from slad_paper.runner.printed import RECIPES
from slad_paper.runner.records import flat_records

NAME = "false-alarms"
WAYS = {"cross": "cross", "by fold": "cross, counted by fold", "split": "split"}
KINDS = ("plain", "exact")
"""Of intervals."""


def read_report(alarms: Path, errors: Path) -> Report:
    """The report of the records in two folders."""
    return report(_read(alarms, NAME), _read(errors, "score-errors"))


def _read(folder: Path, experiment: str) -> list[dict[str, Any]]:
    """The records of a study by detector; what is compared with the paper's method comes first."""
    records = flat_records(folder)
    if not records or any(record.get("experiment") != experiment for record in records):
        raise DataError(f"{folder} should hold records of {experiment} and nothing else")
    return sorted(records, key=lambda each: (each["detector"] not in RECIPES, each["detector"]))


def report(alarms: Sequence[dict[str, Any]], errors: Sequence[dict[str, Any]]) -> Report:
    cells = [cell for record in alarms for cell in _cells(record)]
    parts: list[Part] = [
        Notes(list(_about(alarms))),
        Heading("Datasets whose rate is inside the interval"),
        _inside(cells),
        Notes(list(_small(cells))),
        Heading("Every rate outside its plain interval"),
        _outside(cells),
        Notes(_about_outside(alarms)),
        Heading("False discoveries"),
        _discoveries(alarms),
        Heading("Anomalies found, for information"),
        _found(cells),
        *score_errors.parts(errors),
    ]
    return explained(Report(NAME, "False alarms", parts, data={"rates": cells}))


def _about(alarms: Sequence[dict[str, Any]]) -> Iterator[str]:
    count = len(alarms[0]["datasets"])
    yield (
        f"{count} real datasets, normal rows only: four fifths train and calibrate (cross: five "
        "folds; split: a quarter held out), the last fifth is fresh. The rate is the fraction of "
        "fresh rows with a p-value up to the level, and should be that level. Sets that share "
        "their normal rows count once; Thrombin, with 139,351 features, was left out for time."
    )
    yield (
        f"Plain: the {alarms[0]['interval']:.0%} interval of a binomial with the promised rate, as "
        "if the threshold were known without error. Exact: the beta-binomial one, which knows that "
        "the threshold comes from finitely many calibration rows and is off by chance itself; "
        "split, with fewer of them, is off more."
    )
    yield (
        "Above: rates over the plain interval, where the promise fails; below it, the rule merely "
        "flags less than it may. Cross, counted by fold, is the alternative that slad does not "
        "use: each fold's rows compared with a new row by that fold's model alone."
    )


def _cells(record: dict[str, Any]) -> Iterator[dict[str, Value]]:
    """A row of the CSV file for each dataset, calibration and level."""
    for dataset in sorted(record["datasets"], key=lambda each: natural(each["dataset"])):
        for way, check in dataset["checks"].items():
            more = check.get("more_rates", ())
            for place, alarm in enumerate(check["alarms"]):
                row: dict[str, Value] = {
                    "detector": record["detector"],
                    "dataset": dataset["dataset"],
                    "calibration": WAYS[way],
                    "calibration_rows": check["rows"],
                    "fresh_rows": dataset["fresh"],
                    "level": alarm["level"],
                    "rate": alarm["rate"] if alarm["possible"] else None,
                    "found": alarm["found"] if alarm["possible"] else None,
                    "more_rate": _mean([rates[place] for rates in more]) if more else None,
                    "repeated": dataset["repeated"],
                }
                for kind, (low, high) in alarm["intervals"].items():
                    row |= {f"{kind}_low": low, f"{kind}_high": high}
                yield row


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


def _side(row: dict[str, Any], kind: str) -> str:
    if row["rate"] > row[f"{kind}_high"]:
        return "above"
    return "below" if row["rate"] < row[f"{kind}_low"] else "inside"


def _levels(rows: Sequence[dict[str, Any]]) -> list[float]:
    return sorted({row["level"] for row in rows})


def _by_level(
    cells: Sequence[dict[str, Any]],
) -> Iterator[tuple[tuple[str, str], list[list[dict[str, Any]]]]]:
    """Detector and calibration, and the rows with a rate at each level."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in cells:
        groups.setdefault((row["detector"], row["calibration"]), []).append(row)
    for group, mine in groups.items():
        known = [row for row in mine if row["rate"] is not None]
        yield group, [[row for row in known if row["level"] == each] for each in _levels(cells)]


def _inside(cells: Sequence[dict[str, Any]]) -> Table:
    header = ["detector", "calibration"]
    for level in _levels(cells):
        header += [f"{level:.0%}: plain", "exact", "above", "mean rate"]
    rows = []
    for group, at_levels in _by_level(cells):
        line: list[Any] = [*group]
        for at in at_levels:
            inside = [sum(_side(row, kind) == "inside" for row in at) for kind in KINDS]
            line += [f"{count}/{len(at)}" for count in inside]
            line.append(sum(_side(row, "plain") == "above" for row in at))
            line.append(f"{_mean([row['rate'] for row in at]):.2%}")
        rows.append(line)
    return table(header, rows)


def _outside(cells: Sequence[dict[str, Any]]) -> Table:
    header = ["dataset", "detector", "calibration", "level", "rate", *KINDS]
    rows = []
    for row in cells:
        if row["rate"] is None or row["calibration"] == WAYS["by fold"]:
            continue
        if _side(row, "plain") == "inside":
            continue
        spans = [f"{row[f'{k}_low']:.2%} to {row[f'{k}_high']:.2%}" for k in KINDS]
        spans[1] += "" if _side(row, "exact") == "inside" else ", outside"
        named = [row["dataset"], row["detector"], row["calibration"], f"{row['level']:.0%}"]
        more = "" if row["more_rate"] is None else f"{row['more_rate']:.2%}"
        repeated = "" if row["repeated"] is None else f"{row['repeated']:.0%}"
        rows.append([*named, f"{row['rate']:.2%}", *spans, more, repeated])
    return table([*header, "more draws", "repeated"], rows)


def _about_outside(alarms: Sequence[dict[str, Any]]) -> list[str]:
    count = len(alarms[0].get("more_seeds", ()))
    return [
        f"More draws: the mean rate of {count} other draws of normal rows, folds and detector. "
        "Where it is near the level, the one draw was chance. Where it stays below, the fold "
        "models of cross disagree about rows: their mean varies less than each of them, and "
        "flags less.",
        "Repeated: the fraction of training rows that equal another one. Ties count as stranger, "
        "so that they can only lower a rate.",
    ]


def _small(cells: Sequence[dict[str, Any]]) -> Iterator[str]:
    missing = sorted({(row["level"], row["dataset"]) for row in cells if row["rate"] is None})
    for level in sorted({level for level, _ in missing}):
        sets = [name for each, name in missing if each == level]
        yield (
            f"At {level:.0%} {len(sets)} datasets have fewer calibration rows in some calibration "
            f"than that level needs ({', '.join(sorted(sets, key=natural))}). slad refuses the "
            "level there, so they are not counted at it, neither as inside nor as outside."
        )


def _discoveries(alarms: Sequence[dict[str, Any]]) -> Table:
    header = ["detector", "calibration", "mean share of false flags", "anomalies found", "no flag"]
    rows = []
    for record in alarms:
        for way in ("cross", "split"):
            found = [each["checks"][way]["discoveries"] for each in record["datasets"]]
            shares = [each["false"] / max(1, each["false"] + each["true"]) for each in found]
            power = [each["true"] / each["anomalies"] for each in found]
            none = sum(each["false"] + each["true"] == 0 for each in found)
            means = [f"{_mean(each):.1%}" for each in (shares, power)]
            rows.append([record["detector"], way, *means, f"{none}/{len(found)}"])
    return table(header, rows)


def _found(cells: Sequence[dict[str, Any]]) -> Table:
    rows = (
        [*group, *(f"{_mean([row['found'] for row in at]):.1%}" for at in at_levels)]
        for group, at_levels in _by_level(cells)
    )
    return table(
        ["detector", "calibration", *(f"at {level:.0%}" for level in _levels(cells))], rows
    )
