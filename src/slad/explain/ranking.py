"""`reasons`: contributions as an ordered list of columns, or groups of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from slad.core.typing import Float
from slad.explain.occluding import Block, feature_indices

CLEARLY_MORE = 1.25
"""A group is named instead of its columns where it contributes this many times their sum."""
MANY_TIMES = 4.0
"""Unrelated columns are named together where that contributes this many times all reasons."""
TRIFLE = 0.1
"""Reasons that contribute less than this fraction of the strongest are left out."""


@dataclass(frozen=True)
class Reason:
    """Columns (by their position among the blocks) that make a row strange, and how much."""

    blocks: tuple[int, ...]
    contribution: float
    """In units of the score."""
    share: float
    """The fraction of the contributions of all reasons of the row."""


def with_groups(blocks: Sequence[Block], groups: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
    """The blocks, followed by one block for each group, for `occlusion`."""
    features = [feature_indices(block) for block in blocks]
    return features + [np.concatenate([features[each] for each in group]) for group in groups]


def reasons(
    contributions: Float[np.ndarray, "n tried"],
    groups: Sequence[tuple[int, ...]] = (),
    *,
    top: int | None = None,
) -> list[list[Reason]]:
    """The reasons of every row, strongest first; only what contributes at all.

    `contributions` are those of the blocks, followed by those of the groups (`with_groups`). The
    columns of a group are named one by one, unless the group contributes clearly more: two sensors
    that fail together look usual one by one, each beside the other.
    """
    singles = contributions.shape[1] - len(groups)
    return [_of_row(row[:singles], row[singles:], groups)[:top] for row in contributions]


def _of_row(
    alone: Float[np.ndarray, " blocks"],
    together: Float[np.ndarray, " groups"],
    groups: Sequence[tuple[int, ...]],
) -> list[Reason]:
    found: dict[tuple[int, ...], float] = {
        (at,): float(value) for at, value in enumerate(alone) if value > 0
    }
    for group, value in zip(groups, together, strict=True):
        sum_alone = sum(found.get((at,), 0.0) for at in group)
        if value > CLEARLY_MORE * sum_alone:
            for at in group:
                found.pop((at,), None)
            found[group] = float(value)
    total, strongest = sum(found.values()), max(found.values(), default=0.0)
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return [
        Reason(blocks, value, value / total)
        for blocks, value in ordered
        if value >= TRIFLE * strongest
    ]


def overshadowed(found: Sequence[Reason], joint: Reason) -> list[Reason]:
    """The reasons of a row, with the joint one first where it contributes far more than all others.

    A row that is odd in many columns stays as odd when any one of them is put right.
    """
    if joint.contribution <= MANY_TIMES * sum(each.contribution for each in found):
        return list(found)
    others = [each for each in found if not set(each.blocks) & set(joint.blocks)]
    others = [each for each in others if each.contribution >= TRIFLE * joint.contribution]
    kept = [joint, *others]
    total = sum(each.contribution for each in kept)
    return [replace(each, share=each.contribution / total) for each in kept]
