"""The paper's parameter sensitivity: AUC-ROC against c, r, h and gamma on every dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from slad_paper.pages.claims import claims_table
from slad_paper.pages.document import Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.paired import STANDARD_ERRORS
from slad_paper.pages.pictures import BLUE, GREY, Axes, Figure, panels
from slad_paper.pages.records import Record
from slad_paper.pages.results import gather_rows, main_rows, missing_rows, row_caps, run_notes
from slad_paper.pages.sensitivity_claims import OBSERVABLE, STABLE, claims
from slad_paper.pages.sensitivity_curves import METRIC, Curve, curves_of, shared_means
from slad_paper.pages.tables import NOTHING, long, marked, table
from slad_paper.runner.hyper_parameters import STUDIED, Studied

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

Found = Mapping[Studied, Sequence[Curve]]


def report(records: Sequence[Record]) -> Report:
    """The report of this experiment's records."""
    rows = main_rows(records)
    results = gather_rows(records, rows)
    found = {studied: curves_of(studied, rows, results) for studied in STUDIED}
    brief: list[Part] = [Heading("The paper's claims"), claims_table(claims(found))]
    for studied, curves in found.items():
        brief += [Heading(f"{studied.letter}, {studied.what}"), _table(studied, curves)]
    caps = [f"{count:,}" for count in row_caps(records)]
    limits = [f"runs used at most {' or '.join(caps)} rows of a dataset: a look"] if caps else []
    notes = [*LEGEND, *limits, *run_notes(records, results), *missing_rows(rows)]
    return Report(
        name="sensitivity",
        title="Sensitivity to four hyper-parameters",
        brief=[*brief, Heading("Notes"), Notes(notes)],
        details=[Picture("curves", CAPTION, partial(_draw, found))],
        data={"points": _points(found)},
    )


def _table(studied: Studied, curves: Sequence[Curve]) -> Table:
    header = [
        f"{value} (default)" if value == studied.default else str(value) for value in studied.values
    ]
    lines = []
    for curve in curves:
        means, results = curve.means(), [curve.results.get(value) for value in studied.values]
        texts = [each.shown(METRIC) if each and each.tried else NOTHING for each in results]
        lines.append([curve.row.name, *marked([means.get(v) for v in studied.values], texts)])
    means = shared_means(curves)
    last = [f"{means[value]:.3f}" if value in means else None for value in studied.values]
    count = sum(curve.whole for curve in curves)
    return table(["data", *header], [*lines, [f"mean of {count} rows", *last]])


def _points(found: Found) -> list[dict[str, Value]]:
    """A row for each parameter, value and dataset."""
    return long(
        "parameter value dataset runs mean std",
        (
            (studied.name, value, curve.row.name, *result.numbers(METRIC))
            for studied, curves in found.items()
            for curve in curves
            for value, result in curve.results.items()
        ),
    )


# -- picture ---------------------------------------------------------------------------------------

LEAST_HEIGHT = 0.02
"""The least height of an axis, so that the seeds' noise does not fill it."""


def _draw(found: Found) -> Figure:
    """A line of panels for each dataset, which share their axis; a panel for each parameter."""
    rows, count = [curve.row for curve in next(iter(found.values()))], len(found)
    figure, axes = panels(
        len(rows) * count, count, (9.6 / count, 1.15), (0, 0.9), sharey="row", sharex="col"
    )
    for column, (studied, curves) in enumerate(found.items()):
        axes[column].set_title(f"{studied.letter}: {studied.what}", fontsize=9)
        for axis, curve in zip(axes[column::count], curves, strict=True):
            _draw_curve(axis, curve)
        axes[column - count].set_xticks(range(len(studied.values)), map(str, studied.values))
    for axis, row in zip(axes[::count], rows, strict=True):
        axis.set_ylabel(row.name.replace(" (", "\n("), fontsize=8)
        low, high = axis.get_ylim()
        missing = max(0.0, LEAST_HEIGHT - (high - low)) / 2
        axis.set_ylim(low - missing, high + missing)
        axis.locator_params(axis="y", nbins=4)
    figure.align_ylabels()
    figure.supylabel("AUC-ROC", fontsize=9)
    return figure


def _draw_curve(axis: Axes, curve: Curve) -> None:
    """Values stand side by side at equal distances."""
    axis.grid(axis="y")
    axis.tick_params(labelsize=8)
    axis.set_xlim(-0.3, len(curve.studied.values) - 0.7)
    shown = {
        at: (curve.means()[value], curve.results[value].std(METRIC) or 0.0)
        for at, value in enumerate(curve.studied.values)
        if value in curve.means()
    }
    if not shown:
        axis.text(0.5, 0.5, "no runs", transform=axis.transAxes, ha="center", color=GREY)
        return
    means = [mean for mean, _ in shown.values()]
    low, high = ([mean + sign * std for mean, std in shown.values()] for sign in (-1, 1))
    axis.fill_between(list(shown), low, high, color=BLUE, alpha=0.15, lw=0)
    axis.plot(list(shown), means, "o-", color=BLUE, mfc="white", ms=3.6, lw=1.3)
    default = curve.studied.values.index(curve.studied.default)
    if default in shown:
        axis.plot(default, shown[default][0], "o", color=BLUE, ms=4.6)
