"""Texts as bytes: their shape, and their runs of three bytes, without a loop over rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

BUCKETS = 2048
"""Runs of three bytes are told apart by a hash of 11 bits."""

_CODES = np.arange(256)
_DIGIT = (_CODES >= 48) & (_CODES <= 57)
_UPPER = (_CODES >= 65) & (_CODES <= 90)
_LOWER = (_CODES >= 97) & (_CODES <= 122)
_SPACE = np.isin(_CODES, [9, 10, 11, 12, 13, 32])
_OTHER_SCRIPT = _CODES >= 128
_SIGN = ~(_DIGIT | _UPPER | _LOWER | _SPACE | _OTHER_SCRIPT)
CLASSES = (_DIGIT, _UPPER, _SPACE, _OTHER_SCRIPT, _SIGN)
N_SHAPES = 1 + len(CLASSES)

_FOLDED = np.where(_UPPER, _CODES + 32, np.where(_DIGIT, 48, _CODES)).astype(np.uint8)
"""Capitals as small letters and every digit as 0: other digits are no other kind of text."""
_START, _END = 2, 3


def string_bytes(texts: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """(bytes, offsets) of texts without nulls."""
    texts = texts.cast(pa.large_string())
    _, offsets, data = texts.buffers()
    places = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    flat = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    return flat[places[0] : places[-1]], places - places[0]


def shapes(flat: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Length (its logarithm), and the shares of digits, capitals, spaces, other scripts, signs."""
    lengths = np.diff(offsets)
    columns = [np.log1p(lengths)]
    for members in CLASSES:
        running = np.concatenate([[0], np.cumsum(members[flat], dtype=np.int64)])
        counts = running[offsets[1:]] - running[offsets[:-1]]
        columns.append(counts / np.maximum(lengths, 1))
    return np.column_stack(columns)


def trigrams(flat: np.ndarray, offsets: np.ndarray) -> csr_array:
    """Rows of the shares of each bucket among a text's runs of three, with its start and end.

    A text of n bytes has n + 2 with both ends, so n runs: the offsets are those of the texts. A
    row names a bucket as often as it comes; products add that up.
    """
    lengths = np.diff(offsets)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    padded = np.full(len(flat) + 2 * len(lengths), _END, np.uint8)
    at = np.arange(len(flat)) + 2 * rows
    padded[offsets[:-1] + 2 * np.arange(len(lengths))] = _START
    padded[at + 1] = _FOLDED[flat]
    first, second, third = (padded[at + step].astype(np.uint32) for step in range(3))
    mixed = (first * 65536 + second * 256 + third) * np.uint32(2654435761)
    buckets = (mixed >> np.uint32(32 - 11)).astype(np.int64)
    weights = np.repeat(1 / np.maximum(lengths, 1), lengths)
    return csr_array((weights, buckets, offsets), shape=(len(lengths), BUCKETS))
