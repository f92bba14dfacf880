"""Anomalies among the training rows: AUC-ROC at every rate, dataset by dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from slad_paper.pages.claims import Claim, claims_table
from slad_paper.pages.curves import Panel, curves
from slad_paper.pages.document import Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.pictures import Figure
from slad_paper.pages.records import Record, detectors
from slad_paper.pages.results import failures, gather, main_rows
from slad_paper.pages.tables import comparison, long
from slad_paper.runner import printed
from slad_paper.runner.printed import Row

METRIC = "auc_roc"
SLIGHT = 0.005
CAPTION = "AUC-ROC against the fraction of anomalies among the training rows"

Values = Mapping[str, Mapping[str, Mapping[float, float]]]
"""Row of the main table -> detector -> rate -> mean AUC-ROC."""


def report(records: Sequence[Record]) -> Report:
    """The report of this experiment's records."""
    names = printed.ordered(detectors(records))
    rates = sorted({record.contamination for record in records})
    values = {row.name: _values(records, row, rates) for row in main_rows(records)}
    shared = [
        row
        for row, found in values.items()
        if all(set(found.get(name, ())) == set(rates) for name in names)
    ]
    means = {
        name: {rate: float(np.mean([values[row][name][rate] for row in shared])) for rate in rates}
        if shared
        else {}
        for name in names
    }
    brief: list[Part] = [
        Heading("The paper's claims"),
        claims_table(_claims(values, shared, means) if shared else []),
        Heading("Mean AUC-ROC over the datasets that all have"),
        _table(means, rates),
        Notes([*_about(records, shared), *failures(records)]),
    ]
    details: list[Part] = []
    for row, found in values.items():
        details += [Heading(row), _table(found, rates)]
    details.append(Picture("curves", CAPTION, partial(_draw, values, rates)))
    return Report(
        name="contamination",
        title="Anomalies among the training rows",
        brief=brief,
        details=details,
        data={"cells": _cells(values)},
    )


def _values(
    records: Sequence[Record], row: Row, rates: Sequence[float]
) -> dict[str, dict[float, float]]:
    """Detector -> rate -> mean over the seeds, where all runs of the row succeeded."""
    found: dict[str, dict[float, float]] = {}
    here = [name for name in row.datasets if any(record.dataset == name for record in records)]
    for rate in rates:
        mine = [record for record in records if record.contamination == rate]
        for name, result in gather(mine, here).items():
            if result.ok:
                found.setdefault(name, {})[rate] = result.mean(METRIC)
    return found


def _claims(
    values: Values, shared: Sequence[str], means: Mapping[str, Mapping[float, float]]
) -> Iterator[Claim]:
    rivals = [name for name in means if printed.compared_with(name) and name not in printed.RECIPES]
    rates = [rate for rate in next(iter(means.values())) if rate > 0]
    for name in printed.RECIPES:
        if name in means and rivals:
            cells = [(values[row], rate) for row in shared for rate in rates]
            won = [
                here[name][rate] >= max(here[each][rate] for each in rivals) for here, rate in cells
            ]
            yield Claim.checked(
                f"SLAD is consistently superior to its contenders ({name} here)",
                won,
                f"best of the paper's methods in {sum(won)} of {len(won)} cells of dataset and "
                "rate",
            )
    low, high = min(rates), max(rates)
    fell = {name: each[low] - each[high] for name, each in means.items()}
    yield Claim.checked(
        "detection downgrades with more contamination",
        [each > SLIGHT for each in fell.values()],
        f"from {low:.0%} to {high:.0%}: "
        + ", ".join(f"{name} {-each:+.3f}" for name, each in fell.items()),
    )


def _table(found: Mapping[str, Mapping[float, float]], rates: Sequence[float]) -> Table:
    values = {name: [found[name].get(rate) for rate in rates] for name in printed.ordered(found)}
    return comparison(["detector", *(f"{rate:.0%}" for rate in rates)], values)


def _about(records: Sequence[Record], shared: Sequence[str]) -> list[str]:
    seeds = len({record.seeds[1] for record in records if record.seeds[1] is not None})
    return [
        f"means over {', '.join(shared) or 'no dataset yet'}; {seeds} model seeds; the same test "
        "rows at every rate, half of the anomalies among them",
        "0 %: training on normal rows alone; –: no run, or refused for memory",
    ]


def _draw(values: Values, rates: Sequence[float]) -> Figure:
    places = [100 * rate for rate in rates]
    shown = [
        Panel(
            row, places, {name: [each.get(rate) for rate in rates] for name, each in found.items()}
        )
        for row, found in values.items()
    ]
    return curves(shown, x_label="% anomalies among the training rows")


def _cells(values: Values) -> list[dict[str, Value]]:
    return long(
        "dataset detector rate auc_roc",
        (
            (row, name, rate, value)
            for row, found in values.items()
            for name, by_rate in found.items()
            for rate, value in by_rate.items()
        ),
    )
