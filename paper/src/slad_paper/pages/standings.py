"""Standings over datasets: average ranks, first places, tests of differences, and their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slad_paper.pages import statistics
from slad_paper.pages.document import Cell, Heading, Notes, Part, Table, Value
from slad_paper.pages.results import Results
from slad_paper.pages.tables import NOTHING, long, table
from slad_paper.runner.printed import METRICS

TOPS = (2, 4)
TITLES = METRICS | {"tpr_at_1": "TPR at 1 % FPR"}
LARGEST_MATRIX = 12
"""For at most so many detectors one table shows the p-values of all pairs."""


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
    unit: str = "dataset"
    """What a row is."""

    @property
    def title(self) -> str:
        return TITLES[self.metric]

    @property
    def extent(self) -> str:
        return f"{len(self.values)} {self.unit}{'' if len(self.values) == 1 else 's'}"

    @property
    def ranks(self) -> dict[str, float]:
        """Detector -> average rank."""
        return dict(zip(self.names, self.average, strict=True))


def standings_of(
    metric: str, names: Sequence[str], ranked: Sequence[str], results: Results
) -> Standings:
    values = np.array([[results[row][name].mean(metric) for name in names] for row in ranked])
    return standings_from(metric, names, values)


def standings_from(
    metric: str, names: Sequence[str], values: np.ndarray, unit: str = "dataset"
) -> Standings:
    """From a row for each dataset, or whatever `unit` says, and a column for each detector."""
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
        unit,
    )


# -- summaries -------------------------------------------------------------------------------------

COLUMNS = ("avg. rank", *(f"{sign}top{top}" for top in TOPS for sign in "#%"), "mean")
FORMATS = (".2f", *["d", ".1f"] * len(TOPS), ".3f")


def summary_table(standing: Standings) -> Table:
    """Average rank, first places and mean of every detector; the best of each column is marked."""
    columns = _summary_columns(standing)
    best = [min(columns[0]), *map(max, columns[1:])]
    cells = [
        [Cell(format(value, form), value == top) for value in column]
        for column, form, top in zip(columns, FORMATS, best, strict=True)
    ]
    return table(["detector", *COLUMNS], zip(standing.names, *cells, strict=True), numbers=True)


def _summary_columns(standing: Standings) -> list[Sequence[float]]:
    columns: list[Sequence[float]] = [standing.average]
    for top in TOPS:
        counts = statistics.top(standing.places, top)
        columns += [counts, [100 * count / len(standing.places) for count in counts]]
    return [*columns, standing.values.mean(axis=0).tolist()]


def summary_rows(standings: Sequence[Standings]) -> list[dict[str, Value]]:
    return long(
        "metric detector datasets rank top2 top2_percent top4 top4_percent mean",
        (
            (standing.metric, name, len(standing.values), *values)
            for standing in standings
            for name, *values in zip(standing.names, *_summary_columns(standing), strict=True)
        ),
    )


def pair_rows(standings: Sequence[Standings]) -> list[dict[str, Value]]:
    """All comparisons of two detectors."""
    return long(
        "metric detector other wins ties losses median_difference p p_holm",
        (
            (
                standing.metric,
                standing.names[pair.first],
                standing.names[pair.second],
                *(pair.wins, pair.ties, pair.losses, pair.median_difference, pair.p, pair.p_holm),
            )
            for standing in standings
            for pair in standing.pairs
        ),
    )


# -- tests of differences --------------------------------------------------------------------------


def friedman_line(standing: Standings) -> str:
    test = statistics.friedman(standing.values)
    if test is None:
        return "Friedman's test needs three detectors and two datasets or more: not done"
    statistic, p = test
    k = len(standing.names)
    verdict = "differ" if p < statistics.SIGNIFICANCE else "cannot be told apart"
    size = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    return (
        f"Friedman's test, {k} detectors on {standing.extent}: chi-square {statistic:.1f}, {size}; "
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
    """Significant differences: all p-values or, for many detectors, who beats whom.

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
    """Which detectors every detector is significantly better and worse than."""
    better: list[list[int]] = [[] for _ in standing.names]
    worse: list[list[int]] = [[] for _ in standing.names]
    for pair in standing.pairs:
        if pair.p_holm < statistics.SIGNIFICANCE:
            # By what the test saw, which need not be the order of the average ranks.
            ahead = (pair.wins, pair.median_difference) >= (pair.losses, -pair.median_difference)
            first, second = (pair.first, pair.second) if ahead else (pair.second, pair.first)
            better[first].append(second)
            worse[second].append(first)

    def shown(found: list[int]) -> str:
        names = ", ".join(standing.names[at] for at in sorted(found))
        return f"{len(found)}: {names}" if found else NOTHING

    rows = zip(standing.names, map(shown, better), map(shown, worse), strict=True)
    return table(["detector", "better than", "worse than"], rows)


def p_value_table(standing: Standings) -> Table:
    """Every detector (row) against those of a better average rank (columns)."""
    p = {(pair.second, pair.first): pair.p_holm for pair in standing.pairs}
    count = len(standing.names) - 1
    rows = [
        [name, *(chance(p[at, other]) if other < at else "" for other in range(count))]
        for at, name in enumerate(standing.names)
    ]
    return table(["detector", *standing.names[:-1]], rows, numbers=True)


def chance(p: float) -> Cell:
    """A p-value, marked where it is significant."""
    return Cell("<0.001" if p < 0.001 else f"{p:.3f}", p < statistics.SIGNIFICANCE)
