"""The page on fits from a stream and by several processes, against one in memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from slad.reports.cases import CaseRecord
from slad.reports.claims import Claim, claims_table
from slad.reports.document import Heading, Notes, Part, Picture, Report, Table, Value, plain
from slad.reports.pictures import BAND, BLUE, GREY, INK, VERMILION, new_figure
from slad.reports.records import natural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEMORY = "memory"
LARGEST = 0.002
"""How far mean AUC-ROC may lie from that of one process in memory."""
GROWTH = 1.1
"""How much more memory four times the rows may take: as good as none."""
SAME = (
    f"asked here: is the mean AUC-ROC of a stream, of two and of four processes within {LARGEST} "
    "of that of one process that holds the table?"
)
CONSTANT = "asked here: does a streamed fit take the same memory whatever the number of rows?"
COLOURS = (BLUE, VERMILION, INK)


def report(records: Sequence[CaseRecord]) -> Report:
    ordered = sorted(records, key=lambda record: natural(record.case))
    same = [record for record in ordered if "ways" in record.result]
    large = sorted(
        (record for record in ordered if "peak_bytes" in record.result),
        key=lambda record: record.settings["rows"],
    )
    ways = list(same[0].result["ways"])
    brief: list[Part] = [claims_table(_claims(same, large))]
    brief += [Heading("AUC-ROC, mean over seeds"), _areas(same, ways), Notes(_about(same))]
    if large:
        brief += [Heading("Memory of a streamed fit"), _sizes(large), Notes([_about_memory()])]
    details: list[Part] = [
        Heading("AUC-PR, mean over seeds"),
        _areas(same, ways, "auc_pr"),
        Heading("Seconds of a fit, mean over seeds"),
        _seconds(same, ways),
        Notes(
            [
                "Of whole commands, each process importing its libraries, on a machine that did "
                "other work at the same time: no measure of speed."
            ]
        ),
        Picture("differences", "Every seed against memory", partial(_draw, same, ways[1:])),
    ]
    return Report(
        "sharded",
        "Fits from a stream and by several processes",
        brief,
        details,
        {"runs": _runs(same)},
    )


def _values(record: CaseRecord, way: str, metric: str) -> np.ndarray:
    return np.array([run[metric] for run in record.result["ways"][way]])


def _differences(record: CaseRecord, way: str, metric: str = "auc_roc") -> np.ndarray:
    """Of each seed, from memory."""
    return np.asarray(_values(record, way, metric) - _values(record, MEMORY, metric))


def _claims(same: Sequence[CaseRecord], large: Sequence[CaseRecord]) -> list[Claim]:
    found = {
        f"{record.case}, {way}": float(_differences(record, way).mean())
        for record in same
        for way in record.result["ways"]
        if way != MEMORY
    }
    within = [abs(value) <= LARGEST for value in found.values()]
    worst = max(found, key=lambda name: abs(found[name]))
    claims = [
        Claim.judged(
            SAME,
            within,
            f"{sum(within)} of {len(within)} are; the largest difference is {found[worst]:+.4f} "
            f"({worst})",
        )
    ]
    if len(large) > 1:
        few, many = large[0], large[-1]
        ratio = many.result["peak_bytes"] / few.result["peak_bytes"]
        claims.append(
            Claim.judged(
                CONSTANT,
                [ratio <= GROWTH],
                f"{_gigabytes(few.result['peak_bytes'])} for {few.settings['rows']:,} rows, "
                f"{_gigabytes(many.result['peak_bytes'])} for {many.settings['rows']:,}",
            )
        )
    return claims


def _areas(same: Sequence[CaseRecord], ways: Sequence[str], metric: str = "auc_roc") -> Table:
    rows = []
    for record in same:
        memory = _values(record, MEMORY, metric)
        cells = [f"{memory.mean():.4f} ± {memory.std():.4f}"]
        for way in ways[1:]:
            mean = _values(record, way, metric).mean()
            cells.append(f"{mean:.4f} ({mean - memory.mean():+.4f})")
        rows.append(plain([record.settings["dataset"], record.settings["detector"], *cells]))
    return Table(["dataset", "recipe", *ways], rows)


def _about(same: Sequence[CaseRecord]) -> list[str]:
    first = same[0].settings
    return [
        f"{len(first['seeds'])} seeds, {first['epochs']} epochs for both recipes; half of the "
        "normal rows train, a quarter of these is held out. In brackets: from memory.",
        "The first weights, subspaces and held-out rows of a seed are the same in all ways; in "
        "memory a group's rows are drawn with replacement, in a stream every row comes equally "
        "often. The ± is the spread between seeds, which are splits as well.",
    ]


def _sizes(large: Sequence[CaseRecord]) -> Table:
    rows = [
        plain(
            [
                f"{record.settings['rows']:,} x {record.settings['columns']}",
                _gigabytes(record.result["table_bytes"]),
                _gigabytes(record.result["peak_bytes"]),
                f"{record.result['seconds']:,.0f}",
            ]
        )
        for record in large
    ]
    return Table(["table", "its cells", "peak memory", "seconds"], rows)


def _about_memory() -> str:
    return (
        "Made-up numbers in 20 Parquet files, one epoch. The peak is that of the whole process, "
        "of which the libraries alone take some 0.4 GB."
    )


def _gigabytes(count: float) -> str:
    return f"{count / 2**30:.2f} GB"


def _seconds(same: Sequence[CaseRecord], ways: Sequence[str]) -> Table:
    rows = [
        plain(
            [
                record.settings["dataset"],
                record.settings["detector"],
                *(f"{_values(record, way, 'seconds').mean():.1f}" for way in ways),
            ]
        )
        for record in same
    ]
    return Table(["dataset", "recipe", *ways], rows)


def _draw(same: Sequence[CaseRecord], ways: Sequence[str]) -> Figure:
    """One line a dataset and recipe; a dot for every seed, a tick for their mean."""
    figure = new_figure(7.6, 1.5 + 0.5 * len(same))
    axis = figure.add_subplot()
    axis.axvspan(-LARGEST, LARGEST, color=BAND, zorder=0)
    axis.axvline(0, color=GREY, lw=0.8)
    shifts = np.linspace(-0.25, 0.25, len(ways)) if len(ways) > 1 else np.zeros(1)
    for way, shift, colour in zip(ways, shifts, COLOURS, strict=False):
        for at, record in enumerate(same):
            values = _differences(record, way)
            label = way if at == 0 else None
            axis.plot(values, np.full(len(values), at + shift), "o", color=colour, ms=4, alpha=0.5)
            axis.plot(values.mean(), at + shift, "|", color=colour, ms=11, mew=2.4, label=label)
    axis.set_yticks(range(len(same)), [record.case for record in same])
    axis.set_ylim(len(same) - 0.5, -0.5)
    axis.tick_params(axis="y", length=0)
    axis.set_xlabel(f"AUC-ROC less that of memory; bars: means; grey: within {LARGEST}")
    figure.legend(loc="outside upper center", ncols=len(ways))
    return figure


def _runs(same: Sequence[CaseRecord]) -> list[dict[str, Value]]:
    return [
        {
            "dataset": record.settings["dataset"],
            "detector": record.settings["detector"],
            "way": way,
            **run,
        }
        for record in same
        for way, runs in record.result["ways"].items()
        for run in runs
    ]
