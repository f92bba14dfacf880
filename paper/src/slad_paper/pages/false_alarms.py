"""The page on false alarms: how often promised rates held on real tables, and errors of scores.

python -m slad_paper.pages.false_alarms results/false-alarms results/score-errors --out docs/results
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from slad.core.errors import DataError
from slad_paper.pages import score_errors
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, Value, as_text, plain
from slad_paper.pages.records import natural
from slad_paper.pages.write import write

NAME = "false-alarms"
WAYS = {"cross": "cross", "by fold": "cross, counted by fold", "split": "split"}


def read(folder: Path, experiment: str) -> list[dict[str, Any]]:
    """The records of one experiment, by detector; slad first."""
    paths = sorted(
        folder.glob("*.json"), key=lambda path: (not path.stem.startswith("slad"), path.stem)
    )
    records = [json.loads(path.read_text("utf-8")) for path in paths]
    if not records or any(record.get("experiment") != experiment for record in records):
        raise DataError(f"{folder} should hold records of {experiment} and nothing else")
    return records


def report(alarms: Sequence[dict[str, Any]], errors: Sequence[dict[str, Any]]) -> Report:
    cells = [cell for record in alarms for cell in _cells(record)]
    parts: list[Part] = [
        Notes(list(_about(alarms))),
        Heading("Share of datasets inside"),
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
    return Report(NAME, "False alarms", parts, data={"rates": cells})


def _about(alarms: Sequence[dict[str, Any]]) -> Iterator[str]:
    count = len(alarms[0]["datasets"])
    yield (
        f"{count} real datasets, normal rows only: four fifths train and calibrate (cross: five "
        "folds; split: a quarter held out), the last fifth is fresh. The rate is the share of "
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
        "use: each fold's rows compared with a new row by that fold's member alone."
    )


def _cells(record: dict[str, Any]) -> Iterator[dict[str, Value]]:
    """One row of the CSV file for each dataset, calibration and level."""
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


def _grouped(cells: Sequence[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in cells:
        groups.setdefault((row["detector"], row["calibration"]), []).append(row)
    return groups


def _levels(rows: Sequence[dict[str, Any]]) -> list[float]:
    return sorted({row["level"] for row in rows})


def _inside(cells: Sequence[dict[str, Any]]) -> Table:
    levels = _levels(cells)
    header = ["detector", "calibration"]
    for level in levels:
        header += [f"{level:.0%}: plain", "exact", "above", "mean rate"]
    rows = []
    for (detector, way), mine in _grouped(cells).items():
        line = [detector, way]
        for level in levels:
            at = [row for row in mine if row["level"] == level and row["rate"] is not None]
            for kind in ("plain", "exact"):
                line.append(f"{sum(_side(row, kind) == 'inside' for row in at)}/{len(at)}")
            line.append(str(sum(_side(row, "plain") == "above" for row in at)))
            line.append(f"{_mean([row['rate'] for row in at]):.2%}")
        rows.append(plain(line))
    return Table(header, rows)


def _outside(cells: Sequence[dict[str, Any]]) -> Table:
    header = [
        "dataset",
        "detector",
        "calibration",
        "level",
        "rate",
        "plain",
        "exact",
        "more draws",
        "repeated",
    ]
    rows = []
    for row in cells:
        if row["rate"] is None or row["calibration"] == WAYS["by fold"]:
            continue
        if _side(row, "plain") == "inside":
            continue
        repeated = "" if row["repeated"] is None else f"{row['repeated']:.0%}"
        spans = [f"{row[f'{k}_low']:.2%} to {row[f'{k}_high']:.2%}" for k in ("plain", "exact")]
        spans[1] += "" if _side(row, "exact") == "inside" else ", outside"
        named = [row["dataset"], row["detector"], row["calibration"], f"{row['level']:.0%}"]
        more = "" if row["more_rate"] is None else f"{row['more_rate']:.2%}"
        rows.append(plain([*named, f"{row['rate']:.2%}", *spans, more, repeated]))
    return Table(header, rows)


def _about_outside(alarms: Sequence[dict[str, Any]]) -> list[str]:
    count = len(alarms[0].get("more_seeds", ()))
    return [
        f"More draws: the mean rate of {count} other draws of normal rows, folds and detector. "
        "Where it is near the level, the one draw was chance. Where it stays below, the members "
        "of cross disagree about rows: their mean varies less than each of them, and flags less.",
        "Repeated: the share of training rows that equal another one. Ties count as stranger, so "
        "that they can only lower a rate.",
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
            rows.append(plain([record["detector"], way, *means, f"{none}/{len(found)}"]))
    return Table(header, rows)


def _found(cells: Sequence[dict[str, Any]]) -> Table:
    levels = _levels(cells)
    rows = []
    for (detector, way), mine in _grouped(cells).items():
        line = [detector, way]
        for level in levels:
            at = [row["found"] for row in mine if row["level"] == level and row["rate"] is not None]
            line.append(f"{_mean(at):.1%}")
        rows.append(plain(line))
    return Table(["detector", "calibration", *(f"at {level:.0%}" for level in levels)], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("alarms", type=Path, help="folder of records of false alarms")
    parser.add_argument("errors", type=Path, help="folder of records of score errors")
    parser.add_argument("--out", type=Path, default=Path("report", NAME))
    options = parser.parse_args()
    made = build(options.alarms, options.errors)
    write(made, options.out)
    print(as_text(made), end="")


def build(alarms: Path, errors: Path) -> Report:
    return report(read(alarms, "false-alarms"), read(errors, "score-errors"))


if __name__ == "__main__":
    main()
