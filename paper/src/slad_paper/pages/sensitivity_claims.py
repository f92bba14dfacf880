"""What the paper's section on parameter sensitivity says, judged by the records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from slad_paper.pages.claims import Claim
from slad_paper.pages.sensitivity_curves import Change, Curve, changes, shared_means
from slad_paper.runner.hyper_parameters import Studied

OBSERVABLE = 0.01
"""A change of AUC-ROC that can be seen in a figure."""
STABLE = 0.02
NOISE = 0.001
"""A step of the mean over datasets that is none."""
WIDE = "Thrombin"
NARROW = ("Waveform", "PageBlocks")
"""Where the paper sees gamma help."""

Found = Mapping[Studied, Sequence[Curve]]


def claims(found: Found) -> list[Claim]:
    """As far as there are records."""
    of = {studied.letter: curves for studied, curves in found.items()}
    return [
        *_more_subspaces(of["c"]),
        *_too_many_subspaces(of["c"]),
        *_more_groups(of["r"]),
        *_narrow_representations(of["h"]),
        *_magnification(of["γ"]),
    ]


def _more_subspaces(curves: Sequence[Curve]) -> list[Claim]:
    found = changes(curves, 2, 10)
    if not found:
        return []
    seen = [each for each in found if _observable(each) > 0]
    return [
        Claim.judged(
            "c from 2 to 10 brings observable gain on most of the datasets",
            [_rise(found) > len(found) / 2, len(seen) > len(found) / 2],
            f"higher on {_rise(found)} of {len(found)} rows, observably on {len(seen)}"
            + _largest(found),
        )
    ]


def _too_many_subspaces(curves: Sequence[Curve]) -> list[Claim]:
    found = changes(curves, 10, 30)
    if not found:
        return []
    worse = [each for each in found if _observable(each) < 0]
    named = ": " + ", ".join(map(str, worse)) if worse else ""
    return [
        Claim.judged(
            "two datasets are clearly downgraded when c raises beyond 10",
            [bool(worse), len(worse) == 2],
            f"from 10 to 30 observably worse on {len(worse)} of {len(found)} rows{named}",
        )
    ]


def _more_groups(curves: Sequence[Curve]) -> list[Claim]:
    means = shared_means(curves)
    if not means:
        return []
    values = sorted(means)
    found = changes(curves, values[0], values[-1])
    never_falls = all(means[after] > means[before] - NOISE for before, after in pairwise(values))
    return [
        Claim.judged(
            "a larger r generally brings better results",
            [
                means[values[-1]] > means[values[0]],
                never_falls,
                _rise(found) > len(found) / 2,
            ],
            f"means {', '.join(f'{means[r]:.3f} (r = {r})' for r in values)}; with the most groups "
            f"higher than with the fewest on {_rise(found)} of {len(found)} rows",
        )
    ]


def _narrow_representations(curves: Sequence[Curve]) -> list[Claim]:
    found = changes(curves, 128, 8)
    if not found:
        return []
    fall = sum(each.gain < 0 for each in found)
    text, parts = "a low h downgrades the performance", [fall > len(found) / 2]
    for each in found:
        if each.row.title == WIDE:
            text += f", especially on {WIDE}"
            parts.append(each.gain < 0 and each.gain == min(other.gain for other in found))
    said = f"from 128 to 8 lower on {fall} of {len(found)} rows"
    return [Claim.judged(text, parts, said + _least(found))]


def _magnification(curves: Sequence[Curve]) -> list[Claim]:
    judged = []
    narrow = [each for each in changes(curves, 1, 200) if each.row.title in NARROW]
    if narrow:
        judged.append(
            Claim.judged(
                f"γ brings notable improvement on {' and '.join(NARROW)}",
                [_observable(each) > 0 for each in narrow],
                f"from 1 to 200: {', '.join(map(str, narrow))}",
            )
        )
    others = [curve for curve in curves if curve.row.title not in NARROW and curve.means()]
    if others:
        ranges = ", ".join(f"{curve.row.title} {curve.range:.3f}" for curve in others)
        judged.append(
            Claim.judged(
                "SLAD performs stably on the other datasets, whatever γ",
                [curve.range <= STABLE for curve in others],
                f"between the best and the worst γ: {ranges}",
            )
        )
    return judged


def _observable(change: Change) -> int:
    """1 for a gain that can be seen and is beyond the seeds' spread, -1 for such a loss, or 0."""
    if not change.clear or abs(change.gain) < OBSERVABLE:
        return 0
    return 1 if change.gain > 0 else -1


def _rise(found: Sequence[Change]) -> int:
    return sum(each.gain > 0 for each in found)


def _largest(found: Sequence[Change]) -> str:
    return f"; most on {max(found, key=lambda each: each.gain)}"


def _least(found: Sequence[Change]) -> str:
    return f"; most on {min(found, key=lambda each: each.gain)}"
