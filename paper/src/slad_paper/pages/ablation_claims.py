"""What the paper's section on the ablation says, judged by the records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slad_paper.pages.ablation_rates import Comparison, mean_rate, percent
from slad_paper.pages.claims import Claim

ABOUT_FIVE = (2.5, 7.5)
"""Percent: what may be called approximately 5 %."""


def claims(found: Sequence[Comparison]) -> list[Claim]:
    """As far as there are records."""
    of = {
        name: [each for each in found if each.variant.name == name]
        for name in dict.fromkeys(each.variant.name for each in found)
    }
    judged = [
        _on_most(name, of[name], f"SLAD outperforms {name} on most of the datasets")
        for name in ("w/ T_Zero", "w/ T_MLP")
        if name in of
    ]
    judged += _weights(of.get("w/o G_ω", []))
    judged += [
        _better_than(of[name], f"aligning distributions is better than {what} ({name})")
        for name, what in (
            ("w/ L_ce", "classification"),
            ("w/ L_mse", "regression"),
            ("w/ L_dcl", "contrastive learning"),
        )
        if name in of
    ]
    if {"w/ L_ce", "w/ L_mse"} <= of.keys():
        judged.append(
            _above(of["w/ L_mse"], [of["w/ L_ce"]], "w/ L_mse is above w/ L_ce on average")
        )
    if {"w/ L_ce", "w/ L_mse", "w/ L_dcl"} <= of.keys():
        text = "w/ L_dcl is relatively better: above w/ L_ce and w/ L_mse on average"
        judged.append(_above(of["w/ L_dcl"], [of["w/ L_ce"], of["w/ L_mse"]], text))
    return judged


def _on_most(name: str, mine: Sequence[Comparison], text: str) -> Claim:
    ahead, behind = _clear(mine)
    return Claim.judged(text, [_wins(mine) > len(mine) / 2, ahead > behind], _summary(mine))


def _better_than(mine: Sequence[Comparison], text: str) -> Claim:
    higher = np.mean([each.slad - each.auc_roc for each in mine]) > 0
    return Claim.judged(text, [bool(higher), _wins(mine) > len(mine) / 2], _summary(mine))


def _weights(mine: Sequence[Comparison]) -> list[Claim]:
    thyroid = [each for each in mine if each.row.title == "Thyroid"]
    if not thyroid:
        return []
    (each,) = thyroid
    others = ", ".join(
        f"{other.row.title} {percent(other.rate)}" for other in mine if other != each
    )
    low, high = ABOUT_FIVE
    return [
        Claim.judged(
            "feature weights bring an approximate 5 % on Thyroid",
            [each.rate > 0 and each.clear, low <= each.rate <= high],
            f"{percent(each.rate)}{_clearly(each)}, printed {_rate(each)}"
            + (f"; elsewhere {others}" if others else ""),
        )
    ]


def _above(mine: Sequence[Comparison], others: Sequence[Sequence[Comparison]], text: str) -> Claim:
    """Means over the rows that all of them have."""
    sides = [mine, *others]
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
    return Claim.judged(text, parts, f"{shown} (mean of {len(shared)} rows)")


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
    said = (
        f"better on {_wins(mine)} of {len(mine)} rows (clearly better on {ahead}, clearly worse "
        f"on {behind}), {ours} on average"
    )
    if numbers:
        wins = sum(number.rate > 0 for number in numbers)
        said += f"; printed: {wins} of {len(numbers)}, {theirs}"
    return said


def _clearly(each: Comparison) -> str:
    return " (clearly)" if each.clear else " (within the seeds' spread)"


def _rate(each: Comparison) -> str:
    return percent(each.printed.rate) if each.printed else "–"
