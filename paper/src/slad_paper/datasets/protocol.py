"""Who trains and who tests: half of the normal rows, with or without anomalies among them.

Labels decide which rows may train, and nothing else; no detector sees one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, vstack

from slad.core.errors import ConfigError, DataError
from slad.core.typing import Int, Table, is_sparse

SWAPPED = 0.05
"""Share of features that a synthesised anomaly takes from a second one (the paper's appendix)."""


@dataclass(frozen=True)
class Split:
    """Rows that train and rows that test; labels are 1 for an anomaly."""

    train: Table
    train_labels: Int[np.ndarray, " n"]
    test: Table
    test_labels: Int[np.ndarray, " m"]
    train_rows: Int[np.ndarray, " n"]
    """Where each training row came from; -1 for one that was synthesised."""
    test_rows: Int[np.ndarray, " m"]


def half_normal_split(X: Table, y: np.ndarray, seed: int, *, max_rows: int | None = None) -> Split:
    """A random half of the normal rows trains; the rest and all anomalies test, shuffled.

    With `max_rows`, a table of more rows is first cut down to so many, drawn at random without a
    look at the labels. Seed 42 without a cap is the split of the paper's released code.
    """
    rows = _capped(len(_labels(X, y)), max_rows, seed)
    normal, odd = _shuffled(y, rows, seed)
    half = len(normal) // 2
    test = np.random.default_rng(seed).permutation(np.concatenate([normal[half:], odd]))
    train = normal[:half]
    return Split(X[train], y[train].astype(int), X[test], y[test].astype(int), train, test)


def contaminated_split(
    X: Table, y: np.ndarray, seed: int, *, rate: float, max_rows: int | None = None
) -> Split:
    """As `half_normal_split`, with a share `rate` of anomalies among the training rows.

    Half of the anomalies tests; the other half are candidates for training. Where they are too
    few, more are made of two of them, by swapping 5 % of the features (the paper's appendix). The
    test rows are the same at every rate.
    """
    if not 0 <= rate < 1:
        raise ConfigError(f"{rate=}: give a share of the training rows from 0 to below 1")
    rows = _capped(len(_labels(X, y)), max_rows, seed)
    normal, odd = _shuffled(y, rows, seed)
    half, half_odd = len(normal) // 2, len(odd) // 2
    candidates, tested = odd[:half_odd], odd[half_odd:]
    rng = np.random.default_rng(seed)
    test = rng.permutation(np.concatenate([normal[half:], tested]))
    wanted = round(rate * half / (1 - rate))
    real = candidates[:wanted]
    made = synthesise(X[candidates], wanted - len(real), rng)
    parts = [X[normal[:half]], X[real], made]
    train = csr_array(vstack(parts)) if is_sparse(X) else np.concatenate(parts)
    origin = np.concatenate([normal[:half], real, np.full(made.shape[0], -1)])
    order = rng.permutation(len(origin))
    labels = (np.arange(len(origin)) >= half).astype(int)
    return Split(train[order], labels[order], X[test], y[test].astype(int), origin[order], test)


def synthesise(anomalies: Table, count: int, rng: np.random.Generator) -> Table:
    """`count` rows, each one of the anomalies with 5 % of the features of another one.

    At least one feature is swapped, so that narrow tables get no plain copies.
    """
    if count == 0:
        return anomalies[:0]
    have, width = anomalies.shape
    if have < 2:
        raise DataError(
            f"{count} anomalies are to be synthesised and {have} real ones are at hand for "
            "training, where two are needed: lower the contamination rate"
        )
    first = rng.integers(have, size=count)
    second = (first + rng.integers(1, have, size=count)) % have
    swapped = max(1, round(SWAPPED * width))
    columns = np.stack([rng.choice(width, swapped, replace=False) for _ in range(count)])
    if not is_sparse(anomalies):
        made: np.ndarray = anomalies[first].copy()
        at = np.arange(count)[:, None]
        made[at, columns] = anomalies[second[:, None], columns]
        return made
    ends = np.arange(0, count * swapped + 1, swapped)
    taken = csr_array(
        (np.ones(count * swapped, anomalies.dtype), columns.ravel(), ends), shape=(count, width)
    )
    base = anomalies[first]
    return csr_array(base - base * taken + anomalies[second] * taken)


def _labels(X: Table, y: np.ndarray) -> np.ndarray:
    """The labels, if they can be split: one a row, 0 or 1, and both of them."""
    if len(y) != X.shape[0]:
        raise DataError(f"{X.shape[0]} rows, but {len(y)} labels: give one label a row")
    found = np.unique(y)
    if not np.isin(found, [0, 1]).all():
        raise DataError(f"labels are {found[:5].tolist()}: give 0 for normal and 1 for anomaly")
    return y


def _capped(count: int, max_rows: int | None, seed: int) -> np.ndarray:
    if max_rows is None or max_rows >= count:
        return np.arange(count)
    if max_rows < 1:
        raise ConfigError(f"{max_rows=}: give a number of rows from 1 up, or None for all")
    return np.random.default_rng([seed, 1]).permutation(count)[:max_rows]


def _shuffled(y: np.ndarray, rows: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The normal rows and the anomalies, each in random order."""
    order = rows[np.random.RandomState(seed).permutation(len(rows))]
    normal, odd = order[y[order] == 0], order[y[order] == 1]
    for kind, found, least in (("normal rows", normal, 2), ("anomalies", odd, 1)):
        if len(found) < least:
            cap = f" (drawn of {len(y)})" if len(rows) < len(y) else ""
            raise DataError(
                f"{len(found)} {kind} among {len(rows)} rows{cap}: a split needs at least {least}; "
                "check the labels (1 = anomaly)" + (" or raise max_rows" if cap else "")
            )
    return normal, odd
