"""Counter-examples to Theorem 1: every size up to a width, and shares on a grid.

For whole numbers the search is complete: all n up to the widest, all m up to n, all q up to m. A
share alpha for which alpha m is no whole number asks for more features than alpha m, while the
bound stays at 1 - alpha; such alpha fill intervals, which are measured exactly, too. A grid of
shares in hundredths says how often that happens at shares one would choose, under every rounding.
What the rounding of floats could decide is decided by fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

from slad.core.typing import Float, Int
from slad_paper.studies.usefulness import (
    ROUNDINGS,
    as_distinct,
    exact,
    probabilities,
    probability,
    rounded,
)

HUNDRED = 100
DOUBTFUL = 1e-9
"""Closer than this, a thousand times the error of the floats, fractions decide."""

Example = dict[str, Any]
"""n, m, q, the probability, and `gap`: how far it is on the wrong side."""


@dataclass
class Tally:
    """What a search has found: how many were looked at, how many broke the claim, and which."""

    searched: int = 0
    broken: int = 0
    worst: Example | None = None
    """The one that is furthest off."""
    smallest: Example | None = None
    """The one with the fewest features; the worst of these."""

    def add(self, searched: int, broken: int, example: Example | None) -> None:
        """Take in tables of one width, wider than those before; `example` is the worst of them."""
        self.searched += searched
        self.broken += broken
        if example is not None:
            self.smallest = self.smallest or example
            if self.worst is None or example["gap"] > self.worst["gap"]:
                self.worst = example


def sizes(n: int) -> tuple[Int[np.ndarray, " k"], Int[np.ndarray, " k"]]:
    """All m = 1..n with all q = 1..m."""
    m, q = np.tril_indices(n)
    return m + 1, q + 1


def table(counting: str, n: int) -> Float[np.ndarray, "m q"]:
    """Probabilities at [m, q], for q up to m; q = 0 is certain."""
    found = np.full((n + 1, n + 1), np.nan)
    found[:, 0] = 1.0
    if counting == "distinct":
        for size in range(1, n + 1):
            found[size, : size + 1] = as_distinct(n, size)
        return found
    m, q = sizes(n)
    found[m, q] = probabilities(counting, n, m, q)
    return found


# -- the bound -------------------------------------------------------------------------------------


def search_whole(counting: str, widest: int) -> dict[str, Any]:
    """Is Pr below 1 - alpha where alpha m = q is whole? And for which other alpha, rounded up?

    ceil(alpha m) is q for alpha in ((q - 1) / m, q / m]; those below 1 - Pr break the bound.
    `alphas_broken` is their length, for tables of the widest width and some beta.
    """
    tally, least, gap = Tally(), np.inf, 0.0
    for n in range(1, widest + 1):
        m, q = sizes(n)
        found = table(counting, n)
        excess = _tally(tally, counting, n, found, m, q, m - q, m)
        least = min(least, float(np.min(excess) * n))
        gap = max(gap, float(np.max(1 / m - excess)))
    broken = np.bincount(m, np.clip(1 / m - excess, 0, 1 / m))
    return asdict(tally) | {
        "least_excess_times_n": least,
        "largest_gap_rounded_up": gap,
        "alphas_broken": {
            str(quarters / 4): float(broken[max(1, round(widest * quarters / 4))])
            for quarters in range(1, 5)
        },
    }


def search_shares(counting: str, widest: int) -> list[dict[str, Any]]:
    """Pr < 1 - alpha for alpha, beta = 0.01 .. 1 and all n, under every rounding of both sizes."""
    ways = list(product(ROUNDINGS, ROUNDINGS))
    tallies = [Tally() for _ in ways]
    alpha, beta = (each.ravel() + 1 for each in np.indices((HUNDRED, HUNDRED)))
    for n in range(1, widest + 1):
        found = table(counting, n)
        for tally, (size, needed) in zip(tallies, ways, strict=True):
            m = np.maximum(rounded(beta * n, HUNDRED, size), 1)
            q = rounded(alpha * m, HUNDRED, needed)
            _tally(tally, counting, n, found, m, q, HUNDRED - alpha, np.full_like(alpha, HUNDRED))
    return [
        {"size": size, "needed": needed} | asdict(tally)
        for tally, (size, needed) in zip(tallies, ways, strict=True)
    ]


def map_of_shares(counting: str, widest: int, step: int) -> dict[str, Any]:
    """For shares in steps of `step` hundredths: at which part of all n the bound fails, how far.

    beta n is rounded to the nearest, alpha m up, as "at least alpha |G|" asks.
    """
    shares = np.arange(step, HUNDRED + 1, step)
    alpha, beta = shares[:, None], shares[None]
    failed, gap = np.zeros((2, len(shares), len(shares)))
    for n in range(1, widest + 1):
        m = np.maximum(rounded(beta * n, HUNDRED, "nearest"), 1)
        short = 1 - alpha / HUNDRED - table(counting, n)[m, rounded(alpha * m, HUNDRED, "up")]
        failed += short > DOUBTFUL
        gap = np.maximum(gap, short)
    return {
        "shares": (shares / HUNDRED).tolist(),
        "failed": np.round(failed / widest, 6).tolist(),
        "gap": np.round(gap, 6).tolist(),
    }


def _tally(
    tally: Tally,
    counting: str,
    n: int,
    found: Float[np.ndarray, "m q"],
    m: Int[np.ndarray, " k"],
    q: Int[np.ndarray, " k"],
    over: Int[np.ndarray, " k"],
    under: Int[np.ndarray, " k"],
) -> Float[np.ndarray, " k"]:
    """Count the sizes whose probability is below the bound `over / under`; by how much it is not.

    A bound of 0 needs no fractions: no sum of probabilities is below it.
    """
    excess: np.ndarray = found[m, q] - over / under
    broken = excess < 0
    for at in np.flatnonzero((np.abs(excess) < DOUBTFUL) & (over > 0)):
        bound = Fraction(int(over[at]), int(under[at]))
        broken[at] = exact(counting, n, int(m[at]), int(q[at])) < bound
    example: Example | None = None
    if broken.any():
        at = np.argmin(np.where(broken, excess, np.inf))
        example = {"n": n, "m": int(m[at]), "q": int(q[at])}
        example |= {"alpha": float((under[at] - over[at]) / under[at])}
        example |= {"probability": float(found[m[at], q[at]]), "gap": -float(excess[at])}
    tally.add(len(excess), int(broken.sum()), example)
    return excess


# -- the decrease with n ---------------------------------------------------------------------------


def search_increases(counting: str, widest: int) -> dict[str, Any]:
    """Does Pr fall when n grows by one while m and q stay, as the theorem's proof says?"""
    tally, after = Tally(), table(counting, 1)
    for n in range(1, widest):
        before, after = after, table(counting, n + 1)
        m, q = sizes(n)
        fall = before[m, q] - after[m, q]
        rises = fall < 0
        for at in np.flatnonzero(np.abs(fall) < DOUBTFUL):
            size = int(m[at]), int(q[at])
            rises[at] = exact(counting, n, *size) < exact(counting, n + 1, *size)
        example: Example | None = None
        if rises.any():
            at = np.argmin(fall)
            example = {"n": n, "m": int(m[at]), "q": int(q[at]), "gap": -float(fall[at])}
            example |= {"probability": float(before[m[at], q[at]])}
        tally.add(len(fall), int(rises.sum()), example)
    return asdict(tally)


def increases_along(
    counting: str, shares: Sequence[Fraction], widest: int, needed: str | None
) -> dict[str, Any]:
    """Does Pr fall with n while alpha and beta stay, as the appendix's figure says?

    `needed` rounds alpha m (and beta n to the nearest); None keeps to n with whole sizes.
    """
    steps = rises = 0
    worst: Example | None = None
    for alpha, beta in product(shares, shares):
        points = list(_points(alpha, beta, widest, needed))
        values = [probability(counting, *point) for point in points]
        steps += len(values) - 1
        for place, (before, after) in enumerate(pairwise(values)):
            if after - before > DOUBTFUL:
                rises += 1
                if worst is None or after - before > worst["gap"]:
                    worst = {"alpha": float(alpha), "beta": float(beta), "gap": after - before}
                    worst |= {"n": points[place][0], "to": points[place + 1][0]}
    return {"steps": steps, "rises": rises, "worst": worst}


def _points(
    alpha: Fraction, beta: Fraction, widest: int, needed: str | None
) -> Iterator[tuple[int, int, int]]:
    """(n, m, q) for growing n."""
    for n in range(1, widest + 1):
        if needed is not None:
            size = beta * n
            m = max(1, rounded(size.numerator, size.denominator, "nearest"))
            yield n, m, rounded(alpha.numerator * m, alpha.denominator, needed)
        elif (beta * n).denominator == (alpha * beta * n).denominator == 1:
            yield n, int(beta * n), int(alpha * beta * n)


def last_line_of_proof(widest: int) -> dict[str, Any]:
    """Where the last line of the proof of the decrease, "... >= 0", is true.

    The line, over (m / (n + 1))^n, is (1 + 1/n)^n / n - (n + 2) / (n + 1) + m n / (n + 1)^2.
    """
    true = [
        (n, m)
        for n in range(1, widest + 1)
        for m in range(1, n + 1)
        if Fraction(n + 1, n) ** n / n + Fraction(m * n, (n + 1) ** 2) >= Fraction(n + 2, n + 1)
    ]
    searched = widest * (widest + 1) // 2
    return {"searched": searched, "true": len(true), "widest_true": max(n for n, _ in true)}
