"""How likely a random subspace holds enough features to reveal an anomaly (Lemma 1, Theorem 1).

Of n features (the paper's |F|) m are effective (|G| = beta |F|), and q of them (alpha |G|) reveal
the anomaly. A subspace's length j is uniform in 1..n. Three ways to draw and count its features:

- "repeats": drawn with replacement, and a feature drawn twice counts twice. The lemma's binomial.
- "subset": drawn without replacement, as `SLAD()` and `SLAD.paper()` draw.
- "distinct": drawn with replacement, and a feature drawn twice counts once, since its second copy
  tells nothing new. So draws the released code in tables of at most 10 features.

The first two have closed forms. B being binomial with n + 1 draws of probability m / n,

    repeats  Pr = 1 + 1/n - E[min(B, q)] / m
    subset   Pr = (1 + 1/n) (1 - q / (m + 1))

The first because the sum over j of Pr(Bin(j, p) = k) is Pr(Bin(n + 1, p) > k) / p; the second
because the q-th of m marked features stands, on average, at place q (n + 1) / (m + 1) of a
shuffled list. Both are more than 1 - q / m, which proves the theorem's bound where q is alpha m.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from scipy.special import bdtr, bdtrc

from slad.core.typing import Float, Int

COUNTINGS = ("repeats", "subset", "distinct")
ROUNDINGS = ("up", "nearest", "down")


def rounded(numerator: Any, denominator: int, rounding: str) -> Any:
    """Whole numbers from non-negative `numerator / denominator`, exactly; halves go up."""
    if rounding == "up":
        return -(-numerator // denominator)
    if rounding == "down":
        return numerator // denominator
    return (2 * numerator + denominator) // (2 * denominator)


def with_repeats(n: int, m: Any, q: Any) -> Float[np.ndarray, "*shape"]:
    """Lemma 1 in closed form; certain where q is 0."""
    m, q = np.broadcast_arrays(m, q)
    share = m / n
    at_most = [
        np.where(q > by, bdtr(np.maximum(q - 1 - by, 0), n + 1 - by, share), 0.0) for by in (0, 1)
    ]
    lacking = q * at_most[0] - (n + 1) * share * at_most[1]
    return np.where(q > 0, 1 + 1 / n - (q - lacking) / m, 1.0)


def as_printed(n: int, m: int, q: int) -> float:
    """Lemma 1 as it is printed, a sum of binomial tails."""
    lengths = np.arange(max(q, 1), n + 1)
    return float(np.sum(bdtrc(q - 1, lengths, m / n)) / n) if q else 1.0


def as_subset(n: int, m: Any, q: Any) -> Float[np.ndarray, "*shape"]:
    """The same without replacement."""
    m, q = np.broadcast_arrays(m, q)
    return np.where(q > 0, (1 + 1 / n) * (1 - q / (m + 1)), 1.0)


def as_distinct(n: int, m: int) -> Float[np.ndarray, " m1"]:
    """With replacement, repeats counted once: for q = 0..m, by a chain over the draws."""
    held = np.zeros(m + 1)
    held[0] = 1.0
    new = (m - np.arange(m + 1)) / n
    total = np.zeros(m + 1)
    for _ in range(n):
        gained = held * new
        held -= gained
        held[1:] += gained[:-1]
        total += held
    tails: np.ndarray = total[::-1].cumsum()[::-1] / n
    return tails


def probabilities(
    counting: str, n: int, m: Int[np.ndarray, " k"], q: Int[np.ndarray, " k"]
) -> Float[np.ndarray, " k"]:
    """One of the three, for many sizes in tables of n features."""
    if counting == "distinct":
        return np.array([as_distinct(n, size)[needed] for size, needed in zip(m, q, strict=True)])
    return (with_repeats if counting == "repeats" else as_subset)(n, m, q)


def probability(counting: str, n: int, m: int, q: int) -> float:
    return float(probabilities(counting, n, np.array([m]), np.array([q]))[0])


def exact(counting: str, n: int, m: int, q: int) -> Fraction:
    """One of the three as a fraction, for what rounding could decide."""
    if q == 0:
        return Fraction(1)
    if counting == "subset":
        return Fraction((n + 1) * (m + 1 - q), n * (m + 1))
    if counting == "repeats":
        lacking = sum(
            (q - k) * comb(n + 1, k) * m**k * (n - m) ** (n + 1 - k) for k in range(min(q, n + 2))
        )
        return 1 + Fraction(1, n) - (q - Fraction(lacking, n ** (n + 1))) / m
    return _exact_distinct(n, m, q)


def _exact_distinct(n: int, m: int, q: int) -> Fraction:
    held = [Fraction(1)] + [Fraction(0)] * m
    total = Fraction(0)
    for _ in range(n):
        gained = [each * Fraction(m - k, n) for k, each in enumerate(held)]
        held = [each - lost for each, lost in zip(held, gained, strict=True)]
        for k, each in enumerate(gained[:-1], 1):
            held[k] += each
        total += sum(held[q:], Fraction(0))
    return total / n


def limit_of_distinct(alpha: float) -> float:
    """What "distinct" comes to in wide tables.

    t n draws leave a share e^-t of the features unseen, and t is uniform in (0, 1].
    """
    return max(0.0, 1 + float(np.log1p(-alpha))) if alpha < 1 else 0.0


def of_group(useful: Any, size: int) -> Any:
    """That one of `size` independent subspaces is useful; with 1 - alpha, the paper's Pr(U)."""
    return 1 - (1 - useful) ** size
