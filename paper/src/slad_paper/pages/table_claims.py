"""The paper's claims about its two big tables, on the datasets and methods at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from slad_paper.pages.claims import Claim
from slad_paper.pages.results import Result, Results
from slad_paper.pages.standings import standings_of
from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS, RECIPES, Row

MOST = 0.8
"""The fraction of datasets that the paper wins: eight of ten."""
LEAST_GAIN = {"auc_roc": 0.07, "auc_pr": 0.15}
"""The smallest of its mean gains over a contender."""
LEAPS = {"Thyroid": 0.10, "Waveform": 0.28}
"""Its gains in AUC-PR over the best contender, from its table."""
NEAR = 0.9
SELF_SUPERVISED, OTHER_DEEP = ("ICL", "NeuTraL", "GOAD"), ("RCA", "GAAL", "DSVDD")

Rivals = Mapping[str, str]
"""Printed method -> its stand-in."""


def of_main_table(rows: Sequence[Row], results: Results, names: Sequence[str]) -> list[Claim]:
    """The claims of the section on effectiveness, for every recipe of SLAD."""
    rivals = {m: d for m, d in printed.stand_ins().items() if m != printed.OURS and d in names}
    if not rivals:
        return []
    claims: list[Claim] = []
    for recipe in [name for name in RECIPES if name in names]:
        claims += [
            _wins(recipe, rows, results, rivals),
            _gains(recipe, rows, results, rivals),
            *_leaps(recipe, results, rivals),
        ]
    return [*claims, *_kinds(rows, results, rivals)]


def _wins(recipe: str, rows: Sequence[Row], results: Results, rivals: Rivals) -> Claim:
    shares, words = [], []
    compared = [results[row.name] for row in rows if results[row.name][recipe].ok]
    for metric, title in METRICS.items():
        won = sum(
            here[recipe].mean(metric) >= max(_means(here, rivals, metric), default=0.0)
            for here in compared
        )
        shares += [won >= MOST * len(compared), won >= len(compared) / 2]
        words.append(f"{title}: best on {won} of {len(compared)}")
    text = f"SLAD outperforms its contenders on eight of ten datasets ({recipe} here)"
    return Claim.checked(text, shares, "; ".join(words))


def _means(here: Mapping[str, Result], rivals: Rivals, metric: str) -> list[float]:
    return [here[name].mean(metric) for name in rivals.values() if here[name].ok]


def _gains(recipe: str, rows: Sequence[Row], results: Results, rivals: Rivals) -> Claim:
    parts, words = [], []
    for metric, title in METRICS.items():
        gains = {
            method: _gain(recipe, name, rows, results, metric) for method, name in rivals.items()
        }
        parts += [gain >= LEAST_GAIN[metric] for gain in gains.values()]
        low, high = min(gains, key=gains.__getitem__), max(gains, key=gains.__getitem__)
        words.append(f"{title} {gains[low]:+.0%} ({low}) to {gains[high]:+.0%} ({high})")
    text = f"on average 7-21 % more AUC-ROC and 15-61 % more AUC-PR ({recipe} here)"
    return Claim.checked(text, parts, "; ".join(words))


def _gain(recipe: str, name: str, rows: Sequence[Row], results: Results, metric: str) -> float:
    """Of the mean over the datasets that both have."""
    both = [row.name for row in rows if results[row.name][recipe].ok and results[row.name][name].ok]
    ours, theirs = (sum(results[row][each].mean(metric) for row in both) for each in (recipe, name))
    return ours / theirs - 1 if both else 0.0


def _leaps(recipe: str, results: Results, rivals: Rivals) -> Iterator[Claim]:
    for row, leap in LEAPS.items():
        here = results.get(row, {})
        others = _means(here, rivals, "auc_pr") if here else []
        if others and here[recipe].ok:
            ours, best = here[recipe].mean("auc_pr"), max(others)
            yield Claim.checked(
                f"on {row} SLAD raises the best AUC-PR by {leap:.2f} ({recipe} here)",
                [ours - best >= NEAR * leap, ours > best],
                f"{ours:.3f}, the best contender has {best:.3f}",
            )


def _kinds(rows: Sequence[Row], results: Results, rivals: Rivals) -> list[Claim]:
    """Whether contrastive methods are ahead of those of reconstruction and of one class."""
    known = [row for row in rows if all(results[row.name][name].ok for name in rivals.values())]
    if not known or not set(SELF_SUPERVISED + OTHER_DEEP) <= set(rivals):
        return []
    parts, words = [], []
    for metric, title in METRICS.items():
        first, second = (
            sum(results[row.name][rivals[method]].mean(metric) for row in known for method in kind)
            / (len(known) * len(kind))
            for kind in (SELF_SUPERVISED, OTHER_DEEP)
        )
        parts.append(first > second)
        words.append(f"{title} {first:.3f} and {second:.3f}")
    text = "contrastive methods (ICL, NeuTraL, GOAD) are ahead of RCA, GAAL and DSVDD"
    return [Claim.checked(text, parts, f"means over {len(known)} datasets: {'; '.join(words)}")]


def of_adbench(names: Sequence[str], results: Results) -> list[Claim]:
    """SLAD has the best average rank of the eight: a claim for each of its recipes."""
    rivals = [name for method, name in printed.stand_ins().items() if method != printed.OURS]
    if not set(rivals) <= set(names):
        return []
    claims = []
    for recipe in [name for name in RECIPES if name in names]:
        contest = [recipe, *rivals]
        ranked = [d for d, here in results.items() if all(here[name].ok for name in contest)]
        parts, words = [], []
        for metric, title in METRICS.items():
            ranks = standings_of(metric, contest, ranked, results).ranks
            first = min(ranks, key=ranks.__getitem__)
            parts.append(ranks[recipe] == ranks[first])
            words.append(f"{title}: rank {ranks[recipe]:.2f}, best {first} {ranks[first]:.2f}")
        text = f"SLAD has the best average rank of the eight on ADBench ({recipe} here)"
        evidence = f"{len(ranked)} of its 47 datasets; {'; '.join(words)}"
        claims.append(Claim.checked(text, parts, evidence))
    return claims
