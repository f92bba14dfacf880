"""The page on the one-class tables: every detector in the three cases of learning from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from slad_paper.pages import statistics
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.one_class_cases import InCase, in_cases
from slad_paper.pages.standing_pictures import RANKS, draw_ranks
from slad_paper.pages.standings import TITLES, Standings, chance, friedman_line, pair_rows
from slad_paper.pages.tables import NOTHING, comparison, long, marked, table

CROSS_VALIDATED = "learned-signals (cross-validated)"
REFERENCES = (CROSS_VALIDATED, "neighbor-scale")
"""With which of them all others are compared: the first that has a record, else who ranks first."""
SAW_THEM = "learned-signals"
ABOUT = {
    "clean": "learned from normal rows, other rows judged",
    "own": "learned from a table of which 1 to 10 % are anomalies, its own rows judged, in folds",
    "mixed": "learned from rows of which 1 to 5 % are anomalies, other rows judged",
}
COLLECTIONS = {"oddbench": "OddBench", "ovrbench": "OvRBench"}
PUBLISHED = {
    "TaskBridge": (0.802, 0.504),
    "DTE-NP": (0.770, 0.436),
    "kNN": (0.763, 0.424),
    "LOF": (0.742, 0.400),
    "OutFormer": (0.742, 0.430),
    "ICL": (0.718, 0.401),
    "isolation forest": (0.713, 0.313),
    "SLAD": (0.669, 0.335),
}
"""Means over all 790 tables of OddBench: AUC-ROC, AUC-PR."""
SAME = {"DTE-NP": "dte-np", "kNN": "knn-5", "LOF": "lof", "isolation forest": "iforest"}
"""Published name -> ours of the same method."""
SAME |= {"ICL": "icl", "SLAD": "slad"}


def report(records: Sequence[CaseRecord]) -> Report:
    """The report of this study's records."""
    cases = in_cases(records)
    standings = {each.case: [each.standing(metric) for metric in TITLES] for each in cases}
    brief: list[Part] = []
    for each in cases:
        brief += [Heading(f'Case "{each.case}": {ABOUT[each.case]}'), _means(each)]
    if cases[0].case == "clean":
        brief += [Heading("Beside published figures"), _published(cases[0]), _about_published()]
    brief += [Heading("Notes"), Notes(list(_notes(cases)))]
    details: list[Part] = []
    for each in cases:
        details += _details(each, standings[each.case])
    return Report(
        name="tables",
        title="Detection accuracy on one-class tables",
        brief=brief,
        details=details,
        data={
            "means": [row for each in cases for row in _rows(each, standings[each.case])],
            "pairs": [
                {"case": case, **row} for case, mine in standings.items() for row in pair_rows(mine)
            ],
        },
    )


def reference(standing: Standings) -> str:
    """The detector with which the others are compared."""
    return next((name for name in REFERENCES if name in standing.names), standing.names[0])


# -- tables ----------------------------------------------------------------------------------------


def _means(each: InCase) -> Table:
    """Means over the groups, the best first."""
    means = np.array([each.over_groups(metric).mean(axis=0) for metric in TITLES])
    order = np.argsort(-means[: len(TITLES) - 1].mean(axis=0), kind="stable")
    values = {each.names[at]: means[:, at].tolist() for at in order}
    seconds = dict(zip(each.names, each.seconds, strict=True))
    header = ["detector", *TITLES.values(), "seconds"]
    return comparison(header, values, after=lambda name: [_seconds(seconds[name])])


def _seconds(seconds: float | None) -> str:
    return NOTHING if seconds is None else f"{seconds:,.0f}"


def _published(each: InCase) -> Table:
    """Ours on the tables of OddBench at hand, and what is published of all of them."""
    ours = [each.in_collection(metric, "oddbench") for metric in ("auc_roc", "auc_pr")]
    rows: list[tuple[str, list[float | None]]] = [
        (name, [None, None, *(float(values[at]) for values in ours)])
        for at, name in enumerate(each.names)
        if name not in SAME.values()
    ]
    for theirs, figures in PUBLISHED.items():
        name = SAME.get(theirs, "")
        at = each.names.index(name) if name in each.names else None
        mine = [None if at is None else float(values[at]) for values in ours]
        rows.append((theirs if at is None else f"{name}, {theirs}", [*figures, *mine]))
    rows.sort(key=lambda row: -max(value for value in row[1][::2] if value is not None))
    columns = [marked(column) for column in zip(*(values for _, values in rows), strict=True)]
    header = ["detector", "published AUC-ROC", "published AUC-PR", "AUC-ROC here", "AUC-PR here"]
    cells = ([name, *(column[at] for column in columns)] for at, (name, _) in enumerate(rows))
    return table(header, cells, numbers=True)


def _about_published() -> Notes:
    return Notes(
        [
            "published: means over all 790 tables of OddBench, all rows; here: means over the "
            "tables of OddBench in this benchmark, at most 3,000 training and 3,000 test rows "
            "each, so the two differ in tables and rows",
            "the two names of a row are one method in two implementations; their settings may "
            "differ, as the number of neighbours of kNN",
        ]
    )


def _details(each: InCase, standings: Sequence[Standings]) -> Iterator[Part]:
    """Of each metric in a case: means, ranks, tests, and the picture of the ranks."""
    for standing in standings:
        where = f', "{each.case}"'
        title = standing.title + where
        yield Heading(title)
        yield _against(each, standing)
        yield Notes([friedman_line(standing)])
        if len(standing.names) > 1:
            name = f"ranks-{each.case}-{standing.metric.replace('_', '-')}"
            yield Picture(name, f"{title}: {RANKS}", partial(draw_ranks, standing, where))


def _against(each: InCase, standing: Standings) -> Table:
    """Every detector, best average rank first, and the test of its difference to one of them."""
    chosen = reference(standing)
    tests = _tests(standing, chosen)
    columns = [
        standing.values.mean(axis=0),
        *(_of(each, standing, collection) for collection in _present(each)),
    ]
    cells = [marked([float(value) for value in column]) for column in columns]
    rows = (
        [
            name,
            f"{standing.average[at]:.2f}",
            *(column[at] for column in cells),
            *(
                [NOTHING, NOTHING]
                if name == chosen
                else [f"{tests[name].losses} : {tests[name].wins}", chance(tests[name].p_holm)]
            ),
        ]
        for at, name in enumerate(standing.names)
    )
    means = ("groups", *(COLLECTIONS[collection] for collection in _present(each)))
    header = ["detector", "avg. rank", *means, f"groups won : lost against {chosen}", "p"]
    return table(header, rows, numbers=True)


def _tests(standing: Standings, chosen: str) -> dict[str, statistics.Pair]:
    """The chosen detector against each other one, corrected for these tests alone."""
    first = standing.names.index(chosen)
    pairs = [(first, at) for at in range(len(standing.names)) if at != first]
    tests = statistics.pairwise(standing.values, pairs)
    return {standing.names[test.second]: test for test in tests}


def _present(each: InCase) -> list[str]:
    return [collection for collection in COLLECTIONS if collection in each.collections]


def _of(each: InCase, standing: Standings, collection: str) -> np.ndarray:
    """Means over a collection in the order of the standing."""
    means = each.in_collection(standing.metric, collection)
    return np.array([means[each.names.index(name)] for name in standing.names])


# -- words and files -------------------------------------------------------------------------------


def _notes(cases: Sequence[InCase]) -> Iterator[str]:
    yield (
        "means are over groups of tables with one source; a group counts once, as the mean of its "
        "tables. Bold: the best. Seconds: of all tables, fits and scores, one thread, on a machine "
        "that did other work at the same time: no measure of speed"
    )
    yield (
        "ranks and tests are over the groups, too; p: Wilcoxon's signed-rank test (two-sided) "
        "against the detector that the column names, corrected after Holm for all tests of a "
        "table; the tests of all pairs, corrected for all of these, are in tables-pairs.csv"
    )
    for each in cases:
        tables, groups = len(each.groups), len(set(each.groups))
        yield f'"{each.case}": {tables} tables of {groups} groups have a result of every detector'
        if each.left_out:
            yield f'"{each.case}": {each.left_out} tables are left out, where a detector failed'
        yield from _failures(each)
    names = {name for each in cases for name in each.names}
    if CROSS_VALIDATED in names:
        yield f"{CROSS_VALIDATED}: the weights that judge a table are learned without its group"
    if SAW_THEM in names:
        yield f"{SAW_THEM}: learned its weights on these very tables; no fair comparison"
    for each in cases:
        if absent := sorted(names - set(each.names)):
            yield f'without a record in "{each.case}": {", ".join(absent)}'
    yield "detectors that are not named here have no records: those with networks want a GPU"


def _failures(each: InCase) -> Iterator[str]:
    for name, why in each.failures.items():
        if why:
            table, reason = next(iter(why.items()))
            yield f'{name} failed on {len(why)} tables in "{each.case}", as on {table}: {reason}'


def _rows(each: InCase, standings: Sequence[Standings]) -> list[dict[str, Value]]:
    """Means of each detector by metric; ranks over groups."""
    return long(
        "case detector metric avg_rank groups oddbench ovrbench",
        (
            (
                *(each.case, name, standing.metric, standing.average[at]),
                standing.values[:, at].mean(),
                *(
                    _of(each, standing, collection)[at] if collection in _present(each) else None
                    for collection in COLLECTIONS
                ),
            )
            for standing in standings
            for at, name in enumerate(standing.names)
        ),
    )
