"""The page on data errors planted in real tables: how many are among the strangest rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, Value
from slad_paper.pages.names import NEIGHBOR_SCALE
from slad_paper.pages.tables import comparison, marked, table

CANDIDATES = ("learned-signals", NEIGHBOR_SCALE)
"""The first of these that has records is compared with all others."""
GOAL = 1.3
"""How many times the precision of the best other detector the candidate is to have."""
BEHIND = 0.05
"""By more than this it is to be behind none on any table."""
OVERALL = "all errors"


@dataclass(frozen=True)
class Result:
    """What a detector found in a table, draw by draw."""

    table: str
    detector: str
    draws: Sequence[Mapping[str, Any]]

    @property
    def precision(self) -> float:
        return fmean(draw["precision"] for draw in self.draws)

    def found(self, kind: str) -> float | None:
        """The part of the errors of a kind that is found; None where there are none."""
        parts = [draw["found"][kind] for draw in self.draws if kind in draw["found"]]
        return fmean(parts) if parts else None

    def place(self, kind: str) -> float | None:
        """The part of the rows that is stranger than the middle one of these errors."""
        places = [place for draw in self.draws for place in draw["places"].get(kind, ())]
        return median(places) if places else None


Results = Mapping[str, Mapping[str, Result]]
"""Detector -> table -> result."""


def report(records: Sequence[CaseRecord]) -> Report:
    results, left_out = _complete(records)
    kinds = _kinds(results)
    candidate = next((name for name in CANDIDATES if name in results), None)
    brief: list[Part] = [
        Notes([*_about(records, results), *left_out]),
        Heading("Errors among the k strangest rows, mean of the tables"),
        comparison(
            ["detector", OVERALL, *kinds],
            {name: _means(results[name], kinds) for name in results},
        ),
    ]
    if candidate and len(results) > 1:
        brief += [
            Heading(f"{candidate} and the others"),
            Notes(list(_verdicts(results, candidate))),
            _against(results, candidate),
        ]
    details: list[Part] = [
        Heading("Table by table"),
        _by_table(results),
        Heading("Rows that are stranger than the middle error of a kind"),
        _places(results, kinds),
        Heading("Tables, and where they come from"),
        _sources(records),
    ]
    title = "Data errors planted in real tables: are they found?"
    return Report("planted-errors", title, brief, details, {"cells": _cells(results, kinds)})


def means(records: Sequence[CaseRecord]) -> dict[str, dict[str, float | None]]:
    """Detector -> the part of all errors, and of each kind, that is found."""
    results, _ = _complete(records)
    kinds = _kinds(results)
    columns = (OVERALL, *kinds)
    return {name: dict(zip(columns, _means(results[name], kinds), strict=True)) for name in results}


def _complete(records: Sequence[CaseRecord]) -> tuple[Results, list[str]]:
    """The results on tables of which every detector has a record, and what is left out."""
    found: dict[str, dict[str, Result]] = {}
    for record in records:
        name, of = record.settings["detector"], record.settings["table"]
        found.setdefault(name, {})[of] = Result(of, name, record.result["draws"])
    every = dict.fromkeys(of for mine in found.values() for of in mine)
    shared = [of for of in every if all(of in mine for mine in found.values())]
    results = {name: {of: mine[of] for of in shared} for name, mine in found.items()}
    missing = [of for of in every if of not in shared]
    note = f"Left out, as not every detector has a record: {', '.join(missing)}."
    return results, [note] if missing else []


def _kinds(results: Results) -> list[str]:
    draws = [draw for mine in results.values() for each in mine.values() for draw in each.draws]
    return list(dict.fromkeys(kind for draw in draws for kind in draw["errors"]))


def _means(of_tables: Mapping[str, Result], kinds: Sequence[str]) -> list[float | None]:
    overall = fmean(each.precision for each in of_tables.values())
    return [overall, *(_mean(each.found(kind) for each in of_tables.values()) for kind in kinds)]


def _mean(values: Iterator[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _about(records: Sequence[CaseRecord], results: Results) -> list[str]:
    given = records[0].settings
    tables = len(next(iter(results.values())))
    return [
        f"{tables} tables of mixed columns, at most {given['rows']:,} rows drawn of each; "
        f"{given['each']} errors of each kind that the columns allow (fewer in small tables: "
        f"errors are in a tenth of the rows at most), {len(given['seeds'])} draws.",
        "Every table is judged as slad detect does: each row by a model that did not see it, but "
        "that learned from other rows with errors.",
        "k is the number of errors, so the first column is precision and recall alike; then the "
        "part of each kind that is found. Rows that tie count as if drawn at random.",
        "Rows that are odd by themselves are errors to nobody here and take places among the k. "
        "Some errors cannot be seen: 4 °C as 39 °F is a warm day.",
    ]


def _verdicts(results: Results, candidate: str) -> Iterator[str]:
    mine = results[candidate]
    others = {name: _means(each, ())[0] or 0.0 for name, each in results.items()}
    own = others.pop(candidate)
    best = max(others, key=lambda name: others[name])
    yield (
        f"{own / max(others[best], 1e-9):.2f} times the mean precision of {best}, the best other "
        f"one ({own:.3f} and {others[best]:.3f}); the goal is {GOAL}."
    )
    lost = {of: -each for of, each in _differences(results, candidate).items() if each < -BEHIND}
    text = ", ".join(f"{of} by {lost[of]:.3f}" for of in sorted(lost, key=lambda of: -lost[of]))
    yield (
        f"Behind the best other one of a table by more than {BEHIND} on {len(lost)} of "
        f"{len(mine)} tables{': ' if text else ''}{text}; the goal is none."
    )


def _differences(results: Results, candidate: str) -> dict[str, float]:
    """Table -> precision of the candidate less that of the best other detector there."""
    return {
        of: each.precision - max(results[o][of].precision for o in results if o != candidate)
        for of, each in results[candidate].items()
    }


def _against(results: Results, candidate: str) -> Table:
    lines = []
    own = _means(results[candidate], ())[0] or 0.0
    for name in results:
        if name == candidate:
            continue
        theirs = _means(results[name], ())[0] or 0.0
        gaps = {
            of: each.precision - results[name][of].precision
            for of, each in results[candidate].items()
        }
        worst = min(gaps, key=lambda of: gaps[of])
        lines.append(
            [
                name,
                f"{own / max(theirs, 1e-9):.2f}",
                sum(gap > 0 for gap in gaps.values()),
                sum(gap < 0 for gap in gaps.values()),
                f"{gaps[worst]:+.3f} ({worst})",
            ]
        )
    return table(["against", "ratio of means", "tables ahead", "behind", "worst table"], lines)


def _by_table(results: Results) -> Table:
    tables = list(next(iter(results.values())))
    rows = {of: [mine[of].precision for mine in results.values()] for of in tables}
    return _best_of_rows(["table", *results], rows)


def _best_of_rows(header: Sequence[str], rows: Mapping[str, Sequence[float]]) -> Table:
    return table(header, ([name, *marked(values)] for name, values in rows.items()), numbers=True)


def _places(results: Results, kinds: Sequence[str]) -> Table:
    values = {
        name: [_mean(each.place(kind) for each in mine.values()) for kind in kinds]
        for name, mine in results.items()
    }
    return comparison(["part of the rows, mean of the tables", *kinds], values, lowest=True)


def _sources(records: Sequence[CaseRecord]) -> Table:
    seen = {record.settings["table"]: record.result for record in records}
    rows = (
        [
            name,
            found["about"],
            f"{found['source']} ({found['version']})",
            found["licence"],
            f"{found['draws'][0]['rows']:,} x {found['columns']}",
            sum(found["draws"][0]["errors"].values()),
        ]
        for name, found in seen.items()
    )
    return table(["table", "rows are", "package: file", "licence", "size used", "errors"], rows)


def _cells(results: Results, kinds: Sequence[str]) -> list[dict[str, Value]]:
    return [
        {
            "table": of,
            "detector": name,
            "kind": kind or OVERALL,
            "found": each.found(kind) if kind else each.precision,
            "middle_place": each.place(kind) if kind else None,
        }
        for name, mine in results.items()
        for of, each in mine.items()
        for kind in (None, *kinds)
        if kind is None or each.found(kind) is not None
    ]
