"""The claims of the paper's section on parameter sensitivity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from slad_paper.pages.claims import Claim
from slad_paper.pages.sensitivity_curves import Change, Curve, changes, shared_means
from slad_paper.runner.hyper_parameters import Studied

OBSERVABLE = 0.01
"""A change of AUC-ROC that can be seen in a figure."""
STABLE = 0.02
NOISE = 0.001
"""A smaller step of the mean over datasets does not count."""
WIDE = "Thrombin"
NARROW = ("Waveform", "PageBlocks")
"""Where the paper sees gamma help."""


def claims(found: Mapping[Studied, Sequence[Curve]]) -> list[Claim]:
    """The claims for which there are records."""
    of = {studied.letter: curves for studied, curves in found.items()}
    return [
        *_subspaces(of["c"]),
        *_groups(of["r"]),
        *_representations(of["h"]),
        *_magnification(of["γ"]),
    ]


def _subspaces(curves: Sequence[Curve]) -> Iterator[Claim]:
    if found := changes(curves, 2, 10):
        seen = [each for each in found if _observable(each) > 0]
        most = max(found, key=lambda each: each.gain)
        yield Claim.checked(
            "c from 2 to 10 brings observable gain on most of the datasets",
            [_rise(found) > len(found) / 2, len(seen) > len(found) / 2],
            f"higher on {_rise(found)} of {len(found)} rows, observably on {len(seen)}; most on "
            f"{most}",
        )
    if found := changes(curves, 10, 30):
        worse = [each for each in found if _observable(each) < 0]
        named = ": " + ", ".join(map(str, worse)) if worse else ""
        yield Claim.checked(
            "two datasets are clearly downgraded when c raises beyond 10",
            [bool(worse), len(worse) == 2],
            f"from 10 to 30 observably worse on {len(worse)} of {len(found)} rows{named}",
        )


def _groups(curves: Sequence[Curve]) -> Iterator[Claim]:
    if not (means := shared_means(curves)):
        return
    values = sorted(means)
    found = changes(curves, values[0], values[-1])
    never_falls = all(means[after] > means[before] - NOISE for before, after in pairwise(values))
    yield Claim.checked(
        "a larger r generally brings better results",
        [means[values[-1]] > means[values[0]], never_falls, _rise(found) > len(found) / 2],
        f"means {', '.join(f'{means[r]:.3f} (r = {r})' for r in values)}; with the most groups "
        f"higher than with the fewest on {_rise(found)} of {len(found)} rows",
    )


def _representations(curves: Sequence[Curve]) -> Iterator[Claim]:
    if not (found := changes(curves, 128, 8)):
        return
    fall = sum(each.gain < 0 for each in found)
    least = min(found, key=lambda each: each.gain)
    text, parts = "a low h downgrades the performance", [fall > len(found) / 2]
    for each in found:
        if each.row.title == WIDE:
            text += f", especially on {WIDE}"
            parts.append(each.gain < 0 and each.gain == least.gain)
    evidence = f"from 128 to 8 lower on {fall} of {len(found)} rows; most on {least}"
    yield Claim.checked(text, parts, evidence)


def _magnification(curves: Sequence[Curve]) -> Iterator[Claim]:
    if narrow := [each for each in changes(curves, 1, 200) if each.row.title in NARROW]:
        yield Claim.checked(
            f"γ brings notable improvement on {' and '.join(NARROW)}",
            [_observable(each) > 0 for each in narrow],
            f"from 1 to 200: {', '.join(map(str, narrow))}",
        )
    others = [curve for curve in curves if curve.row.title not in NARROW and curve.means()]
    if others:
        ranges = ", ".join(f"{curve.row.title} {curve.range:.3f}" for curve in others)
        yield Claim.checked(
            "SLAD performs stably on the other datasets, whatever γ",
            [curve.range <= STABLE for curve in others],
            f"between the best and the worst γ: {ranges}",
        )


def _observable(change: Change) -> int:
    """1 for a gain that can be seen and is beyond the seeds' spread, -1 for such a loss, or 0."""
    if not change.clear or abs(change.gain) < OBSERVABLE:
        return 0
    return 1 if change.gain > 0 else -1


def _rise(found: Sequence[Change]) -> int:
    return sum(each.gain > 0 for each in found)
