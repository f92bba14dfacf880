"""The paper's ADBench table, and the paper's eight methods ranked among themselves with ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from slad_paper.pages.document import Heading, Notes, Part, Table, plain
from slad_paper.pages.results import Result
from slad_paper.pages.standings import COLUMNS, standings_of
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS, Standing

Results = Mapping[str, Mapping[str, Result]]
"""Dataset -> detector -> result."""


def parts(names: Sequence[str], results: Results) -> list[Part]:
    return [
        *_among_themselves(names, results),
        Heading("The paper's table, for orientation only"),
        _table(),
        Notes(_warning(names)),
    ]


def _among_themselves(names: Sequence[str], results: Results) -> list[Part]:
    """Ranks of a contest like the paper's; nothing where one of its methods is not there."""
    eight = printed.stand_ins()
    if not set(eight.values()) <= set(names):
        return []
    ranked = [
        dataset
        for dataset, by_detector in results.items()
        if all(by_detector[name].ok for name in eight.values())
    ]
    if not ranked:
        return []
    ours = {
        metric: standings_of(metric, list(eight.values()), ranked, results) for metric in METRICS
    }
    lines = []
    for method, name in eight.items():
        cells = [method, name]
        for metric, standing in ours.items():
            mine = standing.average[standing.names.index(name)]
            cells += [f"{mine:.2f}", f"{printed.adbench()[method][metric].rank:.2f}"]
        lines.append((float(cells[2]), plain(cells)))
    lines.sort(key=lambda line: line[0])
    columns = [f"{title} {what}" for title in METRICS.values() for what in ("avg. rank", "printed")]
    return [
        Heading("The paper's eight methods among themselves"),
        Table(["method", "ours", *columns], [cells for _, cells in lines]),
        Notes(_about(len(ranked))),
    ]


def _about(count: int) -> list[str]:
    notes = [
        f"ranks of these eight alone over the {count} datasets that all of them have; the paper's "
        f"are over {printed.adbench_datasets()}, with splits of its own and epochs as it chose them"
    ]
    for method, name in printed.stand_ins().items():
        remark = printed.remark(method)
        if remark:
            notes.append(f"{method}: {remark}; {name} stands for it here")
    return notes


def _table() -> Table:
    header = [name for title in METRICS.values() for name in (f"{title} avg. rank", *COLUMNS[1:-1])]
    table = printed.adbench()
    rows = []
    for method in sorted(table, key=lambda method: table[method]["auc_roc"].rank):
        cells = [text for metric in METRICS for text in _cells(table[method][metric])]
        rows.append(plain([method, *cells]))
    return Table(["method", *header], rows, numbers=True)


def _cells(number: Standing) -> list[str]:
    shares = f"{number.top2_percent:.1f}", f"{number.top4_percent:.1f}"
    return [f"{number.rank:.2f}", str(number.top2), shares[0], str(number.top4), shares[1]]


def _warning(names: Sequence[str]) -> list[str]:
    table = printed.adbench()
    sums = [f"{sum(numbers[metric].rank for numbers in table.values()):.2f}" for metric in METRICS]
    return [
        f"not to be compared with ours number by number: these are ranks among {len(table)} other "
        f"detectors (ours are {len(names)}) and over all {printed.adbench_datasets()} datasets",
        f"its average ranks add up to {' and '.join(sums)}, where {len(table)} detectors without "
        f"gaps have {len(table) * (len(table) + 1) / 2:g}: how it ranked ties or failures is not "
        "said",
    ]
