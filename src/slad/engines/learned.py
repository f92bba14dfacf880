"""What is learned from looks at all rows, before any training: plan, encoder, scaling, weights.

On a table that memory holds, all of it is what the table itself would give, with these exceptions.
The median that fills a column's gaps, the quartiles of robust scaling and the runs of letters of
texts come from a sample of 20,000 rows, spread over the table, where it has more; the texts of
dates stay text; and see `ValueCounts` for columns of very many values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from slad.core.errors import DataError
from slad.detectors.parts.scaling import Scaler
from slad.detectors.slad.estimator import SLAD
from slad.detectors.slad.labels import weights_of
from slad.engines.looks import FirstLook, Picked, Shard, look_at_rows
from slad.engines.moments import Moments
from slad.engines.ranks import Processes
from slad.engines.streaming import ahead
from slad.engines.summary import Ascent, ColumnSummary
from slad.tables import ColumnPlan, Encoder, Note, plan_of
from slad.tables.dates import parse_dates
from slad.tables.encoder import spread_places
from slad.tables.kinds import KINDS
from slad.tables.kinds.number import NumberEncoder

LARGE = 1e100


@dataclass(frozen=True)
class Asked:
    """Which columns a person wants how."""

    drop: Sequence[str]
    keep: Sequence[str]
    categories: Sequence[str]


@dataclass(frozen=True)
class Learned:
    """All that the rows say, but for the networks' weights."""

    plan: tuple[ColumnPlan, ...]
    encoder: Encoder
    scaler: Scaler
    weights: np.ndarray
    held: pa.Table
    """The rows kept for calibration, all columns."""
    notes: tuple[Note, ...]

    @property
    def columns(self) -> list[str]:
        """Those that are read for training."""
        return [column.name for column in self.encoder.columns]

    def numbers(self, rows: pa.Table) -> np.ndarray:
        """Rows on their way into a network."""
        return self.scaler.cells(self.encoder.transform(rows)).numpy()


def learn(shard: Shard, asked: Asked, detector: SLAD, processes: Processes) -> Learned:
    """Look at all rows, as often as it takes."""
    look, held, sample = _first_look(shard, asked, processes)
    plan = _planned(look, held, sample, asked)
    used = [column for column in plan if column.used]
    if not used:
        raise DataError(
            "there is no column to learn from: "
            + "; ".join(f"{column.name!r} {column.note}" for column in plan[:10])
        )
    encoder = encoder_of(look.columns, sample, used)
    scaler, weights = _scaled(shard, look, encoder, sample, detector, processes)
    return Learned(plan, encoder, scaler, weights, held, _notes(sample, used))


def _first_look(
    shard: Shard, asked: Asked, processes: Processes
) -> tuple[FirstLook, pa.Table, pa.Table]:
    """The summary of all training rows, the held-out rows, and a sample of the others."""
    table = shard.table
    look = FirstLook.empty(table.schema, asked.drop, asked.categories)
    held = Picked(shard.held, table.schema)
    sample = Picked(_sampled(table.n_rows, shard.held), table.schema)
    batches = (each for group in shard.groups for each in table.batches(group))
    for first, rows in ahead(batches):
        held.add(first, rows)
        sample.add(first, rows)
        look.add(first, rows, shard.without_held(first, rows)[1])
    return look.everywhere(processes), held.gathered(processes), sample.gathered(processes)


def _sampled(n_rows: int, held: np.ndarray) -> np.ndarray:
    """Numbers of the training rows that an encoder in memory would sample."""
    places = spread_places(n_rows - len(held))
    before = held - np.arange(len(held))  # training rows before each held-out one
    return np.asarray(places + np.searchsorted(before, places, side="right"))


def _notes(sample: pa.Table, used: Sequence[ColumnPlan]) -> tuple[Note, ...]:
    """Texts that look like dates could turn out to be none in the last row of all."""
    sample = sample.select([column.name for column in used])
    parsed, _ = parse_dates(sample)
    return tuple(
        Note(was.name, "dates, but read as text: a stream takes columns by their type in the files")
        for was, now in zip(sample.schema, parsed.schema, strict=True)
        if was.type != now.type
    )


# -- the plan --------------------------------------------------------------------------------------


class StreamFacts:
    """`slad.tables.kinds.Facts` of a column that was looked at."""

    def __init__(self, summary: ColumnSummary, ascent: Ascent | None, sample: pa.ChunkedArray):
        self.type, self.filled, self.missing = summary.type, summary.filled, summary.missing
        self.different, self.sample = summary.different, sample
        self._summary, self._ascent = summary, ascent

    def counts_up(self) -> tuple[int, int] | None:
        assert self._summary.whole is not None
        assert self._ascent is not None
        low, high = self._summary.whole
        if not (low in (0, 1) or self._ascent.holds()):
            return None
        return (low, high) if high - low + 1 == self.different == self.filled else None


def _planned(
    look: FirstLook, held: pa.Table, sample: pa.Table, asked: Asked
) -> tuple[ColumnPlan, ...]:
    """The kinds of columns go by all rows, those held out among them."""
    facts = []
    for field in held.schema:
        seen = look.columns.get(field.name)
        levels = seen is not None and seen.levels
        whole = ColumnSummary(field.type, levels=levels)
        if seen is not None:
            whole.merge(seen)
            whole.add(held.column(field.name))
        facts.append(StreamFacts(whole, look.ascents.get(field.name), sample.column(field.name)))
    return plan_of(
        held.schema, facts, drop=asked.drop, keep=asked.keep, categories=asked.categories
    )


# -- encoders --------------------------------------------------------------------------------------


def encoder_of(
    columns: Mapping[str, ColumnSummary], sample: pa.Table, used: Sequence[ColumnPlan]
) -> Encoder:
    """The encoder that the rows would give which the summaries are of."""
    fitted = [
        KINDS[each.kind].encoder_type.of_summary(columns[each.name], sample.column(each.name))
        for each in used
    ]
    return Encoder.joining(used, fitted, sample)


# -- scaling and weights of features ---------------------------------------------------------------


def _scaled(
    shard: Shard,
    look: FirstLook,
    encoder: Encoder,
    sample: pa.Table,
    detector: SLAD,
    processes: Processes,
) -> tuple[Scaler, np.ndarray]:
    weighted = encoder.width < detector.weighting_threshold
    names = [column.name for column in encoder.columns]
    look_at = partial(look_at_rows, shard, names, processes=processes)
    moments = _plain_moments(look, encoder)
    if moments is None:
        empty = Moments(encoder.width, cross=weighted, unit=_units(encoder))
        moments = look_at(encoder.transform, empty)
    ends = moments.low, moments.high
    if detector.scaling == "robust":
        scaler = Scaler.fit("robust", encoder.transform(sample))
    else:
        scaler = Scaler.of_moments(detector.scaling, moments.mean, moments.deviation, *ends)
    if not weighted:
        return scaler, np.ones(encoder.width)
    if moments.cross and scaler.is_affine and not scaler.cuts(*ends):
        center = (moments.mean - scaler.center) / scaler.scale
        covariance = moments.covariance(scaler.scale)
    else:
        moments = look_at(
            lambda rows: scaler.dense(encoder.transform(rows)), Moments(encoder.width, cross=True)
        )
        center, covariance = moments.mean, moments.covariance(np.ones(encoder.width))
    return scaler, weights_of(center, covariance, rescale=detector.rescale_weights)


def _plain_moments(look: FirstLook, encoder: Encoder) -> Moments | None:
    """Those of the first look, where encoding leaves every cell as it is."""
    if look.plain is None or not all(KINDS[each.kind].is_numeric for each in encoder.columns):
        return None
    return look.plain.of([look.numbers.index(column.name) for column in encoder.columns])


def _units(encoder: Encoder) -> np.ndarray:
    """1, but for columns whose squares would be no numbers."""
    units = np.ones(encoder.width)
    for column, each in zip(encoder.columns, encoder.encoders, strict=True):
        if isinstance(each, NumberEncoder):
            size = max(abs(each.low), abs(each.high))
            if size > LARGE or 0 < size < 1 / LARGE:
                units[column.start] = size
    return units
