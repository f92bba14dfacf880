"""Usual values that are listed: the levels of a column, and the fraction of rows each is in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc

from slad.core.state import State
from slad.tables.kinds.usual import COVERED, RARE, Usual
from slad.tables.kinds.words import join, show_cell, show_share

LISTED = 4
"""Levels are listed until they cover `COVERED` of the rows, and never more than these."""
KEPT = 1000
"""Levels whose shares are kept, to tell a rare one from one never seen."""


@dataclass(frozen=True)
class SharesUsual(Usual):
    """The levels of a column with the fraction of the filled cells that each has."""

    levels: dict[str, float] = field(default_factory=dict)
    """Level (as shown) -> its share, most frequent first."""
    n_levels: int = 0
    """How many there are; more than in `levels` where there are very many."""

    @classmethod
    def counted(cls, present: pa.ChunkedArray) -> dict[str, Any]:
        return level_shares(present)

    @classmethod
    def from_state(cls, state: State) -> Self:
        made = super().from_state(state)
        return replace(made, levels=most_frequent_first(made.levels))

    def has(self, value: Any) -> bool:
        """Whether levels as rare as this one make up a usual share of the rows."""
        share = self.levels.get(self.show(value), 0.0)
        as_rare = sum(other for other in self.levels.values() if other <= share)
        return share > 0 and as_rare + 1 - sum(self.levels.values()) >= RARE

    def in_brief(self) -> str:
        common = most_common(self.levels)
        if sum(share for _, share in common) < 0.5:
            return f"one of {self.n_levels:,} values"
        return self._listed(common, [name for name, _ in common])

    def in_full(self) -> str:
        common = most_common(self.levels)
        return self._listed(common, with_shares(common))

    def _listed(self, common: list[tuple[str, float]], words: list[str]) -> str:
        others = self.n_levels - len(common)
        if others > 0 and sum(share for _, share in common) < COVERED:
            words.append(f"one of {others:,} others" if others > 1 else "one other")
        return join(words, "or")

    def remark(self, value: Any, *, own: bool) -> str | None:
        if not self.levels or self.holds(value):
            return None
        share = self.levels.get(self.show(value))
        if share is None and self.n_levels > len(self.levels):
            return None
        seen = self.others((share or 0.0) * (1 - self.missing), own)
        if seen > 0:
            return f"seen in {self.in_rows(seen, own)} (usually {self.brief})"
        never = "seen in no other row" if own else "never seen before"
        return f"{never} (usually {self.brief})"


def level_shares(present: pa.ChunkedArray) -> dict[str, Any]:
    """`levels` and `n_levels` of the filled cells of a column."""
    if pa.types.is_dictionary(present.type):
        present = present.cast(present.type.value_type)
    counts = pc.value_counts(present)
    most = pc.sort_indices(counts.field("counts"), sort_keys=[("", "descending")])[:KEPT]
    levels: dict[str, float] = {}
    for each in counts.take(most).to_pylist():
        name = show_cell(each["values"])  # long texts may end up the same
        levels[name] = levels.get(name, 0.0) + each["counts"] / len(present)
    return {"levels": levels, "n_levels": len(counts)}


def most_frequent_first(levels: Mapping[str, float]) -> dict[str, float]:
    """The order of `level_shares`, which a saved model does not keep: its JSON sorts names."""
    return dict(sorted(levels.items(), key=lambda level: -level[1]))


def most_common(levels: Mapping[str, float]) -> list[tuple[str, float]]:
    """The most frequent levels, until they cover nearly all rows."""
    chosen: list[tuple[str, float]] = []
    for name, share in levels.items():
        if len(chosen) == LISTED or sum(s for _, s in chosen) >= COVERED:
            break
        chosen.append((name, share))
    return chosen


def with_shares(common: list[tuple[str, float]]) -> list[str]:
    return [f"{name} ({show_share(share)})" for name, share in common]
