"""The paper's claims about useful subspaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from slad_paper.pages.claims import Claim

DRAWN = {
    "repeats": "with replacement",
    "subset": "as a subset",
    "distinct": "with replacement, repeats counted once",
}
SURE = 4.0
"""Standard errors that a simulation may be off: of some hundreds, none is by chance."""
CLOSE = 1e-9
GROUP, GROUP_CLAIMS = 10, {"0.5": 0.999, "0.6": 0.99}
"""The paper's c, and what it promises of it for two alphas."""

Found = Mapping[str, Mapping[str, Any]]
"""Case -> result."""


def claims_of(found: Found) -> list[Claim]:
    """The claims for which there are records."""
    return [claim for case, check in CHECKS.items() if case in found for claim in check(found)]


def _lemma(found: Found) -> Iterator[Claim]:
    """The printed sum against simulation, and against true subsets."""
    off = deviations(found["simulation"])["repeats"]
    parts = [max(off) < SURE]
    evidence = f"drawn with replacement: {agreement(off)}"
    if "curves" in found:
        lines = found["curves"]["lines"]
        gaps = [np.abs(np.subtract(line["repeats"], line["subset"])) for line in lines]
        at = max(range(len(lines)), key=lambda place: float(np.max(gaps[place])))
        worst, line = float(np.max(gaps[at])), lines[at]
        parts += [found["curves"]["printed_less_closed"] < CLOSE, worst < CLOSE]
        evidence += (
            f"; for true subsets it is off by up to {worst:.3f} (|F| = "
            f"{line['widths'][int(np.argmax(gaps[at]))]}, alpha = {line['alpha']:g}, "
            f"beta = {line['beta']:g})"
        )
    yield Claim.checked("Lemma 1: Pr(S is useful) is the printed sum", parts, evidence)


def deviations(result: Mapping[str, Any]) -> dict[str, list[float]]:
    """By way of drawing: how far simulated shares are off, in standard errors."""
    return {
        counting: [
            abs(_deviation(row, result["draws"]))
            for row in result["rows"]
            if row["counting"] == counting
        ]
        for counting in DRAWN
    }


def _deviation(row: Mapping[str, Any], draws: int) -> float:
    """Of a simulated share, in standard errors of the exact probability."""
    exact = row["exact"]
    error = (exact * (1 - exact) / draws) ** 0.5
    return float((row["drawn"] - exact) / error) if error > 0 else 0.0


def agreement(off: Sequence[float]) -> str:
    beyond = sum(each > 2 for each in off)
    return (
        f"{len(off)} simulations are off by at most {max(off):.1f} standard errors, {beyond} by "
        "more than 2"
    )


def _theorem(found: Found) -> Iterator[Claim]:
    results = found["whole"]
    sound = {counting: results[counting] for counting in ("repeats", "subset")}
    yield Claim.checked(
        "Theorem 1: Pr >= 1 - alpha, where alpha |G| is whole",
        [tally["broken"] == 0 for tally in sound.values()],
        "; ".join(
            f"{DRAWN[counting]}: {counted(tally['broken'])} of {counted(tally['searched'])} sizes "
            f"are below it, the least distance is {tally['least_excess_times_n']:.3f}/|F|"
            for counting, tally in sound.items()
        ),
    )
    tally, narrow = results["distinct"], results["narrow"]
    evidence = (
        f"{counted(tally['broken'])} of {counted(tally['searched'])} sizes are below it, and "
        f"{narrow['broken']} of {narrow['searched']} with at most 10 features, which the released "
        "code draws so"
    )
    if tally["broken"]:
        evidence += f"; {_example('smallest', tally)}; {_example('worst', tally)}"
    yield Claim.checked(f"the same, drawn {DRAWN['distinct']}", [tally["broken"] == 0], evidence)
    broken = {counting: tally["alphas_broken"] for counting, tally in sound.items()}
    yield Claim.checked(
        "Theorem 1 for every alpha in (0, 1], alpha |G| rounded up",
        [max(shares.values()) < CLOSE for shares in broken.values()],
        "below it in the widest tables searched for this part of all alpha, at beta = "
        + ", ".join(f"{float(beta):g}" for beta in broken["subset"])
        + ": "
        + "; ".join(
            f"{DRAWN[counting]} "
            + ", ".join(f"{share:.1%}" for share in shares.values())
            + f" (by up to {sound[counting]['largest_gap_rounded_up']:.3f} in any table)"
            for counting, shares in broken.items()
        ),
    )


def _example(name: str, tally: Mapping[str, Any]) -> str:
    at = tally[name]
    return (
        f"{name}: |F| = {at['n']}, |G| = {at['m']}, {at['q']} needed, Pr = {at['probability']:.3f} "
        f"against {at['probability'] + at['gap']:.3f}"
    )


def _infimum(found: Found) -> Iterator[Claim]:
    rows = found["limits"]["rows"]
    widest = max(row["n"] for row in rows)
    excess = {
        counting: [row[counting] - row["bound"] for row in rows if row["n"] == widest]
        for counting in ("repeats", "subset")
    }
    yield Claim.checked(
        "Theorem 1: 1 - alpha is the infimum, whatever beta",
        [min(each) > 0 and max(each) < 10 / widest**0.5 for each in excess.values()],
        f"approached, never reached: at |F| = {widest:,} Pr is above it by "
        + "; ".join(
            f"{min(each):.1e} to {max(each):.1e} ({DRAWN[counting]})"
            for counting, each in excess.items()
        ),
    )


def _decrease(found: Found) -> Iterator[Claim]:
    results, last = found["decrease"], found["decrease"]["last_line"]
    fixed = {counting: results[counting]["fixed_sizes"] for counting in ("repeats", "subset")}
    evidence = "; ".join(
        f"{DRAWN[counting]}: rises in {counted(tally['broken'])} of {counted(tally['searched'])} "
        "steps"
        for counting, tally in fixed.items()
    )
    if at := fixed["repeats"]["smallest"]:
        evidence += (
            f"; the first is |G| = {at['m']}, {at['q']} needed, |F| = {at['n']} to {at['n'] + 1}: "
            f"{at['probability']:.4f} to {at['probability'] + at['gap']:.4f}. The last line of the "
            f"proof is true of {last['true']} of {counted(last['searched'])} pairs of |F| and |G|"
        )
    yield Claim.checked(
        "Proof of Theorem 1: Pr falls as |F| grows by one, |G| and alpha |G| fixed",
        [tally["broken"] == 0 for tally in fixed.values()],
        evidence,
    )
    along = {counting: results[counting]["fixed_shares"] for counting in fixed}
    ways = ("up", "nearest", "down")
    yield Claim.checked(
        "Figure: Pr falls as |F| grows, alpha and beta fixed",
        [
            all(each["whole"]["rises"] == 0 for each in along.values()),
            all(each[way]["rises"] == 0 for each in along.values() for way in ways),
        ],
        "; ".join(
            f"{DRAWN[counting]}: rises in {each['whole']['rises']} of "
            f"{counted(each['whole']['steps'])} steps between widths where sizes are whole, in "
            + ", ".join(f"{each[way]['rises'] / each[way]['steps']:.0%}" for way in ways)
            + " of all steps with sizes rounded up, to the nearest, down"
            for counting, each in along.items()
        ),
    )


def _groups(found: Found) -> Iterator[Claim]:
    results = found["groups"]
    at = results["sizes"].index(GROUP)
    promised = {alpha: results["printed"][alpha][at] for alpha in GROUP_CLAIMS}
    yield Claim.checked(
        f"c = {GROUP} gives Pr(U is useful) > 0.999 at alpha = 0.5, > 0.99 at 0.6 (by the bound)",
        [promised[alpha] > least for alpha, least in GROUP_CLAIMS.items()],
        ", ".join(f"{value:.5f} at {alpha}" for alpha, value in promised.items()),
    )
    for kind in ("whole", "rounded up"):
        yield Claim.checked(
            f"the same of exact probabilities, alpha |G| {kind}",
            [
                row[kind]["probability"] > GROUP_CLAIMS[f"{row['alpha']:g}"]
                for row in results["least"]
            ],
            "least of all sizes, at alpha = 0.5 and 0.6: "
            + "; ".join(
                f"{DRAWN[counting]} "
                + ", ".join(
                    f"{row[kind]['probability']:.5f}"
                    for row in results["least"]
                    if row["counting"] == counting
                )
                for counting in DRAWN
            ),
        )


def _independence(found: Found) -> Iterator[Claim]:
    shared = found["sampler"]["shared_lengths"]
    if not shared:
        return
    lost = [row["independent"] - row["shared"] for row in shared]
    most = max(range(len(shared)), key=lambda at: lost[at])
    yield Claim.checked(
        "Pr(U is useful): the subspaces of U are independent",
        [True, max(lost) < CLOSE],
        "they are as the text draws them; with the released code's one pool of lengths Pr(U) is "
        f"lower by up to {max(lost):.3f} (|F| = {shared[most]['n']}, alpha = "
        f"{shared[most]['alpha']:g}), and at alpha = 0.5 it is {_least_at_half(shared):.5f}",
    )


def _least_at_half(shared: Sequence[Mapping[str, Any]]) -> float:
    return min(float(row["shared"]) for row in shared if row["alpha"] == 0.5)


CHECKS: dict[str, Callable[[Found], Iterator[Claim]]] = {
    "simulation": _lemma,
    "whole": _theorem,
    "limits": _infimum,
    "decrease": _decrease,
    "groups": _groups,
    "sampler": _independence,
}


def counted(number: int) -> str:
    return f"{number:,}"
