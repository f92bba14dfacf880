"""The paper's parameter sensitivity: AUC-ROC against c, r, h and gamma on every dataset."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from slad_paper.pages.claims import claims_table
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.paired import STANDARD_ERRORS
from slad_paper.pages.records import Record, datasets
from slad_paper.pages.results import Result, different_data, failures, gather, row_caps, uneven
from slad_paper.pages.sensitivity_claims import OBSERVABLE, STABLE, claims
from slad_paper.pages.sensitivity_curves import METRIC, Curve, curves_of, shared_means
from slad_paper.runner import printed
from slad_paper.runner.hyper_parameters import STUDIED, Studied

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CAPTION = (
    "AUC-ROC with its deviation over the seeds; the filled dot is the default, which all four share"
)
LEGEND = (
    "AUC-ROC, mean ± standard deviation over the seeds; bold (starred in text): best of its row",
    "the released recipe, which made the paper's figure, with one parameter changed; the paper "
    "prints no numbers of it",
    f"clearly: by more than {STANDARD_ERRORS} standard errors of the difference seed by seed; "
    f"observable, notable: clearly, and by {OBSERVABLE} or more; stable: means within {STABLE}",
)


def report(records: Sequence[Record]) -> Report:
    """The report of the records of this experiment."""
    seen = set(datasets(records))
    rows = [row for row in printed.rows() if seen & set(row.datasets)]
    results = {row.name: gather(records, row.datasets) for row in rows}
    found = {studied: curves_of(studied, rows, results) for studied in STUDIED}
    brief: list[Part] = [Heading("The paper's claims"), claims_table(claims(found))]
    for studied, curves in found.items():
        brief += [Heading(f"{studied.letter}, {studied.what}"), _table(studied, curves)]
    notes = [*LEGEND, *_about(records), *failures(records)]
    notes += [f"fewer runs: {line}" for line in uneven(results)]
    notes += [f"{name}: {what}" for name, what in different_data(records).items()]
    away = [row.name for row in printed.rows() if row not in rows]
    if away:
        notes.append(f"no records, so not shown: {', '.join(away)}")
    brief += [Heading("Notes"), Notes(notes)]
    return Report(
        name="sensitivity",
        title="Sensitivity to four hyper-parameters",
        brief=brief,
        details=[Picture("curves", CAPTION, partial(_draw, found))],
        data={"points": _points(found)},
    )


def _table(studied: Studied, curves: Sequence[Curve]) -> Table:
    header = [
        f"{value} (default)" if value == studied.default else str(value) for value in studied.values
    ]
    lines = []
    for curve in curves:
        means = {at: round(mean, 3) for at, mean in curve.means().items()}
        best = max(means.values(), default=None)
        lines.append(
            [Cell(curve.row.name)]
            + [
                Cell(_shown(curve.results.get(value)), means.get(value, -1.0) == best)
                for value in studied.values
            ]
        )
    means = shared_means(curves)
    count = sum(curve.whole for curve in curves)
    last = [Cell(f"mean of {count} rows")]
    last += [Cell(f"{means[value]:.3f}" if value in means else "–") for value in studied.values]
    return Table(["data", *header], [*lines, last])


def _shown(result: Result | None) -> str:
    if result is None or not (result.runs or result.failed or result.gaps):
        return "–"
    return result.shown(METRIC) if result.ok else result.why()


def _about(records: Sequence[Record]) -> list[str]:
    caps = [f"{count:,}" for count in row_caps(records)]
    return [f"runs took at most {' or '.join(caps)} rows of a dataset: a look"] if caps else []


def _points(found: dict[Studied, list[Curve]]) -> list[dict[str, Value]]:
    """One line for each parameter, value and row, in full precision."""
    return [
        {
            "parameter": studied.name,
            "value": value,
            "dataset": curve.row.name,
            "runs": len(result.runs),
            "mean": result.mean(METRIC) if result.ok else None,
            "std": result.std(METRIC) if result.ok else None,
        }
        for studied, curves in found.items()
        for curve in curves
        for value, result in curve.results.items()
    ]


def _draw(found: dict[Studied, list[Curve]]) -> Figure:
    from slad_paper.pages.sensitivity_picture import draw

    return draw(found)
