"""Texts as bytes, and the runs of three bytes in them, without a loop over rows."""

from __future__ import annotations

from string import ascii_uppercase, digits

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

BITS = 11
BUCKETS = 2**BITS
"""Runs of three bytes are counted by a hash of so many values."""

_CODES = np.arange(256)
_UPPER = np.isin(_CODES, list(ascii_uppercase.encode()))
_DIGIT = np.isin(_CODES, list(digits.encode()))
_FOLDED = np.where(_UPPER, _CODES + 32, np.where(_DIGIT, ord("0"), _CODES)).astype(np.uint8)
"""Capitals as small letters and every digit as 0: other digits do not make a text unusual."""
_START, _END = 2, 3


def string_bytes(texts: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """(bytes, offsets) of texts without nulls."""
    texts = texts.cast(pa.large_string())
    _, offsets, data = texts.buffers()
    places = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    flat = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return flat[places[0] : places[-1]], places - places[0]


def trigrams(flat: np.ndarray, offsets: np.ndarray) -> csr_array:
    """One row for each text: the share of each bucket among its runs of three bytes.

    A text of n bytes gets a mark at its start and one at its end, so it has n runs, and the offsets
    are those of the texts. A row may name a bucket several times; products add that up.
    """
    lengths = np.diff(offsets)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    padded = np.full(len(flat) + 2 * len(lengths), _END, np.uint8)
    at = np.arange(len(flat)) + 2 * rows
    padded[offsets[:-1] + 2 * np.arange(len(lengths))] = _START
    padded[at + 1] = _FOLDED[flat]
    first, second, third = (padded[at + step].astype(np.uint32) for step in range(3))
    mixed = (first * 65536 + second * 256 + third) * np.uint32(2654435761)
    buckets = (mixed >> np.uint32(32 - BITS)).astype(np.int64)
    weights = np.repeat(1 / np.maximum(lengths, 1), lengths)
    return csr_array((weights, buckets, offsets), shape=(len(lengths), BUCKETS))
