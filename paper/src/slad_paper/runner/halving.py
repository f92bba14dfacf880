"""Choosing on one half of the suite and judging on the other, many times.

A candidate that is best on all tasks may be so by chance, the more so the more candidates there
are. What is chosen on one half of the sources and stays ahead on the other half, which took no part
in the choice, is ahead. A source lies in one half or the other with all of its tasks, and counts
once, as the mean of its tasks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64, Generator
from scipy.stats import rankdata

from slad.core.errors import ConfigError, DataError
from slad.core.names import unknown
from slad.core.typing import Float

TIMES = 200
DIGITS = 12
"""Values that differ by less share their rank."""


@dataclass(frozen=True)
class Scores:
    """Candidates on tasks: for each metric a row for each task, a column for each candidate."""

    candidates: tuple[str, ...]
    sources: tuple[str, ...]
    """Of each task."""
    values: Mapping[str, Float[np.ndarray, "tasks candidates"]]

    def __post_init__(self) -> None:
        shape = (len(self.sources), len(self.candidates))
        for metric, table in self.values.items():
            wrong = int((~np.isfinite(table)).sum())
            if table.shape != shape or wrong:
                raise DataError(
                    f"{metric} of {shape[0]} tasks and {shape[1]} candidates is a table of shape "
                    f"{table.shape} with {wrong} cells that are no number"
                )

    def by_source(self) -> tuple[tuple[str, ...], dict[str, np.ndarray]]:
        """The sources, each once, and for each metric the means over their tasks."""
        names, of_task = np.unique(np.array(self.sources), return_inverse=True)
        counts = np.bincount(of_task)[:, None]
        means = {}
        for metric, table in self.values.items():
            sums = np.zeros((len(names), len(self.candidates)))
            np.add.at(sums, of_task, table)
            means[metric] = sums / counts
        return tuple(names.tolist()), means


@dataclass(frozen=True)
class Halving:
    """One choice, and how it did on the sources that had no part in it."""

    chosen: str
    reference: str
    """The best of the reference's variants on the same half: it is chosen, too."""
    choosing: tuple[str, ...]
    confirming: tuple[str, ...]
    differences: Mapping[str, Float[np.ndarray, " sources"]]
    """Chosen minus reference on each confirming source, by metric."""


def repeated_halvings(
    scores: Scores,
    reference: Sequence[str],
    *,
    by: str = "mean",
    times: int = TIMES,
    seed: int = 0,
) -> Iterator[Halving]:
    """Choose among the other candidates on a random half of the sources, and compare on the rest.

    `by` says what best is: the highest mean over sources and metrics, or the lowest mean "rank".
    """
    if by not in GOODNESS:
        raise unknown("way to choose", by, GOODNESS)
    others = _others(scores, reference)
    columns = {name: at for at, name in enumerate(scores.candidates)}
    sources, means = scores.by_source()
    tables = list(means.values())
    rng = Generator(PCG64(seed))
    for _ in range(times):
        order = rng.permutation(len(sources))
        choosing, confirming = np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :])
        good = GOODNESS[by]([table[choosing] for table in tables])
        chosen = max(others, key=lambda name: good[columns[name]])
        against = max(reference, key=lambda name: good[columns[name]])
        yield Halving(
            chosen,
            against,
            tuple(sources[at] for at in choosing),
            tuple(sources[at] for at in confirming),
            {
                metric: table[confirming, columns[chosen]] - table[confirming, columns[against]]
                for metric, table in means.items()
            },
        )


def _others(scores: Scores, reference: Sequence[str]) -> list[str]:
    """The candidates but the reference; an error where there is nothing to choose or compare."""
    for name in reference:
        if name not in scores.candidates:
            raise unknown("candidate", name, scores.candidates)
    others = [name for name in scores.candidates if name not in reference]
    sources = len(set(scores.sources))
    if not reference or not others or sources < 2:
        raise ConfigError(
            f"{len(others)} candidates, {len(reference)} of the reference and {sources} sources: "
            "one, one and two are needed to choose and to compare"
        )
    return others


def _mean(tables: Sequence[np.ndarray]) -> np.ndarray:
    good: np.ndarray = np.mean([table.mean(axis=0) for table in tables], axis=0)
    return good


def _rank(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Ranks among all candidates on each source; ties share the average of their places."""
    return _mean([rankdata(table.round(DIGITS), axis=1) for table in tables])


GOODNESS = {"mean": _mean, "rank": _rank}
"""How good every candidate is on some sources: one table for each metric."""
