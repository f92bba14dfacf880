"""Anomalies among the training rows: AUC-ROC at every rate, dataset by dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from slad_paper.pages.claims import Claim, claims_table
from slad_paper.pages.curves import Panel, curves
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.records import Record, datasets, detectors
from slad_paper.pages.results import failures, gather
from slad_paper.runner import printed
from slad_paper.runner.printed import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METRIC = "auc_roc"
SLIGHT = 0.005
CAPTION = "AUC-ROC against the share of anomalies among the training rows"

Values = Mapping[str, Mapping[str, Mapping[float, float]]]
"""Row of the main table -> detector -> rate -> mean AUC-ROC."""


def report(records: Sequence[Record]) -> Report:
    """The report of the records of this experiment."""
    names = printed.ordered(detectors(records))
    rates = sorted({record.contamination for record in records})
    seen = set(datasets(records))
    rows = [row for row in printed.rows() if seen & set(row.datasets)]
    values = {row.name: _values(records, row, rates) for row in rows}
    shared = _shared(values, names, rates)
    brief: list[Part] = [
        Heading("The paper's claims"),
        claims_table(_claims(values, shared, names, rates)),
        Heading("Mean AUC-ROC over the datasets that all have"),
        _means(values, shared, names, rates),
        Notes([*_about(records, shared), *failures(records)]),
    ]
    details: list[Part] = []
    for row in rows:
        details += [Heading(row.name), _table(values[row.name], rates)]
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
    """Detector -> rate -> mean over the seeds, where all runs of the row ended well."""
    found: dict[str, dict[float, float]] = {}
    here = [name for name in row.datasets if any(record.dataset == name for record in records)]
    for rate in rates:
        mine = [record for record in records if record.contamination == rate]
        for name, result in gather(mine, here).items():
            if result.ok:
                found.setdefault(name, {})[rate] = result.mean(METRIC)
    return found


def _shared(values: Values, names: Sequence[str], rates: Sequence[float]) -> list[str]:
    """The rows on which every detector has a value at every rate."""
    return [
        row
        for row, found in values.items()
        if all(set(found.get(name, ())) == set(rates) for name in names)
    ]


def _mean(values: Values, rows: Sequence[str], name: str, rate: float) -> float:
    return float(np.mean([values[row][name][rate] for row in rows]))


def _claims(
    values: Values, shared: Sequence[str], names: Sequence[str], rates: Sequence[float]
) -> list[Claim]:
    if not shared:
        return []
    low, high = min(rate for rate in rates if rate > 0), max(rates)
    rivals = [name for name in names if printed.compared_with(name) and name not in printed.RECIPES]
    claims = []
    for name in printed.RECIPES:
        if name in names and rivals:
            cells = [(row, rate) for row in shared for rate in rates if rate > 0]
            won = [
                values[row][name][rate] >= max(values[row][each][rate] for each in rivals)
                for row, rate in cells
            ]
            claims.append(
                Claim.judged(
                    f"SLAD is consistently superior to its contenders ({name} here)",
                    won,
                    f"best of the paper's methods in {sum(won)} of {len(won)} cells of dataset and "
                    "rate",
                )
            )
    fell = {
        name: _mean(values, shared, name, low) - _mean(values, shared, name, high) for name in names
    }
    claims.append(
        Claim.judged(
            "detection downgrades with more contamination",
            [each > SLIGHT for each in fell.values()],
            f"from {low:.0%} to {high:.0%}: "
            + ", ".join(f"{name} {-each:+.3f}" for name, each in fell.items()),
        )
    )
    return claims


def _means(
    values: Values, shared: Sequence[str], names: Sequence[str], rates: Sequence[float]
) -> Table:
    found = {
        name: {rate: _mean(values, shared, name, rate) for rate in rates} if shared else {}
        for name in names
    }
    return _table(found, rates)


def _table(found: Mapping[str, Mapping[float, float]], rates: Sequence[float]) -> Table:
    best = {
        rate: max((round(each[rate], 3) for each in found.values() if rate in each), default=None)
        for rate in rates
    }
    rows = [
        [
            Cell(name),
            *(
                Cell(f"{found[name][rate]:.3f}", round(found[name][rate], 3) == best[rate])
                if rate in found[name]
                else Cell("–")
                for rate in rates
            ),
        ]
        for name in printed.ordered(found)
    ]
    return Table(["detector", *(f"{rate:.0%}" for rate in rates)], rows, numbers=True)


def _about(records: Sequence[Record], shared: Sequence[str]) -> list[str]:
    seeds = len({record.seeds[1] for record in records if record.seeds[1] is not None})
    return [
        f"means over {', '.join(shared) or 'no dataset yet'}; {seeds} model seeds; the same test "
        "rows at every rate, half of the anomalies among them",
        "0 %: training on normal rows alone; –: no run, or refused for memory",
    ]


def _draw(values: Values, rates: Sequence[float]) -> Figure:
    places = [100 * rate for rate in rates]
    panels = [
        Panel(
            row,
            places,
            {name: [each.get(rate) for rate in rates] for name, each in found.items()},
        )
        for row, found in values.items()
    ]
    return curves(panels, x_label="% anomalies among the training rows")


def _cells(values: Values) -> list[dict[str, Value]]:
    return [
        {"dataset": row, "detector": name, "rate": rate, METRIC: value}
        for row, found in values.items()
        for name, by_rate in found.items()
        for rate, value in by_rate.items()
    ]
