"""The network of the inlier-priority analysis: gradients of N rows, and what they add up to.

The paper's case: one sigmoid layer of u units, a softmax over c outputs, weights uniform in
[-1, 1]. l_k is the k-th term of the Jensen-Shannon divergence, and its gradient by w_k, the
weights of output k, is a_i h_i for row i, with h_i the row's units and

    a_i = log(2 p_k / (p_k + y_k)) p_k (1 - p_k) / 2.

Given the weights, rows are independent, so the squared length of the sum of N gradients is

    N V + N^2 M,   V = E|g - E g|^2,   M = |E g|^2   (then averaged over the weights):

it grows as N^2 where gradients share a direction, as N where their mean is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax

from slad.core.typing import Float

Rows = Float[np.ndarray, "t n d"]
Draw = Callable[[np.random.Generator, tuple[int, int, int]], Rows]
"""Draws t tables of n rows of d features."""


def ordinary(rng: np.random.Generator, shape: tuple[int, int, int]) -> Rows:
    return rng.normal(size=shape)


def shifted(rng: np.random.Generator, shape: tuple[int, int, int]) -> Rows:
    """Away from ordinary rows, all to one side."""
    return 2.0 + rng.normal(size=shape)


def scattered(rng: np.random.Generator, shape: tuple[int, int, int]) -> Rows:
    """Away from ordinary rows, each in its own direction."""
    return 5.0 * rng.normal(size=shape)


KINDS: dict[str, Draw] = {"the same": ordinary, "shifted": shifted, "scattered": scattered}
"""How anomalies may differ from ordinary rows."""


@dataclass(frozen=True)
class TheoryNetwork:
    """Draws networks of the analysis, and the gradients of rows in them."""

    units: int
    outputs: int
    inputs: int = 10
    spread: float = 1.0
    """The last layer's weights are uniform in [-spread, spread]."""
    own: bool = False
    """Whether every row has a network of its own, which makes gradients independent."""
    real_labels: bool = False
    """Labels as SLAD makes them, of random lengths; otherwise all equal, as the paper assumes."""
    whole: bool = False
    """Whether the loss has all its terms; otherwise the k-th only, as the paper assumes."""

    def gradients(
        self,
        draws: int,
        counts: Sequence[int],
        rng: np.random.Generator,
        kinds: Sequence[Draw] = (ordinary,),
    ) -> list[Float[np.ndarray, "t n u"]]:
        """By the weights of one output, for rows of one or more kinds in the same networks."""
        networks = sum(counts) if self.own else 1
        hidden = rng.uniform(-1, 1, (draws, networks, self.units, self.inputs))
        shape = (draws, networks, self.outputs, self.units)
        output = rng.uniform(-self.spread, self.spread, shape)
        target = self._targets(draws, rng)
        parts = [draw(rng, (draws, n, self.inputs)) for n, draw in zip(counts, kinds, strict=True)]
        units = expit(_through(hidden, np.concatenate(parts, axis=1)))
        p = softmax(_through(output, units), axis=-1)
        by_p = np.log(2 * p / (p + target)) / 2
        others = (p * by_p).sum(-1) if self.whole else p[..., 0] * by_p[..., 0]
        slope = p[..., 0] * (by_p[..., 0] - others)
        return np.split(slope[..., None] * units, np.cumsum(counts)[:-1], axis=1)

    def _targets(self, draws: int, rng: np.random.Generator) -> Float[np.ndarray, "t 1 c"]:
        """The softmaxed labels of a group."""
        if not self.real_labels:
            return np.full((draws, 1, self.outputs), 1 / self.outputs)
        # Lengths of subspaces of a table of 20 features, magnified and divided as by default.
        lengths = rng.integers(1, 21, size=(draws, 1, self.outputs))
        target: np.ndarray = softmax(200 * lengths / 128, axis=-1)
        return target


def _through(
    weights: Float[np.ndarray, "t networks out in"], values: Float[np.ndarray, "t n in"]
) -> Float[np.ndarray, "t n out"]:
    """Linear layers: one for all rows of a table, or one a row."""
    result: np.ndarray
    if weights.shape[1] == 1:
        result = values @ weights[:, 0].transpose(0, 2, 1)
    else:
        result = np.einsum("tnoi,tni->tno", weights, values)
    return result


# -- sums of gradients -----------------------------------------------------------------------------


def squared_sums(
    gradients: Float[np.ndarray, "t n u"], sizes: Sequence[int]
) -> Float[np.ndarray, "t sizes"]:
    """The squared length of the sum of the first N gradients, for every N of `sizes`."""
    sums = np.cumsum(gradients, axis=1)[:, np.asarray(sizes) - 1]
    squared: np.ndarray = (sums**2).sum(-1)
    return squared


def spread_and_mean(
    gradients: Float[np.ndarray, "t n u"],
) -> tuple[Float[np.ndarray, " t"], Float[np.ndarray, " t"]]:
    """V and M of every draw, without bias: the square of a mean of n rows is V / n too large."""
    spread = gradients.var(axis=1, ddof=1).sum(-1)
    mean = (gradients.mean(axis=1) ** 2).sum(-1) - spread / gradients.shape[1]
    return spread, mean


def exponent(sizes: Sequence[float], values: Float[np.ndarray, "*lead k"]) -> np.ndarray:
    """The slope of log(values) over log(sizes), by least squares."""
    x = np.log(np.asarray(sizes))
    x -= x.mean()
    slope: np.ndarray = (np.log(values) @ x) / (x @ x)
    return slope


def resampled_means(
    values: Float[np.ndarray, "t k"], times: int, rng: np.random.Generator
) -> Float[np.ndarray, "times k"]:
    """Means of bootstrap samples of the draws."""
    count = len(values)
    weights = rng.multinomial(count, np.full(count, 1 / count), size=times) / count
    means: np.ndarray = weights @ values
    return means


def interval(values: Float[np.ndarray, " times"]) -> list[float]:
    """From 2.5 % to 97.5 % of resampled values."""
    return [float(each) for each in np.quantile(values, [0.025, 0.975])]


# -- the constant Q --------------------------------------------------------------------------------


def printed_constant(units: int, c: int) -> float:
    """Q as the appendix prints it."""
    first = (c**3 + 1) * (c - 1) ** 3 / (1536 * c**6 * (c + 1))
    second = (c - 1) * (3 * c**3 - 14 * c**2 + 16 * c - 9) / (768 * c**4)
    return units * (first + second)


def repaired_constant(units: int, c: int, spread: float = 1.0) -> float:
    """Q of the same expansion to second order, carried out.

    At w = 0 the factor a is zero, and its slope by w_tl is s_l h_t / 2, with s_k = (c - 1)^2 / 2c^3
    and s_l = (1 - c) / 2c^3 for the other outputs. So the product of two gradients has the second
    derivative 2 (s_l / 2)^2 h_t h_t h_s h_s, and terms with a second derivative of a vanish. The
    sum of s_l^2 is (c - 1)^3 / 4c^5, those over s and t have u terms each, four units have a
    product of about 1/16, and a squared weight is spread^2 / 3 on average.
    """
    return float(units**2 * spread**2 * (c - 1) ** 3 / (768 * c**5))


def slopes_and_bends(c: int) -> dict[str, float]:
    """First and second derivatives of 2 a by an output at w = 0, as the appendix prints them.

    By output k itself and by another one, per h_t and h_t^2. They are right: a test says so.
    """
    return {
        "own_slope": (c - 1) ** 2 / (2 * c**3),
        "other_slope": (1 - c) / (2 * c**3),
        "own_bend": 3 * (c - 3) * (c - 1) ** 2 / (4 * c**4),
        "other_bend": (-9 + 7 * c - 2 * c**2) / (4 * c**4),
    }


def coefficients(c: int) -> dict[str, float]:
    """Of the appendix's sum over outputs: as printed, and as they are.

    Both printed ones come out when the term of output k is counted c times instead of once. The
    slopes lack the factor 2 of (fg)'' = f''g + 2f'g' + fg''; the bends belong to f''g and fg'',
    which vanish with f and g.
    """
    at = slopes_and_bends(c)
    own, other = at["own_slope"] ** 2, at["other_slope"] ** 2
    return {
        "slopes_printed": (c**2 - c + 1) * (c - 1) ** 3 / (4 * c**6),
        "slopes_c_times": c * own + (c - 1) * other,
        "slopes": 2 * (own + (c - 1) * other),
        "bends_printed": (c - 1) * (3 * c**3 - 14 * c**2 + 16 * c - 9) / (4 * c**4),
        "bends_c_times": c * at["own_bend"] + (c - 1) * at["other_bend"],
        "bends": 0.0,
    }
