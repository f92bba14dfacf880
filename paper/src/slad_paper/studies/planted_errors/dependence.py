"""Values that are usual by themselves and never come with another value of the row."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Self

import numpy as np

from slad.core.typing import Int
from slad_paper.studies.planted_errors.column import Column

BINS = 8
"""Of a column of numbers, each with as many rows."""
MOST_LEVELS = 30
"""Columns of more categories are left aside: most pairs of them have too few rows to judge."""
LEAST = 0.3
"""Part of a column's entropy that another column must explain."""
MOST_COLUMNS = 3
"""The most dependent ones, in which dependencies are broken."""
EXPECTED = 5.0
"""Rows that a pair of bins would have if the columns were independent, to call it impossible."""
FAR = 3
"""Bins that a number moves at least: the next bin may be within a hair."""
MISSING = -1

Codes = Int[np.ndarray, " n"]
"""The bin or level of each row's value, or `MISSING`."""


@dataclass(frozen=True)
class Dependence:
    """Binned columns, and for the most dependent ones the column that says most of each."""

    codes: Mapping[str, Codes]
    partners: Mapping[str, str]
    numbers: Container[str]

    @classmethod
    def of(cls, columns: Collection[Column]) -> Self:
        every = {column.name: _codes(column) for column in columns}
        codes = {name: found for name, found in every.items() if found is not None}
        best: dict[str, tuple[float, str]] = {}
        for one, other in permutations(codes, 2):
            part = explained(codes[one], codes[other])
            if part >= LEAST and part > best.get(one, (0.0, ""))[0]:
                best[one] = part, other
        strongest = sorted(best, key=lambda name: -best[name][0])[:MOST_COLUMNS]
        numbers = {column.name for column in columns if column.kind == "number"}
        return cls(codes, {name: best[name][1] for name in strongest}, numbers)

    def impossible(self, name: str, row: int, rng: np.random.Generator) -> int | None:
        """A row whose value of this column never comes with what `row` has in its partner."""
        mine, other = self.codes[name], self.codes[self.partners[name]]
        if MISSING in (mine[row], other[row]):
            return None
        counts = _counts(mine, other)
        expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
        never = (counts == 0) & (expected >= EXPECTED)
        far = np.abs(mine - mine[row]) >= (FAR if name in self.numbers else 1)
        donors = np.flatnonzero((mine != MISSING) & far & never[mine, other[row]])
        return int(rng.choice(donors)) if len(donors) else None


def explained(one: Codes, other: Codes) -> float:
    """The part of the entropy of `one` that `other` explains, less what chance would."""
    counts = _counts(one, other)
    total = counts.sum()
    if not total:
        return 0.0
    shares = counts / total
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    entropy, rest = _entropy(rows), _entropy(shares.ravel()) - _entropy(columns)
    chance = ((rows > 0).sum() - 1) * ((columns > 0).sum() - 1) / (2 * total)
    return float((entropy - rest - chance) / entropy) if entropy > 0 else 0.0


def _codes(column: Column) -> Codes | None:
    """None for columns that cannot be binned, or not into two bins."""
    codes = np.full(len(column.values), MISSING)
    there = [row for row, value in enumerate(column.values) if value is not None]
    if column.kind == "number":
        values = np.array([float(value) for value in column.present])
        inner = np.unique(np.quantile(values, np.arange(1, BINS) / BINS))
        codes[there] = np.searchsorted(inner, values, side="right")
    elif column.kind in ("category", "boolean") and len(column.different) <= MOST_LEVELS:
        levels = {level: at for at, level in enumerate(sorted(column.different))}
        codes[there] = [levels[value] for value in column.present]
    return codes if codes.max() > 0 else None


def _counts(one: Codes, other: Codes) -> Int[np.ndarray, "a b"]:
    """Rows of every pair of codes; those with a gap do not count."""
    both = (one != MISSING) & (other != MISSING)
    counts = np.zeros((one.max() + 1, other.max() + 1), dtype=np.int64)
    np.add.at(counts, (one[both], other[both]), 1)
    return counts


def _entropy(shares: np.ndarray) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())
