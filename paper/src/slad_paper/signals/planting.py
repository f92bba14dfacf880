"""Tables as users have them, made of the one-class tables: words, dates, and cells that are wrong.

The collections hold numbers only, and rows that are odd as a whole. Here a table's normal rows get
words for numbers of few values and dates for some others, and in some of them one cell is spoilt,
by the rules of the study `planted-errors`, whose own tables are not among these.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

import numpy as np
import pyarrow as pa

from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad_paper.datasets.one_class import OneClassTable, rows_of
from slad_paper.studies.planted_errors.plants import CONVERSIONS, plant

MOST_COLUMNS = 24
"""Columns drawn of a wider table: users' tables are rarely wider."""
FEWEST_ROWS, FEWEST_ERRORS = 150, 8
"""Smaller tables, and those with fewer errors, are left aside."""
FEW_VALUES, WORDS = 12, 0.7
"""Columns with at most so many values become words that often."""
MANY_VALUES, DATES, UNITS = 20, 0.08, 0.3
"""Columns with more values than that become dates, or measures with a unit, that often."""
SPANS = (300, 1500, 8000)
"""Days between the ends of a column of dates."""
POSITIVE = 0.6
"""How often numbers that may be negative are moved so that they are not."""
ROUNDED = 0.6
"""How often they are rounded as a person would."""


def spoilt(table: OneClassTable) -> tuple[pa.Table, Int[np.ndarray, " n"]] | None:
    """Normal rows of a table, some with an error, and which; None where it is too small."""
    rows = rows_of(table, "own")
    normal = rows.train[rows.labels == 0].astype(np.float64)
    if len(normal) < FEWEST_ROWS:
        return None
    rng = Streams(0).numpy(f"errors planted in {table.name}")
    frame, units = _as_users_have_it(normal, rng)
    frame, errors = plant(frame, units, rng)
    if len(errors) < FEWEST_ERRORS:
        return None
    labels = np.zeros(len(normal), dtype=np.int64)
    labels[[error.row for error in errors]] = 1
    return frame, labels


def _as_users_have_it(
    rows: Float[np.ndarray, "n d"], rng: np.random.Generator
) -> tuple[pa.Table, Mapping[str, str]]:
    """The rows as columns of words, dates and numbers; and the units of some of these."""
    width = rows.shape[1]
    kept = np.sort(rng.choice(width, MOST_COLUMNS, replace=False)) if width > MOST_COLUMNS else None
    columns, units = dict[str, pa.Array](), dict[str, str]()
    for place, values in enumerate(rows.T if kept is None else rows.T[kept]):
        different, name = np.unique(values), f"column {place}"
        if len(different) == 1:
            continue
        many = len(different) > MANY_VALUES
        if len(different) <= FEW_VALUES and rng.random() < WORDS:
            words = np.array(_words(len(different), rng))
            columns[name] = pa.array(words[np.searchsorted(different, values)])
        elif many and rng.random() < DATES:
            columns[name] = pa.array(_dates(values, rng))
        else:
            columns[name] = pa.array(_measure(values, rng) if many else values)
            if many and rng.random() < UNITS:
                units[name] = str(rng.choice(list(CONVERSIONS)))
    return pa.table(columns), units


def _words(count: int, rng: np.random.Generator) -> list[str]:
    """Different ones, of two to four syllables."""
    words = dict[str, None]()
    while len(words) < count:
        first, second = rng.choice(list("bcdfgklmnprst"), 4), rng.choice(list("aeiou"), 4)
        syllables = [one + other for one, other in zip(first, second, strict=True)]
        words["".join(syllables[: rng.integers(2, 5)])] = None
    return list(words)


def _dates(values: Float[np.ndarray, " n"], rng: np.random.Generator) -> list[date]:
    """In the order of the values, and as far apart; the farthest are drawn in."""
    low, high = np.quantile(values, [0.001, 0.999])
    days = np.clip((values - low) / ((high - low) or 1.0), -0.2, 1.2) * rng.choice(SPANS)
    start = date(1985 + int(rng.integers(0, 12)), 1, 1)
    return [start + timedelta(days=int(day)) for day in days]


def _measure(values: Float[np.ndarray, " n"], rng: np.random.Generator) -> Float[np.ndarray, " n"]:
    if values.min() < 0 and rng.random() < POSITIVE:
        room = rng.exponential() * 0.3 * values.std() if rng.random() < 0.7 else 0.0
        values = values - values.min() + room
    if rng.random() < ROUNDED:
        scale = 10.0 ** rng.integers(2, 5) / np.abs(values).max()
        values = np.round(values * scale, rng.integers(0, 3))
    return values
