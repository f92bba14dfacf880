"""The network that makes one score of a row's signals, and its weights, learned on other tables.

A hidden layer of soft hinges, half of them bent upwards and half downwards, beside a linear part.
Weights of signals of which more is stranger are not negative, so the score never falls when one of
them rises; contrasts may count either way. Several networks stand side by side and are averaged.

`weights.npz` is made by `slad learn-signals` of slad-paper, from the one-class tables, and has a
card beside it, `weights.json`.
"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from slad.core.errors import ArtifactError
from slad.core.typing import Float
from slad.detectors.signals.blocks import row_product

SEEKS = ("rows", "cells")
"""Rows that are odd as a whole, or rows with a wrong cell."""
KINDS = tuple(f"{training} {sought}" for sought in SEEKS for training in ("clean", "mixed"))
"""Of weights: training rows that are all normal or with anomalies among them; what is sought."""
FILE, CARD = "weights.npz", "weights.json"
PARTS = ("monotone", "free", "bias", "out", "skip", "free_skip")


@dataclass(frozen=True)
class Weights:
    """Of one kind."""

    monotone: Float[np.ndarray, "inputs hidden"]
    free: Float[np.ndarray, "contrasts hidden"]
    bias: Float[np.ndarray, " hidden"]
    """The first half of the units bends upwards, the second downwards."""
    out: Float[np.ndarray, " hidden"]
    skip: Float[np.ndarray, " inputs"]
    free_skip: Float[np.ndarray, " contrasts"]

    def scores(
        self, monotone: Float[np.ndarray, "n inputs"], free: Float[np.ndarray, "n contrasts"]
    ) -> Float[np.ndarray, " n"]:
        """Higher is stranger."""
        inputs = np.hstack([monotone, free]).astype(np.float32)
        hidden = row_product(inputs, np.vstack([self.monotone, self.free])) + self.bias
        half = hidden.shape[1] // 2
        bent = np.hstack([_soft(hidden[:, :half]), -_soft(-hidden[:, half:])])
        straight = np.concatenate([self.skip, self.free_skip])
        scores: np.ndarray = (bent * self.out).sum(axis=1, dtype=np.float64)
        scores += (inputs * straight).sum(axis=1, dtype=np.float64)
        return scores


def _soft(values: np.ndarray) -> np.ndarray:
    """log(1 + exp(x)) without overflow."""
    soft: np.ndarray = np.maximum(values, 0) + np.log1p(np.exp(-np.abs(values)))
    return soft


@cache
def weights_of(kind: str) -> Weights:
    """The shipped weights of a kind; an error where the file is not the one of the card."""
    content = (files(__package__) / FILE).read_bytes()
    if hashlib.sha256(content).hexdigest() != card()["sha256"]:
        raise ArtifactError(f"{FILE} of slad is not the file that its card means: install again")
    return read_weights(content, kind)


@cache
def card() -> dict[str, Any]:
    """What the weights were learned from, how, and how well they do."""
    found: dict[str, Any] = json.loads((files(__package__) / CARD).read_text(encoding="utf-8"))
    return found


def read_weights(content: bytes, kind: str) -> Weights:
    """The weights of a kind from the bytes of a file."""
    with np.load(io.BytesIO(content), allow_pickle=False) as stored:
        return Weights(*(stored[f"{kind}.{part}"] for part in PARTS))
