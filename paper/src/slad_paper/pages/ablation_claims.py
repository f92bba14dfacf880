"""The claims of the paper's section on the ablation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from slad_paper.pages.ablation_rates import Comparison, mean_rate, percent
from slad_paper.pages.claims import Claim

ABOUT_FIVE = (2.5, 7.5)
"""Percent: what may be called approximately 5 %."""
TASKS = {"w/ L_ce": "classification", "w/ L_mse": "regression", "w/ L_dcl": "contrastive learning"}


def claims(found: Sequence[Comparison]) -> list[Claim]:
    """The claims for which there are records."""
    of = {
        name: [each for each in found if each.variant.name == name]
        for name in dict.fromkeys(each.variant.name for each in found)
    }
    return list(_claims(of))


def _claims(of: dict[str, list[Comparison]]) -> Iterator[Claim]:
    for name in ("w/ T_Zero", "w/ T_MLP"):
        if mine := of.get(name):
            ahead, behind = _clear(mine)
            text = f"SLAD outperforms {name} on most of the datasets"
            parts = [_wins(mine) > len(mine) / 2, ahead > behind]
            yield Claim.checked(text, parts, _summary(mine))
    yield from _weights(of.get("w/o G_ω", []))
    for name, what in TASKS.items():
        if mine := of.get(name):
            higher = bool(np.mean([each.slad - each.auc_roc for each in mine]) > 0)
            text = f"aligning distributions is better than {what} ({name})"
            parts = [higher, _wins(mine) > len(mine) / 2]
            yield Claim.checked(text, parts, _summary(mine))
    ce, mse, dcl = (of.get(name) for name in TASKS)
    if ce and mse:
        yield _above([mse, ce], "w/ L_mse is above w/ L_ce on average")
    if ce and mse and dcl:
        text = "w/ L_dcl is relatively better: above w/ L_ce and w/ L_mse on average"
        yield _above([dcl, ce, mse], text)


def _weights(mine: Sequence[Comparison]) -> Iterator[Claim]:
    for each in (each for each in mine if each.row.title == "Thyroid"):
        others = [f"{other.row.title} {percent(other.rate)}" for other in mine if other != each]
        low, high = ABOUT_FIVE
        spread = "clearly" if each.clear else "within the seeds' spread"
        printed = percent(each.printed.rate) if each.printed else "–"
        yield Claim.checked(
            "feature weights bring an approximate 5 % on Thyroid",
            [each.rate > 0 and each.clear, low <= each.rate <= high],
            f"{percent(each.rate)} ({spread}), printed {printed}"
            + (f"; elsewhere {', '.join(others)}" if others else ""),
        )


def _above(sides: Sequence[Sequence[Comparison]], text: str) -> Claim:
    """The first against the others, by means over the rows that all of them have."""
    shared = set.intersection(*({each.row.title for each in side} for side in sides))
    means = [
        float(np.mean([each.auc_roc for each in side if each.row.title in shared]))
        for side in sides
        if shared
    ]
    shown = ", ".join(
        f"{side[0].variant.name} {mean:.3f}" for side, mean in zip(sides, means, strict=False)
    )
    parts = [means[0] > other for other in means[1:]] or [False]
    return Claim.checked(text, parts, f"{shown} (mean of {len(shared)} rows)")


def _wins(mine: Sequence[Comparison]) -> int:
    return sum(each.rate > 0 for each in mine)


def _clear(mine: Sequence[Comparison]) -> tuple[int, int]:
    """On how many rows SLAD is clearly better, and clearly worse."""
    ahead = sum(each.clear and each.rate > 0 for each in mine)
    return ahead, sum(each.clear and each.rate < 0 for each in mine)


def _summary(mine: Sequence[Comparison]) -> str:
    ahead, behind = _clear(mine)
    numbers = [each.printed for each in mine if each.printed]
    ours, theirs = (percent(rate or 0.0) for rate in mean_rate(mine))
    summary = (
        f"better on {_wins(mine)} of {len(mine)} rows (clearly better on {ahead}, clearly worse "
        f"on {behind}), {ours} on average"
    )
    if numbers:
        wins = sum(number.rate > 0 for number in numbers)
        summary += f"; printed: {wins} of {len(numbers)}, {theirs}"
    return summary
