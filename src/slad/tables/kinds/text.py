"""Text: how unusual its letters are, and how rare it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from slad.core.state import State
from slad.tables.arrow_types import TEXT, as_text, family
from slad.tables.kinds.encoding import ColumnEncoder, Summary
from slad.tables.kinds.facts import Facts
from slad.tables.kinds.kind import Kind
from slad.tables.kinds.levels import Levels
from slad.tables.kinds.ranges import RangeUsual
from slad.tables.kinds.shares import level_shares, most_common, most_frequent_first, with_shares
from slad.tables.kinds.trigrams import BUCKETS, string_bytes, trigrams
from slad.tables.kinds.usual import TAILS
from slad.tables.kinds.words import join

SAMPLE = 20_000
"""Texts whose runs are counted."""
OFTEN = 0.05
"""Fraction of the rows from which a text is named as a frequent one."""
BLOCK_BYTES = 2**18
"""Bytes of the texts in one block: what a CPU's cache holds."""


@dataclass(frozen=True)
class TextEncoder(ColumnEncoder):
    """The mean surprise of a text's runs of three letters, and the rarity of the whole text."""

    levels: Levels
    surprise: np.ndarray
    """Of each bucket of runs: -log of the share of texts that have it."""
    usual: float
    """The median, which a missing text gets."""

    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        column = as_text(column)
        texts = whole_texts(column)
        if len(texts) > SAMPLE:  # spread over the table, which may be sorted
            texts = texts.take(pa.array(np.linspace(0, len(texts) - 1, SAMPLE).astype(np.int64)))
        return cls.of_texts(texts, Levels.fit(column))

    @classmethod
    def of_summary(cls, summary: Summary, sample: pa.ChunkedArray) -> Self:
        return cls.of_texts(whole_texts(as_text(sample)), Levels.of_summary(summary))

    @classmethod
    def of_texts(cls, texts: pa.Array, levels: Levels) -> Self:
        """From texts (large strings, none missing), whose runs are counted, and levels of all."""
        counts = np.zeros(BUCKETS)
        for block in _blocks(texts):
            grams = trigrams(*string_bytes(block))
            grams.sum_duplicates()
            counts += np.bincount(grams.indices, minlength=BUCKETS)
        surprise = -np.log((counts + 0.5) / (len(texts) + 1))
        means = _mean_surprise(texts, surprise)
        return cls(levels, surprise, float(np.median(means)) if len(means) else 0.0)

    @property
    def width(self) -> int:
        return 2

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        column = as_text(column)
        means = np.full(len(column), self.usual)
        means[~column.is_null().to_numpy()] = _mean_surprise(whole_texts(column), self.surprise)
        return np.column_stack([means, self.levels.rarity(self.levels.codes(column))])

    def state(self) -> State:
        values, arrays = self.levels.state()
        return State(values | {"usual": self.usual}, arrays | {"surprise": self.surprise})

    @classmethod
    def from_state(cls, state: State) -> Self:
        return cls(Levels.from_state(state), state.arrays["surprise"], state.values["usual"])


def whole_texts(column: pa.ChunkedArray) -> pa.Array:
    """The filled cells as one array of large strings; plain ones hold 2 GB at most."""
    return column.drop_null().cast(pa.large_string()).combine_chunks()


def _mean_surprise(texts: pa.Array, surprise: np.ndarray) -> np.ndarray:
    parts = [trigrams(*string_bytes(block)) @ surprise for block in _blocks(texts)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _blocks(texts: pa.Array) -> Iterator[pa.Array]:
    """Texts in blocks of at most `BLOCK_BYTES`, or of one text."""
    _, offsets = string_bytes(texts)
    start = 0
    while start < len(texts):
        stop = int(np.searchsorted(offsets, offsets[start] + BLOCK_BYTES, "right")) - 1
        stop = min(max(stop, start + 1), len(texts))
        yield texts[start:stop]
        start = stop


@dataclass(frozen=True)
class TextUsual(RangeUsual):
    """The range of lengths, in characters, and the frequent texts."""

    levels: dict[str, float] = field(default_factory=dict)
    """Text (as shown) -> its share of the filled cells, most frequent first."""
    n_levels: int = 0

    @classmethod
    def counted(cls, present: pa.ChunkedArray) -> dict[str, Any]:
        found = level_shares(present)
        often = {name: share for name, share in found["levels"].items() if share >= OFTEN}
        return found | {"levels": often}

    @classmethod
    def measured(cls, ordinary: pa.ChunkedArray) -> dict[str, Any]:
        lengths = pc.utf8_length(ordinary.cast(pa.string()))
        low, middle, high = pc.quantile(lengths, TAILS, interpolation="nearest").to_pylist()
        return {"low": low, "middle": middle, "high": high}

    @classmethod
    def from_state(cls, state: State) -> Self:
        made = super().from_state(state)
        return replace(made, levels=most_frequent_first(made.levels))

    def measure(self, value: Any) -> int:
        return len(str(value))

    def in_brief(self) -> str:
        return f"{self.span} characters"

    def in_full(self) -> str:
        full = f"{super().in_full()} characters"
        common = with_shares(most_common(self.levels))
        return f"{full}, often {join(common, 'or')}" if common else full

    def remark(self, value: Any, *, own: bool) -> str | None:
        if self.low is None or self.holds(value):
            return None
        count = self.measure(value)
        letters = "character" if count == 1 else "characters"
        return f"{count:,} {letters} long (usually {self.brief.removesuffix(' characters')})"


class TextKind(Kind):
    """All text that no other kind recognises."""

    name = "text"
    encoder_type = TextEncoder
    usual_type = TextUsual

    def recognises(self, name: str, facts: Facts) -> bool:
        return family(facts.type) == TEXT
