"""Ranks over datasets and the tests that go with them (Demšar, JMLR 2006; Benavoli et al., 2016).

Every table is an array with a row for each dataset and a column for each detector; higher is
better.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

from slad.core.typing import Float

SIGNIFICANCE = 0.05
DIGITS = 12
"""Means over seeds that differ by less are rounding of the same number."""


@dataclass(frozen=True)
class Pair:
    """Two detectors compared over all datasets."""

    first: int
    second: int
    wins: int
    ties: int
    losses: int
    median_difference: float
    p: float
    p_holm: float


def ranks(table: Float[np.ndarray, "n k"]) -> Float[np.ndarray, "n k"]:
    """Places on each dataset, 1 = best; detectors that tie share the average of their places."""
    return np.asarray(stats.rankdata(-np.round(table, DIGITS), axis=1))


def top(places: Float[np.ndarray, "n k"], count: int) -> list[int]:
    """On how many datasets each detector has one of the first `count` places."""
    return [int(number) for number in (places <= count).sum(axis=0)]


def friedman(table: Float[np.ndarray, "n k"]) -> tuple[float, float] | None:
    """Friedman's statistic and its p-value; None with fewer than 3 detectors or 2 datasets."""
    n, k = table.shape
    if k < 3 or n < 2:
        return None
    places = ranks(table)
    if (places == places[:, :1]).all():  # scipy divides 0 by 0 here
        return 0.0, 1.0
    statistic, p = stats.friedmanchisquare(*places.T)
    return float(statistic), float(p)


def pairwise(
    table: Float[np.ndarray, "n k"], pairs: Sequence[tuple[int, int]] | None = None
) -> list[Pair]:
    """Wilcoxon's signed-rank test of these pairs, or of every two detectors, after Holm."""
    if pairs is None:
        pairs = list(combinations(range(table.shape[1]), 2))
    differences = [np.round(table[:, i] - table[:, j], DIGITS) for i, j in pairs]
    p_values = [wilcoxon(difference) for difference in differences]
    return [
        Pair(
            first,
            second,
            wins=int((difference > 0).sum()),
            ties=int((difference == 0).sum()),
            losses=int((difference < 0).sum()),
            median_difference=float(np.median(difference)),
            p=p,
            p_holm=corrected,
        )
        for (first, second), difference, p, corrected in zip(
            pairs, differences, p_values, holm(p_values), strict=True
        )
    ]


def wilcoxon(differences: Float[np.ndarray, " n"]) -> float:
    """Two-sided p-value; ties between detectors count half for either (Demšar, section 3.1.3)."""
    if not differences.any():
        return 1.0
    with warnings.catch_warnings():  # older versions of scipy warn of small samples
        warnings.simplefilter("ignore")
        p = stats.wilcoxon(differences, zero_method="zsplit").pvalue
    return float(min(p, 1.0))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number, step down: the smallest times m, the next m - 1, ..."""
    corrected = [0.0] * len(p_values)
    reached = 0.0
    for place, at in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        reached = max(reached, min(1.0, (len(p_values) - place) * p_values[at]))
        corrected[at] = reached
    return corrected


def alike(pairs: Sequence[Pair], count: int, level: float = SIGNIFICANCE) -> list[list[int]]:
    """The largest groups in which no two of `count` detectors differ significantly."""
    friends: dict[int, set[int]] = {at: set() for at in range(count)}
    for pair in pairs:
        if pair.p_holm >= level:
            friends[pair.first].add(pair.second)
            friends[pair.second].add(pair.first)
    groups = _cliques([], set(range(count)), set(), friends)
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _cliques(
    chosen: list[int], open_: set[int], closed: set[int], friends: dict[int, set[int]]
) -> Iterator[list[int]]:
    """Maximal cliques after Bron and Kerbosch, with a pivot."""
    if not open_ and not closed:
        yield chosen
        return
    pivot = max(sorted(open_ | closed), key=lambda at: len(friends[at] & open_))
    for at in sorted(open_ - friends[pivot]):
        yield from _cliques([*chosen, at], open_ & friends[at], closed & friends[at], friends)
        open_ = open_ - {at}
        closed = closed | {at}
