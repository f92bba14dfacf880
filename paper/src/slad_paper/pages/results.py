"""Results of detectors on rows of a table, gathered from the records of single runs.

A failed run and a missing run are reported differently; neither counts as a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slad_paper.pages.document import Cell
from slad_paper.pages.records import Record, Seeds, datasets, detectors, seeds_place
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS, OUT_OF_MEMORY, Row


@dataclass(frozen=True)
class Result:
    """One detector on one row of a table: a dataset, or several averaged seed by seed (MVTec)."""

    runs: tuple[Seeds, ...]
    """The seeds with a value, in the order of `values`."""
    values: Mapping[str, tuple[float, ...]]
    failed: tuple[Record, ...] = ()
    """Runs without a value, including refused ones."""
    gaps: tuple[str, ...] = ()
    """Datasets of the row that lack runs which other datasets of it have."""

    @property
    def ok(self) -> bool:
        """Whether there is a number to show: at least one run succeeded and none failed."""
        return bool(self.runs) and not self.failed

    def mean(self, metric: str) -> float:
        return float(np.mean(self.values[metric]))

    def std(self, metric: str) -> float | None:
        """Standard deviation over the runs (divided by n); None for a single run."""
        return float(np.std(self.values[metric])) if len(self.runs) > 1 else None

    def shown(self, metric: str) -> str:
        """The number as tables print it, or why there is none."""
        if not self.ok:
            return self.why()
        std = self.std(metric)
        return f"{self.mean(metric):.3f}" + (f" ± {std:.3f}" if std is not None else "")

    def why(self) -> str:
        """In a few words why there is no number; the notes give the full reasons."""
        if self.failed and all(record.refused for record in self.failed):
            return OUT_OF_MEMORY
        if self.failed:
            failed = next(record for record in self.failed if not record.refused)
            return f"failed: {short_reason(failed)}"
        return f"incomplete: {len(self.gaps)} without runs" if self.gaps else "no run"

    @property
    def tried(self) -> bool:
        """Whether there is any run, successful or not."""
        return bool(self.runs or self.failed or self.gaps)

    def numbers(self, metric: str) -> tuple[int, float | None, float | None]:
        """Runs, mean and standard deviation, as CSV files have them."""
        known = self.ok
        return (
            len(self.runs),
            self.mean(metric) if known else None,
            self.std(metric) if known else None,
        )


Results = Mapping[str, Mapping[str, Result]]
"""Name of a row (or dataset, or source) -> detector -> result."""


def gather(records: Sequence[Record], row: Sequence[str]) -> dict[str, Result]:
    """The result of every detector on a row of datasets, even without any run."""
    here = [record for record in records if record.dataset in row]
    return {
        name: _result([record for record in here if record.detector == name], row)
        for name in detectors(records)
    }


def main_rows(records: Sequence[Record]) -> list[Row]:
    """The rows of the paper's main table that have records."""
    seen = set(datasets(records))
    return [row for row in printed.rows() if seen & set(row.datasets)]


def gather_rows(records: Sequence[Record], rows: Sequence[Row]) -> Results:
    return {row.name: gather(records, row.datasets) for row in rows}


def best_cells(results: Mapping[str, Result], names: Sequence[str], metric: str) -> list[Cell]:
    """The named detectors' numbers on a row; the best of all its detectors is marked."""
    means = {key: round(each.mean(metric), 3) for key, each in results.items() if each.ok}
    best = max(means.values(), default=None)
    return [
        Cell(results[name].shown(metric), name in means and means[name] == best) for name in names
    ]


def _result(records: Sequence[Record], row: Sequence[str]) -> Result:
    by_dataset: dict[str, dict[Seeds, Record]] = {name: {} for name in row}
    for record in records:
        by_dataset[record.dataset][record.seeds] = record
    asked = sorted({record.seeds for record in records}, key=seeds_place)
    failed = tuple(record for record in records if record.metrics is None)
    complete = [seeds for seeds in asked if all(seeds in runs for runs in by_dataset.values())]
    gaps = [name for name, runs in by_dataset.items() if asked and set(asked) - set(runs)]
    done = [] if failed else complete
    values = {
        metric: tuple(
            float(np.mean([_value(by_dataset[name][seeds], metric) for name in row]))
            for seeds in done
        )
        for metric in METRICS
    }
    return Result(tuple(done), values, failed, tuple(gaps))


def _value(record: Record, metric: str) -> float:
    assert record.metrics is not None
    return record.metrics[metric]


# -- notes below a table ---------------------------------------------------------------------------


def run_notes(records: Sequence[Record], results: Results) -> list[str]:
    """What failed, who has fewer runs, and which datasets differ between runs."""
    return [
        *failures(records),
        *(f"fewer runs: {line}" for line in uneven(results)),
        *(f"{name}: {what}" for name, what in different_data(records).items()),
    ]


def main_table_notes(records: Sequence[Record], rows: Sequence[Row]) -> list[str]:
    """What keeps our numbers from being compared with the printed ones."""
    notes = []
    if caps := [f"{count:,}" for count in row_caps(records)]:
        notes.append(
            f"runs used at most {' or '.join(caps)} rows of a dataset, the paper all: do not "
            "compare them with its numbers"
        )
    return notes + [
        f"{row.name}: our data are {row.note}, not the paper's file; its printed numbers are for "
        "orientation"
        for row in rows
        if row.note
    ]


def missing_rows(rows: Sequence[Row]) -> list[str]:
    away = [row.name for row in printed.rows() if row not in rows]
    return [f"no records, so not shown: {', '.join(away)}"] if away else []


def short_reason(record: Record) -> str:
    """The kind of failure: the text before the first colon."""
    return (record.reason or "").split(":")[0].strip()


def failures(records: Iterable[Record]) -> list[str]:
    """A line for each detector, dataset and reason of failed runs, and for each refused one."""
    runs: Counter[tuple[str, str]] = Counter()
    failed: Counter[tuple[str, str, str]] = Counter()
    refused: dict[tuple[str, str], list[str]] = {}
    for record in records:
        run, reason = (record.detector, record.dataset), " ".join((record.reason or "").split())
        runs[run] += 1
        if record.refused:  # the reasons differ in the memory that was free
            refused.setdefault(run, []).append(reason.partition(":")[2].strip() or reason)
        elif record.metrics is None:
            failed[*run, reason] += 1
    lines = [
        f"failed: {detector} on {dataset}, {count} of {runs[detector, dataset]} runs: {reason}"
        for (detector, dataset, reason), count in failed.items()
    ]
    return lines + [
        f"{OUT_OF_MEMORY} (refused before it began): {detector} on {dataset}, {len(reasons)} of "
        f"{runs[detector, dataset]} runs: {reasons[0]}"
        for (detector, dataset), reasons in refused.items()
    ]


def uneven(results_of: Results) -> list[str]:
    """Detectors with fewer runs than others."""
    lines: dict[str, list[str]] = {}
    for row, results in results_of.items():
        for detector, (have, expected) in _counts(results).items():
            if 0 < have < expected:
                lines.setdefault(f"{detector} has {have} of {expected} runs", []).append(row)
        for detector, result in results.items():
            if result.gaps:
                names = ", ".join(result.gaps)
                lines.setdefault(f"{detector} lacks runs of {names}", []).append(row)
    return [f"{line} on {', '.join(rows)}" for line, rows in lines.items()]


def _counts(results: Mapping[str, Result]) -> dict[str, tuple[int, int]]:
    """The number of runs of each detector, and of all runs that its kind of detector has."""
    every = {seeds for result in results.values() for seeds in result.runs}
    splits = {split for split, _ in every}
    seeded = {seeds for seeds in every if seeds[1] is not None}
    counts = {}
    for detector, result in results.items():
        deterministic = all(model is None for _, model in result.runs)
        counts[detector] = (len(result.runs), len(splits) if deterministic else len(seeded))
    return counts


def row_caps(records: Iterable[Record]) -> list[int]:
    """The limits on the rows of a dataset under which runs were made; empty without limits."""
    return sorted({rows for _, rows in (record.data for record in records) if rows is not None})


def unranked(records: Sequence[Record], results_of: Results) -> dict[str, str]:
    """Datasets on which not every detector has a comparable result, each with the reason."""
    left_out = different_data(records)
    for dataset, results in results_of.items():
        absent = [f"{name} {result.why()}" for name, result in results.items() if not result.ok]
        if absent:
            left_out[dataset] = "; ".join(absent)
    return left_out


def different_data(records: Iterable[Record]) -> dict[str, str]:
    """Datasets of which runs used different files or numbers of rows, each with what differs."""
    seen: dict[str, set[tuple[str | None, int | None]]] = {}
    for record in records:
        if record.metrics is not None:
            seen.setdefault(record.dataset, set()).add(record.data)
    found = {}
    for name, forms in seen.items():
        if len({checksum for checksum, _ in forms}) > 1:
            found[name] = "runs used different files"
        elif len(forms) > 1:
            caps = sorted("all" if rows is None else f"at most {rows:,}" for _, rows in forms)
            found[name] = f"runs used different numbers of rows ({', '.join(caps)})"
    return found
