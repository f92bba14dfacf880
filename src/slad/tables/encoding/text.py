"""Text: how unusual its letters are, and how rare it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa

from slad.tables.encoding.levels import Levels
from slad.tables.encoding.strings import BUCKETS, string_bytes, trigrams
from slad.tables.kinds import as_text

SAMPLE = 20_000
"""Texts whose runs are counted."""
BLOCK_BYTES = 2**18
"""Texts that are worked on together: what a CPU's cache holds."""


@dataclass(frozen=True)
class TextEncoder:
    """The mean surprise of a text's runs of three letters, and the rarity of the whole text."""

    levels: Levels
    surprise: np.ndarray
    """Of each bucket of runs: -log of the share of texts that have it."""
    usual: float
    """What a missing text gets: the median."""

    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        column = as_text(column)
        texts = whole_texts(column)
        if len(texts) > SAMPLE:  # spread over the table, which may be sorted
            texts = texts.take(pa.array(np.linspace(0, len(texts) - 1, SAMPLE).astype(np.int64)))
        return cls.of_texts(texts, Levels.fit(column))

    @classmethod
    def of_texts(cls, texts: pa.Array, levels: Levels) -> Self:
        """From texts to count the runs of (large strings, none missing), and all texts' rarity."""
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

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        values, arrays = self.levels.state()
        return values | {"usual": self.usual}, arrays | {"surprise": self.surprise}

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        return cls(Levels.from_state(values, arrays), arrays["surprise"], values["usual"])


def whole_texts(column: pa.ChunkedArray) -> pa.Array:
    """Texts that are there, as one array of large strings: 2 GB do not fit one of plain ones."""
    return column.drop_null().cast(pa.large_string()).combine_chunks()


def _mean_surprise(texts: pa.Array, surprise: np.ndarray) -> np.ndarray:
    parts = [trigrams(*string_bytes(block)) @ surprise for block in _blocks(texts)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _blocks(texts: pa.Array) -> Iterator[pa.Array]:
    """Runs of texts of a bounded number of bytes (or one text)."""
    _, offsets = string_bytes(texts)
    start = 0
    while start < len(texts):
        stop = int(np.searchsorted(offsets, offsets[start] + BLOCK_BYTES, "right")) - 1
        stop = min(max(stop, start + 1), len(texts))
        yield texts[start:stop]
        start = stop
