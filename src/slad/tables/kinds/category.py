"""Categories: how rare a value is, and with which values of other columns it comes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pyarrow as pa

from slad.core.state import State
from slad.tables.arrow_types import TEXT, family, is_whole
from slad.tables.kinds.encoding import ColumnEncoder, Others, Summary
from slad.tables.kinds.facts import Facts, is_key_name
from slad.tables.kinds.kind import Kind, Picture
from slad.tables.kinds.levels import Levels
from slad.tables.kinds.pictures import bars
from slad.tables.kinds.shares import SharesUsual

MAX_LEVELS = 30
"""Text with at most so many values is a category..."""
ROWS_A_LEVEL, MANY_LEVELS = 20, 1000
"""... and so is text whose values come back that often, up to so many of them."""
ALL_DIFFERENT, FEW_ROWS = 0.95, 20
"""From this fraction of different values on, in so many rows, no text is a category."""
PRIOR = 10
"""Average rows that are added to those of each value, as few rows say little."""


@dataclass(frozen=True)
class CategoryEncoder(ColumnEncoder):
    """The place of a value among the values, and its rarity.

    Values are placed on a line by what the other columns are where they come: values that come
    with like rows lie together, so a value among rows of another shows as a broken dependency.
    One flag for each value would say the same, but drown the other columns (docs/tables.md).
    """

    levels: Levels
    places: np.ndarray
    """Of each level; all 0 where the other columns are the same for all values."""

    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        levels = Levels.fit(column)
        return cls(levels, np.zeros(len(levels.shares)))

    @classmethod
    def of_summary(cls, summary: Summary, sample: pa.ChunkedArray) -> Self:
        levels = Levels.of_summary(summary)
        return cls(levels, np.zeros(len(levels.shares)))

    def beside(self, column: pa.ChunkedArray, others: Others) -> Self:
        """With places: values whose rows are alike in the other columns are near each other."""
        blocks = others()
        if not blocks:
            return self
        features = np.column_stack(blocks)
        codes = self.levels.codes(column)
        counts = np.bincount(codes, minlength=len(self.places))
        sums = np.zeros((len(counts), features.shape[1]))
        np.add.at(sums, codes, features)
        means = sums / (counts + PRIOR)[:, None]
        means[-2] = 0  # not one value but all the rare ones: an average row
        _, _, directions = np.linalg.svd(means * np.sqrt(counts)[:, None], full_matrices=False)
        places = means @ directions[0] if len(directions) else self.places
        # Either sign would do; this one does not depend on the linear algebra library.
        return replace(self, places=places * (np.sign(places[np.abs(places).argmax()]) or 1.0))

    @property
    def width(self) -> int:
        return 2 if self.places.any() else 1

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        codes = self.levels.codes(column)
        rarity = self.levels.rarity(codes)
        if self.width == 1:
            return rarity[:, None]
        return np.column_stack([self.places[codes], rarity])

    def state(self) -> State:
        values, arrays = self.levels.state()
        return State(values, arrays | {"places": self.places})

    @classmethod
    def from_state(cls, state: State) -> Self:
        return cls(Levels.from_state(state), state.arrays["places"])


class CategoryKind(Kind):
    """Text whose values come back, and whole numbers named like a key that do."""

    name = "category"
    encoder_type = CategoryEncoder
    usual_type = SharesUsual

    def recognises(self, name: str, facts: Facts) -> bool:
        if family(facts.type) != TEXT:
            return is_whole(facts.type) and is_key_name(name)
        if facts.different >= ALL_DIFFERENT * facts.filled and facts.filled >= FEW_ROWS:
            return False
        often = facts.different <= MANY_LEVELS and facts.different * ROWS_A_LEVEL <= facts.filled
        return facts.different <= MAX_LEVELS or often

    def note(self, facts: Facts) -> str:
        return "numbers, but named like a key: a category" if is_whole(facts.type) else ""

    def picture(self, column: pa.ChunkedArray) -> Picture | None:
        return bars(column)
