"""Text: how rare it is, its shape, how unusual its letters are, and what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
from sklearn.decomposition import TruncatedSVD

from slad.tables.encoding.levels import Levels
from slad.tables.encoding.strings import BUCKETS, N_SHAPES, shapes, string_bytes, trigrams
from slad.tables.kinds import as_text

COMPONENTS = 4
SAMPLE = 20_000
"""Texts that the components are fitted on."""
BLOCK_BYTES = 2**18


@dataclass(frozen=True)
class TextEncoder:
    levels: Levels
    weights: np.ndarray
    """[buckets, 1 + components]: the surprise of a run of three bytes, and what it stands for."""
    fill: np.ndarray
    """Features of a missing text but for its rarity: the medians."""

    @classmethod
    def fit(cls, column: pa.ChunkedArray, seed: int) -> Self:
        column = as_text(column)
        texts = _whole(column.drop_null())
        if len(texts) > SAMPLE:  # spread over the table, which may be sorted
            texts = texts.take(pa.array(np.linspace(0, len(texts) - 1, SAMPLE).astype(np.int64)))
        grams = trigrams(*string_bytes(texts))
        weights = np.column_stack([_surprise(grams), _components(grams, seed)])
        features = _features(texts, weights)
        middle = np.median(features, axis=0) if len(features) else np.zeros(features.shape[1])
        return cls(Levels.fit(column), weights, middle)

    @property
    def width(self) -> int:
        return 1 + N_SHAPES + int(self.weights.shape[1])

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        column = as_text(column)
        rarity = self.levels.rarity(self.levels.codes(column))
        features = np.tile(self.fill, (len(column), 1))
        filled = ~column.is_null().to_numpy()
        if filled.any():
            # Each text once: columns of this kind repeat themselves, too.
            coded = _whole(column.drop_null()).dictionary_encode()
            each = _features(coded.dictionary, self.weights)
            features[filled] = each[coded.indices.to_numpy()]
        return np.column_stack([features, rarity])

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        values, arrays = self.levels.state()
        return values, arrays | {"weights": self.weights, "fill": self.fill}

    @classmethod
    def from_state(cls, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        return cls(Levels.from_state(values, arrays), arrays["weights"], arrays["fill"])


def _whole(column: pa.ChunkedArray) -> pa.Array:
    """One array of large strings: 2 GB of text do not fit one of plain strings."""
    return column.cast(pa.large_string()).combine_chunks()


def _surprise(grams: Any) -> np.ndarray:
    """How few texts have a run, as a logarithm: for each bucket, -log of its smoothed share."""
    seen = np.unique(
        np.repeat(np.arange(grams.shape[0]), np.diff(grams.indptr)) * BUCKETS + grams.indices
    )
    counts = np.bincount(seen % BUCKETS, minlength=BUCKETS)
    surprise: np.ndarray = -np.log((counts + 0.5) / (grams.shape[0] + 1))
    return surprise


def _components(grams: Any, seed: int) -> np.ndarray:
    """Directions in which the texts differ most; none where there is too little to tell."""
    if grams.shape[0] <= COMPONENTS or grams.nnz == 0:
        return np.zeros((BUCKETS, 0))
    with np.errstate(invalid="ignore", divide="ignore"):  # all texts equal: no variance to share
        svd = TruncatedSVD(COMPONENTS, random_state=seed % 2**32).fit(grams)
    components: np.ndarray = svd.components_.T
    return components


def _features(texts: pa.Array, weights: np.ndarray) -> np.ndarray:
    parts = []
    for block in _blocks(texts):
        flat, offsets = string_bytes(block)
        parts.append(np.column_stack([shapes(flat, offsets), trigrams(flat, offsets) @ weights]))
    return np.concatenate(parts) if parts else np.zeros((0, N_SHAPES + weights.shape[1]))


def _blocks(texts: pa.Array) -> Iterator[pa.Array]:
    """Runs of texts of a bounded number of bytes (or one text)."""
    _, offsets = string_bytes(texts)
    start = 0
    while start < len(texts):
        stop = int(np.searchsorted(offsets, offsets[start] + BLOCK_BYTES, "right")) - 1
        stop = min(max(stop, start + 1), len(texts))
        yield texts[start:stop]
        start = stop
