"""What the records say about a detector on a dataset.

A failed run and a run that is not there are told apart, and neither ever counts as a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from slad_paper.pages.records import Record, Seeds, detectors, seeds_place
from slad_paper.runner.printed import METRICS, OUT_OF_MEMORY


@dataclass(frozen=True)
class Result:
    """What the records say about one detector on one row of a table.

    A row is a dataset, or several whose mean is taken seed by seed (MVTec).
    """

    runs: tuple[Seeds, ...]
    """The seeds with a value, in the order of `values`."""
    values: Mapping[str, tuple[float, ...]]
    failed: tuple[Record, ...] = ()
    """Runs without a value, also those that were refused."""
    gaps: tuple[str, ...] = ()
    """Datasets of the row that lack runs which others of it have."""

    @property
    def ok(self) -> bool:
        """Whether there is a number to show: some run has ended well, and none has failed."""
        return bool(self.runs) and not self.failed

    def mean(self, metric: str) -> float:
        return float(np.mean(self.values[metric]))

    def std(self, metric: str) -> float | None:
        """Deviation over the runs (numpy's, divided by n); None for a single run."""
        return float(np.std(self.values[metric])) if len(self.runs) > 1 else None

    def shown(self, metric: str) -> str:
        """The number as tables print it."""
        std = self.std(metric)
        return f"{self.mean(metric):.3f}" + (f" ± {std:.3f}" if std is not None else "")

    def why(self) -> str:
        """In a few words why there is no number; the full reasons belong below the table."""
        if self.failed and all(record.refused for record in self.failed):
            return OUT_OF_MEMORY
        if self.failed:
            failed = next(record for record in self.failed if not record.refused)
            return f"failed: {short_reason(failed)}"
        return f"incomplete: {len(self.gaps)} without runs" if self.gaps else "no run"


def gather(records: Sequence[Record], row: Sequence[str]) -> dict[str, Result]:
    """Every detector's result on a row of datasets, also those without any run."""
    here = [record for record in records if record.dataset in row]
    return {
        name: _result([record for record in here if record.detector == name], row)
        for name in detectors(records)
    }


def is_best(results: Mapping[str, Result], name: str, metric: str) -> bool:
    """Whether a detector's mean is the highest; those that print the same are best together."""
    means = {key: round(each.mean(metric), 3) for key, each in results.items() if each.ok}
    return name in means and means[name] == max(means.values())


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


# -- what a reader of a table must know besides the numbers ----------------------------------------


def short_reason(record: Record) -> str:
    """The kind of failure: what stands before the first colon."""
    return (record.reason or "").split(":")[0].strip()


def failures(records: Iterable[Record]) -> list[str]:
    """What failed, one line for each detector, dataset and reason; what was refused, one each."""
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


def uneven(table: Mapping[str, Mapping[str, Result]]) -> list[str]:
    """Detectors with fewer runs than others; `table` is row -> detector -> result."""
    lines: dict[str, list[str]] = {}
    for row, results in table.items():
        for detector, (have, expected) in _counts(results).items():
            if 0 < have < expected:
                lines.setdefault(f"{detector} has {have} of {expected} runs", []).append(row)
        for detector, result in results.items():
            if result.gaps:
                names = ", ".join(result.gaps)
                lines.setdefault(f"{detector} lacks runs of {names}", []).append(row)
    return [f"{line} on {', '.join(rows)}" for line, rows in lines.items()]


def _counts(results: Mapping[str, Result]) -> dict[str, tuple[int, int]]:
    """Runs a detector has, and the runs that any detector of its kind has."""
    every = {seeds for result in results.values() for seeds in result.runs}
    splits = {split for split, _ in every}
    seeded = {seeds for seeds in every if seeds[1] is not None}
    counts = {}
    for detector, result in results.items():
        deterministic = all(model is None for _, model in result.runs)
        counts[detector] = (len(result.runs), len(splits) if deterministic else len(seeded))
    return counts


def row_caps(records: Iterable[Record]) -> list[int]:
    """The most rows that runs took of a dataset, where they did not take all."""
    return sorted({rows for _, rows in (record.data for record in records) if rows is not None})


def unranked(
    records: Sequence[Record], table: Mapping[str, Mapping[str, Result]]
) -> dict[str, str]:
    """Datasets on which not every detector has a result that compares, each with the reason."""
    left_out = different_data(records)
    for dataset, results in table.items():
        absent = [f"{name} {result.why()}" for name, result in results.items() if not result.ok]
        if absent:
            left_out[dataset] = "; ".join(absent)
    return left_out


def different_data(records: Iterable[Record]) -> dict[str, str]:
    """Datasets that not all runs saw in the same form, each with what differs."""
    seen: dict[str, set[tuple[str | None, int | None]]] = {}
    for record in records:
        if record.metrics is not None:
            seen.setdefault(record.dataset, set()).add(record.data)
    found = {}
    for name, forms in seen.items():
        if len({checksum for checksum, _ in forms}) > 1:
            found[name] = "runs saw different files"
        elif len(forms) > 1:
            caps = sorted("all" if rows is None else f"at most {rows:,}" for _, rows in forms)
            found[name] = f"runs took different numbers of rows ({', '.join(caps)})"
    return found
