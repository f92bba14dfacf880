"""The page on variants of the paper's scale learning, on the tuning suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slad.core.errors import DataError
from slad_paper.datasets.suite import task
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, Value
from slad_paper.pages.names import class_today
from slad_paper.pages.standings import chance
from slad_paper.pages.statistics import DIGITS, SIGNIFICANCE, holm, wilcoxon
from slad_paper.pages.tables import long, marked, table
from slad_paper.runner.printed import METRICS
from slad_paper.studies.subspace_variants import REFERENCES, VARIANTS

OURS = "NeighborScale()"
LEARNED, UNTRAINED = "default", "untrained"
BEST = 10

Key = tuple[str, str]
"""A variant and a score."""


@dataclass(frozen=True)
class Found:
    """AUCs by source of every variant under every score."""

    references: Mapping[str, Mapping[str, np.ndarray]]
    """Name -> metric -> sources."""
    variants: Mapping[Key, Mapping[str, np.ndarray]]
    sources: int
    tasks: int

    @property
    def ours(self) -> Mapping[str, np.ndarray]:
        return self.references[OURS]


def report(records: Sequence[CaseRecord]) -> Report:
    found = gather_cases(records)
    ranked = sorted(found.variants, key=lambda key: -_mean(found.variants[key]))
    p_values = dict(zip(ranked, _against_ours(found, ranked), strict=True))
    brief: list[Part] = [
        Heading("The best of them"),
        _best(found, ranked[:BEST], p_values),
        Notes([_verdict(found, ranked, p_values), *_about(found, records)]),
        Heading(f"What training adds: {LEARNED} against {UNTRAINED}"),
        _training(found),
    ]
    details: list[Part] = []
    for metric, title in METRICS.items():
        details += [Heading(f"{title}, means over {found.sources} sources"), _grid(found, metric)]
    return Report(
        name="subspace-search",
        title="Variants of the paper's scale learning on the tuning suite",
        brief=brief,
        details=details,
        data={"variants": _rows(found, p_values)},
    )


def gather_cases(records: Sequence[CaseRecord]) -> Found:
    """AUCs by source, of all records of the study."""
    by_case = {record.case: record for record in records}
    if REFERENCES not in by_case or len(by_case) < 2:
        raise DataError(
            f"there are records of {', '.join(by_case)}: {REFERENCES} and a variant are needed"
        )
    names = by_case[REFERENCES].result["tasks"]
    sources, places = np.unique([task(name).source for name in names], return_inverse=True)

    def by_source(values: Sequence[float]) -> np.ndarray:
        means: np.ndarray = np.bincount(places, values) / np.bincount(places)
        return means

    def of(record: CaseRecord) -> dict[str, dict[str, np.ndarray]]:
        if record.result["tasks"] != names:
            raise DataError(f"{record.path} has other tasks than {REFERENCES}: run it again")
        return {
            class_today(score, record.environment): {
                metric: by_source(values[metric]) for metric in METRICS
            }
            for score, values in record.result["scores"].items()
        }

    variants = {
        (case, score): values
        for case, record in by_case.items()
        if case != REFERENCES
        for score, values in of(record).items()
    }
    return Found(of(by_case[REFERENCES]), variants, len(sources), len(names))


def _mean(values: Mapping[str, np.ndarray]) -> float:
    return float(np.mean([values[metric].mean() for metric in METRICS]))


def _against_ours(found: Found, keys: Sequence[Key]) -> list[dict[str, float]]:
    """P-values against NeighborScale() by metric, after Holm over all variants and metrics."""
    cells = [(key, metric) for key in keys for metric in METRICS]
    plain_p = [_p(found.variants[key], found.ours, metric) for key, metric in cells]
    corrected = dict(zip(cells, holm(plain_p), strict=True))
    return [{metric: corrected[key, metric] for metric in METRICS} for key in keys]


def _p(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray], metric: str) -> float:
    return wilcoxon(np.round(one[metric] - other[metric], DIGITS))


def _best(found: Found, keys: Sequence[Key], p_values: Mapping[Key, Mapping[str, float]]) -> Table:
    header = ["variant", "score"]
    header += [word for title in METRICS.values() for word in (title, f"minus {OURS}", "p")]
    rows: list[list[Any]] = [
        [name, "", *(cell for each in METRICS for cell in (_auc(values, each), "", ""))]
        for name, values in found.references.items()
    ]
    for key in keys:
        row: list[Any] = [*key]
        for metric in METRICS:
            values = found.variants[key]
            difference = float((values[metric] - found.ours[metric]).mean())
            row += [_auc(values, metric), f"{difference:+.4f}", chance(p_values[key][metric])]
        rows.append(row)
    return table(header, rows)


def _auc(values: Mapping[str, np.ndarray], metric: str) -> str:
    return f"{values[metric].mean():.4f}"


def _verdict(found: Found, keys: Sequence[Key], p_values: Mapping[Key, Mapping[str, float]]) -> str:
    """The rule of the study's module, applied."""
    ahead = [
        f"{variant} by {score}"
        for variant, score in keys
        if all(
            found.variants[variant, score][metric].mean() > found.ours[metric].mean()
            and p_values[variant, score][metric] < SIGNIFICANCE
            for metric in METRICS
        )
    ]
    rule = (
        f"The rule, set before the first case ran: what is ahead of {OURS} in both metrics with "
        f"p < {SIGNIFICANCE:g} after Holm over all variants and metrics takes its place. "
    )
    return rule + (f"It holds for: {'; '.join(ahead)}." if ahead else "It holds for none.")


def _about(found: Found, records: Sequence[CaseRecord]) -> list[str]:
    seed = records[0].settings["seed"]
    done = {record.case for record in records}
    missing = [name for name in VARIANTS if name not in done]
    devices = sorted({str(record.environment.get("gpu") or "a CPU") for record in records})
    return [
        f"{len(found.variants)} variants: {len(records) - 1} fits, each under several scores; "
        f"{found.tasks} tasks of {found.sources} sources, seed {seed}, on {', '.join(devices)}. "
        "A source counts once. p: Wilcoxon's signed-rank test over the sources",
        "loss: the mean over the groups of subspaces, the paper's score. tails of groups: -log of "
        "the share of training rows with a higher loss, group by group, then averaged; both sides: "
        "of a lower one, too. 1-NN of losses, of scales: the distance to the nearest training row "
        "among its groups' losses, or among its 200 predicted scales. committee: the mean tail of "
        "two scores. profile: further columns beside NeighborScale()'s ten distances, weighed "
        "with them",
        "the variants differ from slad-subspaces, which is default here, in what their name says "
        "(slad_paper.studies.subspace_variants has the settings)",
        *([f"not run: {', '.join(missing)}"] if missing else []),
    ]


def _training(found: Found) -> Table:
    header = ["score", *(f"{title} {word}" for title in METRICS.values() for word in ("gain", "p"))]
    both = {
        score: (values, found.variants[UNTRAINED, score])
        for (variant, score), values in found.variants.items()
        if variant == LEARNED and (UNTRAINED, score) in found.variants
    }
    cells = [(score, metric) for score in both for metric in METRICS]
    p_values = holm([_p(*both[score], metric) for score, metric in cells])
    corrected = dict(zip(cells, p_values, strict=True))
    rows = []
    for score, (learned, untrained) in both.items():
        row: list[Any] = [score]
        for metric in METRICS:
            gain = (learned[metric] - untrained[metric]).mean()
            row += [f"{gain:+.4f}", chance(corrected[score, metric])]
        rows.append(row)
    return table(header, rows, numbers=True)


def _grid(found: Found, metric: str) -> Table:
    scores = list(dict.fromkeys(score for _, score in found.variants))
    rows = (
        [name, *marked([float(found.variants[name, each][metric].mean()) for each in scores])]
        for name in dict.fromkeys(variant for variant, _ in found.variants)
    )
    return table(["variant", *scores], rows, numbers=True)


def _rows(found: Found, p_values: Mapping[Key, Mapping[str, float]]) -> list[dict[str, Value]]:
    return long(
        "variant score metric mean ahead_of_neighbor_scale p_holm",
        (
            (
                *(variant, score, metric, values[metric].mean()),
                (values[metric] - found.ours[metric]).mean(),
                p_values[variant, score][metric],
            )
            for (variant, score), values in found.variants.items()
            for metric in METRICS
        ),
    )
