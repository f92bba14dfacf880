"""The page on fits from a stream and by several processes, against one in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from slad_paper.pages import pictures
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import Claim, claims_table
from slad_paper.pages.document import Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.records import natural
from slad_paper.pages.tables import table

MEMORY = "memory"
LARGEST = 0.002
"""How far mean AUC-ROC may lie from that of one process in memory."""
GROWTH = 1.1
"""The most memory that four times the rows may take, as a factor."""
SAME = (
    f"asked here: is the mean AUC-ROC of a stream, of two and of four processes within {LARGEST} "
    "of that of one process that holds the table?"
)
CHANCE = "asked here: where it is not, is the difference more than another order of rows makes?"
CONSTANT = "asked here: does a streamed fit take the same memory whatever the number of rows?"
COLOURS = (pictures.BLUE, pictures.VERMILION, pictures.INK)
NO_MEASURE = (
    "Of whole commands, each process importing its libraries, on a machine that did other work at "
    "the same time: no measure of speed."
)


@dataclass(frozen=True, eq=False)
class Fit:
    """A recipe on a dataset, fitted in all ways."""

    dataset: str
    detector: str
    epochs: int
    runs: Mapping[str, Sequence[Mapping[str, Any]]]
    """Way -> a run for each seed."""
    noise: float | None
    """Standard deviation of AUC-ROC over orders of the same rows, in memory."""

    def values(self, way: str, metric: str = "auc_roc") -> np.ndarray:
        return np.array([run[metric] for run in self.runs[way]])

    def differences(self, way: str) -> np.ndarray:
        """Of each seed, from memory."""
        return np.asarray(self.values(way) - self.values(MEMORY))

    @property
    def error(self) -> float | None:
        """Standard error of a mean difference if only the order of rows made it."""
        return None if self.noise is None else self.noise * (2 / len(self.runs[MEMORY])) ** 0.5

    @property
    def name(self) -> str:
        return f"{self.dataset}, {self.detector}"


def report(records: Sequence[CaseRecord]) -> Report:
    fits = _fits(sorted(records, key=lambda record: natural(record.case)))
    large = sorted(
        (record for record in records if "peak_bytes" in record.result),
        key=lambda record: record.settings["rows"],
    )
    ways = list(fits[0].runs)
    brief: list[Part] = [claims_table(_claims(fits, large))]
    brief += [Heading("AUC-ROC, mean over seeds"), _areas(fits, ways), Notes(_about(fits))]
    if large:
        brief += [Heading("Memory of a streamed fit"), _sizes(large), Notes([_about_memory()])]
    details: list[Part] = [
        Heading("AUC-PR, mean over seeds"),
        _means(fits, ways, "auc_pr", "{:.4f}"),
        Heading("Seconds of a fit, mean over seeds"),
        _means(fits, ways, "seconds", "{:.1f}"),
        Notes([NO_MEASURE]),
        Picture("differences", "Every seed against memory", partial(_draw, fits, ways[1:])),
    ]
    title = "Fits from a stream and by several processes"
    return Report("sharded", title, brief, details, {"fits": _runs(fits)})


def _fits(records: Sequence[CaseRecord]) -> list[Fit]:
    """Records of one recipe on one dataset together: some have more seeds, some other orders."""
    together: dict[tuple[str, str], list[CaseRecord]] = {}
    for record in records:
        if "dataset" in record.settings:
            key = record.settings["dataset"], record.settings["detector"]
            together.setdefault(key, []).append(record)
    fits = []
    for (dataset, detector), mine in together.items():
        runs: dict[str, list[Mapping[str, Any]]] = {}
        noise = None
        for record in mine:
            for way, more in record.result.get("ways", {}).items():
                runs.setdefault(way, []).extend(more)
            if "orders" in record.result:
                noise = _noise(record.result["orders"])
        if runs:
            fits.append(Fit(dataset, detector, mine[0].settings["epochs"], runs, noise))
    return fits


def _noise(orders: Sequence[Mapping[str, Any]]) -> float:
    """Over the orders of a seed's rows, pooled over seeds."""
    by_seed: dict[int, list[float]] = {}
    for run in orders:
        by_seed.setdefault(run["seed"], []).append(run["auc_roc"])
    return float(np.sqrt(np.mean([np.var(values, ddof=1) for values in by_seed.values()])))


def _claims(fits: Sequence[Fit], large: Sequence[CaseRecord]) -> list[Claim]:
    found = {
        (fit, way): float(fit.differences(way).mean())
        for fit in fits
        for way in fit.runs
        if way != MEMORY
    }
    beyond = {key: value for key, value in found.items() if abs(value) > LARGEST}
    fit, way = max(found, key=lambda key: abs(found[key]))
    text = f"{len(found) - len(beyond)} of {len(found)} are; the largest difference is "
    text += f"{found[fit, way]:+.4f} ({fit.name}, {way})"
    claims = [Claim.checked(SAME, [key not in beyond for key in found], text)]
    if beyond and all(fit.error is not None for fit, _ in beyond):
        claims.append(_chance(beyond))
    if len(large) > 1:
        few, many = large[0], large[-1]
        ratio = many.result["peak_bytes"] / few.result["peak_bytes"]
        text = "; ".join(
            f"{_gigabytes(each.result['peak_bytes'])} for {each.settings['rows']:,} rows"
            for each in (few, many)
        )
        claims.append(Claim.checked(CONSTANT, [ratio <= GROWTH], text))
    return claims


def _chance(beyond: Mapping[tuple[Fit, str], float]) -> Claim:
    shown, more = [], []
    for (fit, way), value in beyond.items():
        ratio = abs(value) / (fit.error or np.inf)
        more.append(ratio > 2)
        shown.append(f"{fit.name}, {way}: {value:+.4f}, {ratio:.1f} standard errors")
    verdict = "yes" if all(more) else "in part" if any(more) else "no"
    return Claim(CHANCE, verdict, "; ".join(shown))


def _areas(fits: Sequence[Fit], ways: Sequence[str]) -> Table:
    rows = []
    for fit in fits:
        memory = fit.values(MEMORY)
        cells = [len(memory), f"{memory.mean():.4f} ± {memory.std():.4f}"]
        for way in ways[1:]:
            cells.append(f"{fit.values(way).mean():.4f} ({fit.differences(way).mean():+.4f})")
        cells.append("" if fit.error is None else f"± {fit.error:.4f}")
        rows.append([fit.dataset, fit.detector, *cells])
    return table(["dataset", "recipe", "seeds", *ways, "by the order of rows"], rows)


def _about(fits: Sequence[Fit]) -> list[str]:
    return [
        f"{fits[0].epochs} epochs for both recipes; half of the normal rows train, a quarter of "
        "these is held out. In brackets: from memory. The ± of memory is the spread between seeds, "
        "which are splits as well.",
        "The first weights, subspaces and held-out rows of a seed are the same in all ways; in "
        "memory a group's rows are drawn with replacement, in a stream every row comes equally "
        "often.",
        "By the order of rows: the standard error that a mean difference would have if nothing "
        "but that order differed, from fits in memory of the same rows in other orders, which "
        "holds out other rows as well.",
        *_added(fits),
    ]


def _added(fits: Sequence[Fit]) -> Iterator[str]:
    """Seeds that came later, and what the others had said."""
    few = min(len(fit.runs[MEMORY]) for fit in fits)
    for fit in fits:
        if (count := len(fit.runs[MEMORY])) > few:
            before = [float(fit.differences(way)[:few].mean()) for way in fit.runs if way != MEMORY]
            yield (
                f"{fit.name}: {count} seeds, because the first {few} left it open whether a "
                f"difference of {max(before, key=abs):+.4f} was one."
            )


def _sizes(large: Sequence[CaseRecord]) -> Table:
    rows = (
        [
            f"{record.settings['rows']:,} x {record.settings['columns']}",
            *(_gigabytes(record.result[name]) for name in ("table_bytes", "peak_bytes")),
            f"{record.result['seconds']:,.0f}",
        ]
        for record in large
    )
    return table(["table", "its cells", "peak memory", "seconds"], rows)


def _about_memory() -> str:
    return (
        "Made-up numbers in 20 Parquet files, one epoch of slad-subspaces. The peak is that of "
        "the whole process, of which the libraries alone take some 0.4 GB."
    )


def _gigabytes(count: float) -> str:
    return f"{count / 2**30:.2f} GB"


def _means(fits: Sequence[Fit], ways: Sequence[str], metric: str, shown: str) -> Table:
    rows = (
        [fit.dataset, fit.detector, *(shown.format(fit.values(w, metric).mean()) for w in ways)]
        for fit in fits
    )
    return table(["dataset", "recipe", *ways], rows)


def _draw(fits: Sequence[Fit], ways: Sequence[str]) -> pictures.Figure:
    """One line for each dataset and recipe; a dot for every seed, a bar for their mean."""
    figure, axis = pictures.one_panel(7.6, 1.5 + 0.5 * len(fits))
    pictures.named_rows(axis, [fit.name for fit in fits])
    axis.axvspan(-LARGEST, LARGEST, color=pictures.BAND, zorder=0)
    axis.axvline(0, color=pictures.GREY, lw=0.8)
    shifts = np.linspace(-0.25, 0.25, len(ways)) if len(ways) > 1 else np.zeros(1)
    for way, shift, colour in zip(ways, shifts, COLOURS, strict=False):
        for at, fit in enumerate(fits):
            values = fit.differences(way)
            label = way if at == 0 else None
            axis.plot(values, np.full(len(values), at + shift), "o", color=colour, ms=4, alpha=0.5)
            axis.plot(values.mean(), at + shift, "|", color=colour, ms=11, mew=2.4, label=label)
    axis.set_xlabel(f"AUC-ROC less that of memory; bars: means; grey: within {LARGEST}")
    figure.legend(loc="outside upper center", ncols=len(ways))
    return figure


def _runs(fits: Sequence[Fit]) -> list[dict[str, Value]]:
    return [
        {"dataset": fit.dataset, "detector": fit.detector, "way": way, **run}
        for fit in fits
        for way, runs in fit.runs.items()
        for run in runs
    ]
