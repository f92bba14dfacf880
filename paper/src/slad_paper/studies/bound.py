"""Lemma 1, Theorem 1 and Pr(U is useful), the appendix's figure of them, and where they fail.

The paper: the probability that a random subspace holds at least alpha |G| of the effective
features G is at least 1 - alpha, falls with the number of features, and a group of c = 10
subspaces has a useful one with more than 0.999 (alpha = 0.5) or 0.99 (alpha = 0.6). The
mathematics is in `usefulness`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from slad.core.seeds import Streams
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies import bound_draws, bound_search
from slad_paper.studies.usefulness import (
    COUNTINGS,
    as_printed,
    limit_of_distinct,
    of_group,
    probabilities,
    probability,
    rounded,
)

QUARTERS = [Fraction(k, 4) for k in range(1, 5)]
"""The figure's alpha and beta."""
GROUP = 10
"""The paper's c."""
DIGITS = 10

Settings = Mapping[str, Any]


def cases(quick: bool) -> list[Case]:
    widest, draws, models = (40, 2_000, 20) if quick else (400, 20_000, 300)
    widths = [8, 16, 40] if quick else [8, 16, 40, 96, 200, 400]
    far = [160, 1_600] if quick else [160, 1_600, 16_000, 160_000, 1_600_000]
    return [
        Case("curves", {"widest": widest}),
        Case("simulation", {"widths": [n for n in widths if n > 8], "draws": draws, "seed": 0}),
        # The chain over the draws, and its fractions, take long in wide tables.
        Case("whole", {"widest": widest, "widest_distinct": 20 if quick else 60}),
        Case("shares", {"widest": widest, "map_step": 20 if quick else 5}),
        Case("decrease", {"widest": widest}),
        Case("limits", {"widths": far, "widest_distinct": far[1]}),
        Case("groups", {"largest": 30, "widest": widest, "widest_distinct": 20 if quick else 60}),
        Case("sampler", {"widths": widths, "models": models, "pools": draws, "seed": 0}),
    ]


def run(case: Case, device: str) -> dict[str, Any]:
    """The result of a case; all of it is arithmetic, for which no device is needed."""
    return PARTS[case.name](case.settings)


def curves(settings: Settings) -> dict[str, Any]:
    """The appendix's figure, where both sizes are whole, and the worst error of the sums."""
    lines, error = [], 0.0
    for alpha, beta in product(QUARTERS, QUARTERS):
        widths = [
            n
            for n in range(1, settings["widest"] + 1)
            if (beta * n).denominator == (alpha * beta * n).denominator == 1
        ]
        sizes = [(n, int(beta * n), int(alpha * beta * n)) for n in widths]
        line: dict[str, Any] = {"alpha": float(alpha), "beta": float(beta), "widths": widths}
        for counting in COUNTINGS:
            line[counting] = [round(probability(counting, *size), DIGITS) for size in sizes]
        printed = [as_printed(*size) for size in sizes]
        error = max(error, float(np.max(np.abs(np.subtract(printed, line["repeats"])))))
        lines.append(line)
    return {"lines": lines, "printed_less_closed": error}


def simulation(settings: Settings) -> dict[str, Any]:
    """Exact probabilities beside drawn ones, for the figure's alpha and beta."""
    found = []
    for n, beta in product(settings["widths"], QUARTERS):
        rng = Streams(settings["seed"]).numpy(f"{n} features, {beta} effective")
        m = int(beta * n)
        counts = bound_draws.effective_counts(n, m, settings["draws"], rng)
        for alpha, counting in product(QUARTERS, COUNTINGS):
            q = int(rounded(alpha.numerator * m, alpha.denominator, "up"))
            drawn, error = bound_draws.share_and_error(counts[counting] >= q)
            row = {"n": n, "m": m, "q": q, "counting": counting}
            row |= {"exact": probability(counting, n, m, q), "drawn": drawn, "error": error}
            found.append(row)
    return {"draws": settings["draws"], "rows": found}


def whole(settings: Settings) -> dict[str, Any]:
    """Every size; "narrow" are the tables that the released code draws with replacement."""
    narrow = bound_draws.sampler_settings("released")["replace_up_to"]
    return {
        counting: bound_search.search_whole(counting, _widest(settings, counting))
        for counting in COUNTINGS
    } | {"narrow": bound_search.search_whole("distinct", narrow)}


def _widest(settings: Settings, counting: str) -> int:
    return int(settings["widest_distinct" if counting == "distinct" else "widest"])


def shares(settings: Settings) -> dict[str, Any]:
    widest = settings["widest"]
    return {
        counting: {
            "roundings": bound_search.search_shares(counting, widest),
            "map": bound_search.map_of_shares(counting, widest, settings["map_step"]),
        }
        for counting in ("repeats", "subset")
    }


def decrease(settings: Settings) -> dict[str, Any]:
    widest = settings["widest"]
    result: dict[str, Any] = {"last_line": bound_search.last_line_of_proof(widest)}
    for counting in ("repeats", "subset"):
        along = {
            needed or "whole": bound_search.increases_along(counting, QUARTERS, widest, needed)
            for needed in (None, "up", "nearest", "down")
        }
        fixed = bound_search.search_increases(counting, widest)
        result[counting] = {"fixed_sizes": fixed, "fixed_shares": along}
    return result


def limits(settings: Settings) -> dict[str, Any]:
    """How far Pr is above 1 - alpha in wider and wider tables."""
    rows = []
    for alpha, beta, n in product(QUARTERS, QUARTERS, settings["widths"]):
        m, q = int(beta * n), rounded(int(beta * n) * alpha.numerator, alpha.denominator, "up")
        row = {"alpha": float(alpha), "beta": float(beta), "n": n, "bound": 1 - q / m}
        for counting in COUNTINGS:
            if counting != "distinct" or n <= settings["widest_distinct"]:
                row[counting] = probability(counting, n, m, int(q))
        rows.append(row)
    expected = {str(float(alpha)): limit_of_distinct(float(alpha)) for alpha in QUARTERS}
    return {"rows": rows, "limit_of_distinct": expected}


def groups(settings: Settings) -> dict[str, Any]:
    """Pr(U is useful) as printed, and its least exact value at the paper's c = 10."""
    sizes = list(range(1, settings["largest"] + 1))
    printed = {
        str(alpha): [float(of_group(1 - alpha, c)) for c in sizes]
        for alpha in (0.25, 0.5, 0.6, 0.75, 0.9)
    }
    least = []
    for counting, percent in product(COUNTINGS, (50, 60)):
        widest = _widest(settings, counting)
        least.append(
            {"counting": counting, "alpha": percent / 100, "widest": widest}
            | {
                kind: _least_group(counting, percent, widest, kind == "whole")
                for kind in ("whole", "rounded up")
            }
        )
    return {"sizes": sizes, "printed": printed, "least": least}


def _least_group(counting: str, percent: int, widest: int, whole: bool) -> dict[str, Any]:
    """The least Pr(U is useful) of c = 10 exact, independent subspaces, over all n and m."""
    least: dict[str, Any] = {"probability": 2.0}
    for n in range(1, widest + 1):
        m = np.arange(1, n + 1)
        if whole:
            m = m[m * percent % 100 == 0]
        q = rounded(m * percent, 100, "up")
        found = of_group(probabilities(counting, n, m, q), GROUP)
        if len(m) and found.min() < least["probability"]:
            at = int(np.argmin(found))
            least = {"probability": float(found[at]), "n": n, "m": int(m[at]), "q": int(q[at])}
    return least


def sampler(settings: Settings) -> dict[str, Any]:
    """What slad's own sampler draws; half of the features are effective."""
    found, shared = [], []
    for recipe, n in product(bound_draws.RECIPES, settings["widths"]):
        rng = Streams(settings["seed"]).numpy(f"{recipe}, {n} features")
        drawn = bound_draws.sampler_settings(recipe)
        counting = "distinct" if n <= drawn["replace_up_to"] else "subset"
        m = n // 2
        needed = [int(alpha * m) for alpha in QUARTERS]
        simulated = bound_draws.by_sampler(recipe, n, m, needed, settings["models"], rng)
        for alpha, q, row in zip(QUARTERS, needed, simulated, strict=True):
            exact = probability(counting, n, m, q)
            found.append(
                {"recipe": recipe, "n": n, "m": m, "q": q, "alpha": float(alpha)}
                | {"counting": counting, "exact": exact}
                | row
            )
        pool = drawn["length_pool"]
        if pool and pool < n:
            for alpha, q in zip(QUARTERS, needed, strict=True):
                group = bound_draws.with_shared_lengths(
                    n, m, q, pool=pool, size=drawn["group_size"], pools=settings["pools"], rng=rng
                )
                shared.append({"n": n, "m": m, "q": q, "alpha": float(alpha)} | group)
    return {"rows": found, "shared_lengths": shared}


PARTS: dict[str, Callable[[Settings], dict[str, Any]]] = {
    part.__name__: part
    for part in (curves, simulation, whole, shares, decrease, limits, groups, sampler)
}

STUDY = CaseStudy(name="bound", cases=cases, run=run)
