"""Standings over datasets: average ranks, first places, tests, and their tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from slad_paper.pages import statistics
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Table, Value
from slad_paper.pages.results import Result
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOPS = (2, 4)
LARGEST_MATRIX = 12
"""Up to so many detectors the p-values of all pairs are one table."""


@dataclass(frozen=True)
class Standings:
    """All detectors under one metric, best average rank first."""

    metric: str
    names: list[str]
    values: np.ndarray
    """Mean over the runs: a row for each dataset, a column for each detector."""
    places: np.ndarray
    average: list[float]
    pairs: list[statistics.Pair]

    @property
    def title(self) -> str:
        return METRICS[self.metric]

    @property
    def extent(self) -> str:
        return "1 dataset" if len(self.values) == 1 else f"{len(self.values)} datasets"


def standings_of(
    metric: str,
    names: Sequence[str],
    ranked: Sequence[str],
    results: Mapping[str, Mapping[str, Result]],
) -> Standings:
    values = np.array([[results[row][name].mean(metric) for name in names] for row in ranked])
    average = statistics.ranks(values).mean(axis=0)
    order = sorted(range(len(names)), key=lambda at: (average[at], names[at]))
    values = values[:, order]
    return Standings(
        metric,
        [names[at] for at in order],
        values,
        statistics.ranks(values),
        [float(average[at]) for at in order],
        statistics.pairwise(values),
    )


COLUMNS = ("avg. rank", *(f"{sign}top{top}" for top in TOPS for sign in "#%"), "mean")
CSV_COLUMNS = ("rank", *(f"top{top}{end}" for top in TOPS for end in ("", "_percent")), "mean")


def summary_table(standing: Standings) -> Table:
    """Average rank, first places and mean of every detector; the best of each column is marked."""
    columns = _summary_columns(standing)
    best = [min(columns[0]), *(max(column) for column in columns[1:])]
    formats = [".2f", *["d", ".1f"] * len(TOPS), ".3f"]
    rows = [
        [Cell(name)]
        + [
            Cell(format(column[at], form), column[at] == top)
            for column, form, top in zip(columns, formats, best, strict=True)
        ]
        for at, name in enumerate(standing.names)
    ]
    return Table(["detector", *COLUMNS], rows, numbers=True)


def _summary_columns(standing: Standings) -> list[Sequence[float]]:
    columns: list[Sequence[float]] = [standing.average]
    for top in TOPS:
        counts = statistics.top(standing.places, top)
        columns += [counts, [100 * count / len(standing.places) for count in counts]]
    return [*columns, [float(mean) for mean in standing.values.mean(axis=0)]]


def friedman_line(standing: Standings) -> str:
    test = statistics.friedman(standing.values)
    if test is None:
        return "Friedman's test needs three detectors and two datasets or more: not made"
    statistic, p = test
    k, n = len(standing.names), len(standing.values)
    verdict = "differ" if p < statistics.SIGNIFICANCE else "cannot be told apart"
    size = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    return (
        f"Friedman's test, {k} detectors on {n} datasets: chi-square {statistic:.1f}, {size}; "
        f"the average ranks {verdict} at the level {statistics.SIGNIFICANCE}"
    )


P_VALUES = (
    "p-values of Wilcoxon's signed-rank test over the datasets (two-sided), corrected after Holm "
    f"for all pairs; bold: below {statistics.SIGNIFICANCE}"
)


SIGNIFICANT = (
    "by Wilcoxon's signed-rank test over the {over} (two-sided), corrected after Holm for all "
    f"{{count}} pairs, at the level {statistics.SIGNIFICANCE}; the p-values of all pairs are in "
    "{report}-pairs.csv"
)


def difference_parts(standings: Sequence[Standings], report: str, over: str) -> list[Part]:
    """Which differences are hardly chance: all p-values, or, of many detectors, who beats whom.

    `report` is the one whose file of pairs has them all, and `over` what each rank is of.
    """
    parts: list[Part] = []
    for standing in standings:
        if len(standing.names) < 2:
            continue
        parts.append(Heading(f"{standing.title}: is the difference chance?"))
        if len(standing.names) <= LARGEST_MATRIX:
            parts += [p_value_table(standing), Notes([P_VALUES])]
        else:
            note = SIGNIFICANT.format(count=len(standing.pairs), over=over, report=report)
            parts += [significance_table(standing), Notes([note])]
    return parts


def significance_table(standing: Standings) -> Table:
    """Whom every detector is significantly better and worse than."""
    better: dict[int, list[int]] = {at: [] for at in range(len(standing.names))}
    worse: dict[int, list[int]] = {at: [] for at in range(len(standing.names))}
    for pair in standing.pairs:
        if pair.p_holm < statistics.SIGNIFICANCE:
            # By what the test saw, which need not be the order of the average ranks.
            ahead = (pair.wins, pair.median_difference) >= (pair.losses, -pair.median_difference)
            first, second = (pair.first, pair.second) if ahead else (pair.second, pair.first)
            better[first].append(second)
            worse[second].append(first)

    def shown(found: list[int]) -> str:
        names = ", ".join(standing.names[at] for at in sorted(found))
        return f"{len(found)}: {names}" if found else "–"

    rows = [
        [Cell(name), Cell(shown(better[at])), Cell(shown(worse[at]))]
        for at, name in enumerate(standing.names)
    ]
    return Table(["detector", "better than", "worse than"], rows)


def p_value_table(standing: Standings) -> Table:
    """Every detector (row) against those of a better average rank (columns)."""
    p = {(pair.second, pair.first): pair.p_holm for pair in standing.pairs}
    rows = []
    for at, name in enumerate(standing.names):
        cells = [
            Cell(_p(p[at, other]), p[at, other] < statistics.SIGNIFICANCE)
            if other < at
            else Cell("")
            for other in range(len(standing.names) - 1)
        ]
        rows.append([Cell(name), *cells])
    return Table(["detector", *standing.names[:-1]], rows, numbers=True)


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def summary_rows(standings: Sequence[Standings]) -> list[dict[str, Value]]:
    """Summaries in full precision."""
    rows: list[dict[str, Value]] = []
    for standing in standings:
        columns = dict(zip(CSV_COLUMNS, _summary_columns(standing), strict=True))
        for at, name in enumerate(standing.names):
            row: dict[str, Value] = {"metric": standing.metric, "detector": name}
            row["datasets"] = len(standing.values)
            rows.append(row | {title: column[at] for title, column in columns.items()})
    return rows


def pair_rows(standings: Sequence[Standings]) -> list[dict[str, Value]]:
    """All comparisons of two detectors, in full precision."""
    return [
        {
            "metric": standing.metric,
            "detector": standing.names[pair.first],
            "other": standing.names[pair.second],
            "wins": pair.wins,
            "ties": pair.ties,
            "losses": pair.losses,
            "median_difference": pair.median_difference,
            "p": pair.p,
            "p_holm": pair.p_holm,
        }
        for standing in standings
        for pair in standing.pairs
    ]


def pictures(standings: Sequence[Standings], over: str) -> list[Part]:
    """The diagrams of average ranks, and the values behind them: `over` says of what."""
    found: list[Part] = []
    for standing in standings:
        if len(standing.names) > 1:
            name = standing.metric.replace("_", "-")
            caption = f"{standing.title}: average ranks; a bar joins what does not differ"
            found.append(Picture(f"ranks-{name}", caption, partial(draw_ranks, standing)))
    if standings:
        draw = partial(draw_strips, standings)
        found.append(Picture("values", f"AUC over the {over}, a dot each", draw))
    return found


def _accented(names: Sequence[str]) -> list[str]:
    """Those compared with the paper's own method stand out in the pictures."""
    return [name for name in names if printed.compared_with(name) == printed.OURS]


def draw_ranks(standing: Standings) -> Figure:
    from slad_paper.pages.pictures import rank_diagram

    return rank_diagram(
        standing.names,
        standing.average,
        statistics.alike(standing.pairs, len(standing.names)),
        _accented(standing.names),
        f"{standing.title}: average rank over {standing.extent}",
    )


def draw_strips(standings: Sequence[Standings]) -> Figure:
    """All metrics with their detectors in the order of the first."""
    from slad_paper.pages.pictures import strips

    names = standings[0].names
    tables = {
        f"{standing.title} over {standing.extent}": standing.values[
            :, [standing.names.index(name) for name in names]
        ]
        for standing in standings
    }
    return strips(names, tables, _accented(names))


def draw_map(standing: Standings, datasets: Sequence[str]) -> Figure:
    """Every value, a line for each dataset; the darker, the nearer to the best of its line."""
    from slad_paper.pages.heat_map import Panel, heat_map

    values = standing.values
    behind = values - values.max(axis=1, keepdims=True)
    texts = [[f"{value:.2f}"[-3:] if value < 0.995 else "1.0" for value in row] for row in values]
    panel = Panel(f"{standing.title} on each dataset", behind, texts, best=behind > -0.0005)
    return heat_map([panel], datasets, standing.names, reach=(-0.3, 0.0), shades="blues")
