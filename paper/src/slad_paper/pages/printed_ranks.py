"""The paper's ADBench table, and the paper's eight methods ranked among themselves with ours."""

from __future__ import annotations

from collections.abc import Sequence

from slad_paper.pages.document import Heading, Notes, Part, Table
from slad_paper.pages.results import Results
from slad_paper.pages.standings import COLUMNS, standings_of
from slad_paper.pages.tables import table
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS, Standing


def parts(names: Sequence[str], results: Results) -> list[Part]:
    return [
        *_among_themselves(names, results),
        Heading("The paper's table, for orientation only"),
        _table(),
        Notes(_warning(names)),
    ]


def _among_themselves(names: Sequence[str], results: Results) -> list[Part]:
    """Ranks of a contest like the paper's; nothing where one of its methods is missing."""
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
        metric: standings_of(metric, list(eight.values()), ranked, results).ranks
        for metric in METRICS
    }
    theirs = printed.adbench()
    ranks = {
        name: [each for m in METRICS for each in (ours[m][name], theirs[method][m].rank)]
        for method, name in eight.items()
    }
    lines = (
        [method, name, *(f"{rank:.2f}" for rank in ranks[name])]
        for method, name in sorted(eight.items(), key=lambda each: ranks[each[1]][0])
    )
    columns = [f"{title} {what}" for title in METRICS.values() for what in ("avg. rank", "printed")]
    return [
        Heading("The paper's eight methods among themselves"),
        table(["method", "ours", *columns], lines),
        Notes(_about(len(ranked))),
    ]


def _about(count: int) -> list[str]:
    notes = [
        f"ranks of these eight alone over the {count} datasets that all of them have; the paper's "
        f"are over {printed.adbench_datasets()}, with splits of its own and epochs as it chose them"
    ]
    return notes + [
        f"{method}: {remark}; {name} stands for it here"
        for method, name in printed.stand_ins().items()
        if (remark := printed.remark(method))
    ]


def _table() -> Table:
    header = [name for title in METRICS.values() for name in (f"{title} avg. rank", *COLUMNS[1:-1])]
    ranks = printed.adbench()
    rows = (
        [method, *(text for metric in METRICS for text in _cells(ranks[method][metric]))]
        for method in sorted(ranks, key=lambda method: ranks[method]["auc_roc"].rank)
    )
    return table(["method", *header], rows, numbers=True)


def _cells(number: Standing) -> list[str]:
    shares = f"{number.top2_percent:.1f}", f"{number.top4_percent:.1f}"
    return [f"{number.rank:.2f}", str(number.top2), shares[0], str(number.top4), shares[1]]


def _warning(names: Sequence[str]) -> list[str]:
    ranks = printed.adbench()
    sums = [f"{sum(numbers[metric].rank for numbers in ranks.values()):.2f}" for metric in METRICS]
    return [
        f"not to be compared with ours number by number: these are ranks among {len(ranks)} other "
        f"detectors (ours are {len(names)}) and over all {printed.adbench_datasets()} datasets",
        f"its average ranks add up to {' and '.join(sums)}, where {len(ranks)} detectors without "
        f"gaps have {len(ranks) * (len(ranks) + 1) / 2:g}: it does not say how ties and failures "
        "were ranked",
    ]
