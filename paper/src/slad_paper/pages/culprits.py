"""The page on planted culprits, from the records of slad_paper.studies.culprits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slad.core.errors import DataError
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, Value
from slad_paper.pages.names import NEIGHBOR_SCALE, SUBSPACES, explained
from slad_paper.pages.records import natural
from slad_paper.pages.tables import marked, table
from slad_paper.runner.records import flat_records

Result = Mapping[str, Any]
PLANTS = {
    "spike": "a value one to three standard deviations beyond all that were seen",
    "swapped value": "the value of another normal row, itself usual (and often no less fitting)",
    "broken dependency": "low for high in a column that correlates by 0.7 or more with another",
    "new gap": "nothing in a column that is never missing",
    "half a pair of gaps": "one of two columns that are always missing together is not",
}
OURS, SLAD = f"occlusion ({NEIGHBOR_SCALE})", f"occlusion ({SUBSPACES})"
WAYS = {
    OURS: (NEIGHBOR_SCALE, "occlusion"),
    SLAD: (SUBSPACES, "occlusion"),
    "z-scores": (SUBSPACES, "z-scores"),
    "SLAD's loss shares": (SUBSPACES, "loss shares"),
    "occlusion (knn-5)": ("knn-5", "occlusion"),
    "occlusion (iforest)": ("iforest", "occlusion"),
}
"""Column of the tables -> detector and method of a result."""
ON_FEW = {
    SLAD: (SUBSPACES, "occlusion, SHAP's rows"),
    "SHAP's permutation sampler": (SUBSPACES, "SHAP"),
}


@dataclass(frozen=True)
class Rate:
    """The mean over tables of hit rates, and its standard error for these tables."""

    mean: float
    error: float
    rows: int
    tables: int

    def __str__(self) -> str:
        return f"{100 * self.mean:.0f} ± {100 * self.error:.1f}"


def rate(results: Sequence[Result], hits: str, of: str = "rows") -> Rate | None:
    """Every table counts the same; None where there was nothing to hit."""
    parts = [(result[hits] / result[of], result[of]) for result in results if result[of]]
    if not parts:
        return None
    variance = sum(share * (1 - share) / rows for share, rows in parts) / len(parts) ** 2
    mean = sum(share for share, _ in parts) / len(parts)
    return Rate(mean, variance**0.5, sum(rows for _, rows in parts), len(parts))


def report(records: Sequence[dict[str, Any]], choice: dict[str, Any] | None) -> Report:
    results = [
        result | {"dataset": record["dataset"]}
        for record in records
        for result in record["results"]
    ]
    given = records[0]["parameters"]
    brief: list[Part] = [
        Notes([*_about(records), _behind(results)]),
        Heading("The culprit is the first column named"),
        _table(results, WAYS, "top1"),
        Heading("The culprit is among the first three"),
        _table(results, WAYS, "top3"),
        Heading("First column named, among the rows that the detector flags"),
        Notes(["flagged: a score above 95 % of the normal rows that were held out"]),
        _table(results, WAYS, "flagged_top1", "flagged"),
        Heading("Against SHAP"),
        Notes(_against_shap(results, given["shap_rows"], given["shap_background"])),
        _table(results, ON_FEW, "top1"),
    ]
    details: list[Part] = [Heading("Table by table"), _by_dataset(results)]
    if choice:
        details += [Heading("How the replacement values were chosen"), *_choice(choice["results"])]
    made = Report(
        name="culprits",
        title="Planted culprits: does an explanation name the right column?",
        brief=brief,
        details=details,
        data={"rates": _rows(results)},
    )
    return explained(made)


def _about(records: Sequence[dict[str, Any]]) -> list[str]:
    given = records[0]["parameters"]
    names = ", ".join(record["dataset"] for record in records)
    return [
        f"{given['rows']} held-out normal rows of each of {len(records)} tables get a culprit "
        f"planted in one column, in five ways; all rows count, flagged or not. Tables: {names}.",
        "Percentages are means over the tables, ± one standard error of drawing the rows; the "
        "best is bold.",
        *(f"{plant}: {what}." for plant, what in PLANTS.items()),
        f"Occlusion tries the values of {given['draws']} comparable rows of {given['reference']}; "
        "it was chosen on other tables (last section).",
        "z-scores cannot see a culprit whose value is usual by itself. Loss shares hand the loss "
        "of each of SLAD's groups out to the features of its subspaces.",
        "An explanation cannot name what its detector does not see: an isolation forest never "
        "splits a feature that was constant in training, so new gaps escape it.",
    ]


def _behind(results: Sequence[Result]) -> str:
    """Where other explanations of SLAD hit better than occlusion, to a whole percent."""
    behind = []
    for hits, place in (("top1", "first"), ("top3", "first three")):
        for plant in PLANTS:
            ours = rate(_chosen(results, plant, WAYS[SLAD]), hits)
            for way in ("z-scores", "SLAD's loss shares"):
                theirs = rate(_chosen(results, plant, WAYS[way]), hits)
                if ours and theirs and round(100 * theirs.mean) > round(100 * ours.mean):
                    behind.append(f"{plant}, {place}: {way} {theirs}, occlusion {ours}")
    return f"Where occlusion is behind: {'; '.join(behind) or 'nowhere'}."


def _table(
    results: Sequence[Result], ways: Mapping[str, tuple[str, str]], hits: str, of: str = "rows"
) -> Table:
    rows = {
        plant: [rate(_chosen(results, plant, way), hits, of) for way in ways.values()]
        for plant in PLANTS
    }
    lines = ([plant, *_cells(rates)] for plant, rates in rows.items() if any(rates))
    return table(["%", *ways], lines, numbers=True)


def _cells(rates: Sequence[Rate | None]) -> list[Any]:
    means = [100 * each.mean if each else None for each in rates]
    return marked(means, [str(each or "–") for each in rates], digits=0)


def _chosen(results: Sequence[Result], plant: str, way: tuple[str, str]) -> list[Result]:
    return [
        result
        for result in results
        if result["plant"] == plant and (result["detector"], result["method"]) == way
    ]


def _against_shap(results: Sequence[Result], few: int, background: int) -> list[str]:
    def seconds(method: str) -> float:
        return sum(float(result["seconds"]) for result in results if result["method"] == method)

    ratio = seconds("SHAP") / seconds("occlusion, SHAP's rows")
    return [
        f"SHAP takes long, so this is on {few} rows of each kind and table, with {background} "
        "background rows and its 500 evaluations a row; both columns are of the same rows and "
        f"models. SHAP took {ratio:.0f} times as long."
    ]


def _by_dataset(results: Sequence[Result]) -> Table:
    found = {
        (each["dataset"], plant): f"{100 * each['top1'] / each['rows']:.0f}"
        for plant in PLANTS
        for each in _chosen(results, plant, WAYS[OURS])
    }
    lines = (
        [name, *(found.get((name, plant)) for plant in PLANTS)]
        for name in dict.fromkeys(result["dataset"] for result in results)
    )
    return table([f"%, {OURS}, first", *PLANTS], lines, numbers=True)


def _choice(results: Sequence[Result]) -> list[Part]:
    lines = []
    for way in dict.fromkeys(result["way"] for result in results):
        mine = [result for result in results if result["way"] == way]
        rates = [rate([r for r in mine if r["plant"] == plant], "top1") for plant in PLANTS]
        lines.append([way, *map(str, rates)])
    datasets = ", ".join(dict.fromkeys(result["dataset"] for result in results))
    note = f"first column named, {SUBSPACES}, on {datasets}; none of these is in the tables above"
    return [Notes([note]), table(["% by replacement value", *PLANTS], lines, numbers=True)]


def _rows(results: Sequence[Result]) -> list[dict[str, Value]]:
    names = ("dataset", "plant", "detector", "method", "rows", "top1", "top3", "flagged",
             "flagged_top1", "flagged_top3")  # fmt: skip
    return [{name: result[name] for name in names} for result in results]


def read_report(folder: Path) -> Report:
    """The report of the records in a folder."""
    records = flat_records(folder)
    rated = [record for record in records if "dataset" in record]
    if not rated:
        raise DataError(f"{folder} has no records: run slad reproduce culprits")
    choice = [record for record in records if "dataset" not in record]
    rated.sort(key=lambda record: natural(record["dataset"]))
    return report(rated, choice[0] if choice else None)
