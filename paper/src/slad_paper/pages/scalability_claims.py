"""The paper's claims on scalability, for ours and for the reference on each device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from slad_paper.pages.claims import Claim
from slad_paper.pages.scalability_lines import (
    AXES,
    DEVICES,
    OURS,
    PEER,
    WHOSE,
    Line,
    Lines,
    lines_of,
)

METHOD = "slad-released"
CONTRASTIVE = ("icl", "icl-deepod", "neutral", "goad")
TIMED_IN_THE_PAPER = (METHOD, *CONTRASTIVE, "rca", "dsvdd")
FASTEST = "dsvdd"
MOST_SECONDS = 25.0
"""The paper says that every detector takes less at 4,096 features."""
COMPARABLE = 3.0
"""Times that are within this factor of each other are comparable."""


def claims_of(lines: Lines, devices: Sequence[str]) -> list[Claim]:
    """Every claim, on every device where SLAD was timed."""
    claims = []
    for device in devices:
        for whose in (OURS, PEER):
            wide, long = (_compared(lines, device, axis, whose) for axis in AXES)
            where = f"({WHOSE[whose]}, {DEVICES[device]})"
            if METHOD in wide:
                claims += [_slower(wide, where), _all_below(wide, where)]
            if METHOD in long:
                claims += [_like_contrastive(long, where), _fastest(long, where)]
    return claims


def _compared(lines: Lines, device: str, axis: str, whose: str) -> dict[str, Line]:
    """The detectors of the paper's test that were measured at some size."""
    every = lines_of(lines, device, axis, whose)
    return {n: line for n, line in every.items() if n in TIMED_IN_THE_PAPER and line.seconds}


def _slower(wide: Mapping[str, Line], where: str) -> Claim:
    """At the largest number of features that SLAD was measured at."""
    size, own = list(wide[METHOD].seconds.items())[-1]
    others = {name: line for name, line in wide.items() if name != METHOD}
    faster = [name for name, line in others.items() if line.seconds.get(size, np.inf) < own]
    shown = ", ".join(f"{name} {line.shown(size)}" for name, line in others.items())
    return Claim.counted(
        f"SLAD is less efficient than others on many features {where}",
        len(faster),
        len(others),
        f"{size:,} features: {own:.3g} s, slower than {len(faster)} of {len(others)} ({shown})",
    )


def _all_below(wide: Mapping[str, Line], where: str) -> Claim:
    size = max(wide[METHOD].sizes)
    measured = {name: line.seconds[size] for name, line in wide.items() if size in line.seconds}
    below = [name for name, each in measured.items() if each < MOST_SECONDS]
    unknown = [name for name in wide if name not in measured]
    rest = f"; not measured, slower before: {', '.join(unknown)}" if unknown else ""
    largest = f"; at most {max(measured.values()):.3g} s" if measured else ""
    return Claim.counted(
        f"all take less than {MOST_SECONDS:g} s for {size:,} features {where}",
        len(below),
        len(wide),
        f"{len(below)} of {len(wide)}{largest}{rest}",
    )


def _like_contrastive(long: Mapping[str, Line], where: str) -> Claim:
    own = long[METHOD].seconds
    ratios = {}
    for name in CONTRASTIVE:
        shared = [size for size in own if name in long and size in long[name].seconds]
        if shared:
            ratios[name] = (shared[-1], long[name].seconds[shared[-1]] / own[shared[-1]])
    alike = [1 / COMPARABLE <= ratio <= COMPARABLE for _, ratio in ratios.values()]
    shown = ", ".join(f"{name} {ratio:.2g} (at {n:,})" for name, (n, ratio) in ratios.items())
    return Claim.counted(
        f"over rows, SLAD and contrastive models are comparable {where}",
        sum(alike),
        len(alike),
        f"their seconds over SLAD's, at the most rows of both: {shown or 'none'}; "
        f"comparable: within a factor of {COMPARABLE:g}",
    )


def _fastest(long: Mapping[str, Line], where: str) -> Claim:
    own = long[FASTEST].seconds if FASTEST in long else {}
    first = [
        all(own[size] <= line.seconds.get(size, np.inf) for line in long.values()) for size in own
    ]
    return Claim.counted(
        f"DSVDD is fastest over rows {where}",
        sum(first),
        len(first),
        f"at {sum(first)} of {len(first)} sizes",
    )
