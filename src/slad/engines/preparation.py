"""What all rows say before any training: the column plan, encoder, scaling and feature weights.

For a table that memory holds, each is what the table itself would give, with these exceptions. In
a table of more than 20,000 rows, four things come from a sample of so many, spread over the table:
the median that fills a column's gaps, the fences beyond which its numbers are drawn in, the
quartiles of robust scaling, and the letter runs of texts. Dates that are stored as text stay text.
For columns of very many values see `ValueCounts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from slad.core.errors import DataError
from slad.detectors.parts.scaling import Scaler
from slad.detectors.streaming import StreamedFit
from slad.engines.moments import Moments
from slad.engines.passes import FirstPass, Picked, Shard, moments_of_rows
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
class ColumnChoices:
    """Which columns to drop, to keep although they look like ids, and to take as categories."""

    drop: Sequence[str]
    keep: Sequence[str]
    categories: Sequence[str]


@dataclass(frozen=True)
class PreparedTable:
    """What is known of the rows before training."""

    plan: tuple[ColumnPlan, ...]
    encoder: Encoder
    scaler: Scaler
    weights: np.ndarray
    held: pa.Table
    """The held-out rows, with all columns."""
    notes: tuple[Note, ...]

    @property
    def columns(self) -> list[str]:
        """The names of the columns that training reads."""
        return [column.name for column in self.encoder.columns]

    def numbers(self, rows: pa.Table) -> np.ndarray:
        """Encoded and scaled rows, as a network takes them."""
        return self.scaler.cells(self.encoder.transform(rows)).numpy()


def prepare_table(
    shard: Shard, choices: ColumnChoices, streamed: StreamedFit, processes: Processes
) -> PreparedTable:
    """Take one to three passes over all rows."""
    found, held, sample = _first_pass(shard, choices, processes)
    plan = _planned(found, held, sample, choices)
    used = [column for column in plan if column.used]
    if not used:
        raise DataError(
            "there is no column to learn from: "
            + "; ".join(f"{column.name!r} {column.note}" for column in plan[:10])
        )
    encoder = encoder_of(found.columns, sample, used)
    scaler, weights = _scaled(shard, found, encoder, sample, streamed, processes)
    return PreparedTable(plan, encoder, scaler, weights, held, _notes(sample, used))


def _first_pass(
    shard: Shard, choices: ColumnChoices, processes: Processes
) -> tuple[FirstPass, pa.Table, pa.Table]:
    """The summary of all training rows, the held-out rows, and a sample of the training rows."""
    table = shard.table
    found = FirstPass.empty(table.schema, choices.drop, choices.categories)
    held = Picked(shard.held, table.schema)
    sample = Picked(_sampled(table.n_rows, shard.held), table.schema)
    batches = (each for group in shard.groups for each in table.batches(group))
    for first, rows in ahead(batches):
        held.add(first, rows)
        sample.add(first, rows)
        found.add(first, rows, shard.without_held(first, rows)[1])
    return found.merged(processes), held.gathered(processes), sample.gathered(processes)


def _sampled(n_rows: int, held: np.ndarray) -> np.ndarray:
    """The numbers of the training rows that an encoder in memory would sample."""
    places = spread_places(n_rows - len(held))
    before = held - np.arange(len(held))  # training rows before each held-out one
    return np.asarray(places + np.searchsorted(before, places, side="right"))


def _notes(sample: pa.Table, used: Sequence[ColumnPlan]) -> tuple[Note, ...]:
    """A note on each text column whose sample holds dates: the very last row could be no date."""
    sample = sample.select([column.name for column in used])
    parsed, _ = parse_dates(sample)
    return tuple(
        Note(was.name, "holds dates, but is read as text: a stream takes types from the files")
        for was, now in zip(sample.schema, parsed.schema, strict=True)
        if was.type != now.type
    )


# -- the plan --------------------------------------------------------------------------------------


class StreamFacts:
    """`slad.tables.kinds.Facts` of a column that a pass has summarised."""

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
    found: FirstPass, held: pa.Table, sample: pa.Table, choices: ColumnChoices
) -> tuple[ColumnPlan, ...]:
    """The plan of the columns, whose kinds follow from all rows, held-out rows included."""
    facts = []
    for field in held.schema:
        seen = found.columns.get(field.name)
        levels = seen is not None and seen.levels
        whole = ColumnSummary(field.type, levels=levels)
        if seen is not None:
            whole.merge(seen)
            whole.add(held.column(field.name))
        facts.append(StreamFacts(whole, found.ascents.get(field.name), sample.column(field.name)))
    return plan_of(
        held.schema, facts, drop=choices.drop, keep=choices.keep, categories=choices.categories
    )


# -- encoders --------------------------------------------------------------------------------------


def encoder_of(
    columns: Mapping[str, ColumnSummary], sample: pa.Table, used: Sequence[ColumnPlan]
) -> Encoder:
    """The encoder that the summarised rows would give in memory."""
    fitted = [
        KINDS[each.kind].encoder_type.of_summary(columns[each.name], sample.column(each.name))
        for each in used
    ]
    return Encoder.joining(used, fitted, sample)


# -- scaling and weights of features ---------------------------------------------------------------


def _scaled(
    shard: Shard,
    found: FirstPass,
    encoder: Encoder,
    sample: pa.Table,
    streamed: StreamedFit,
    processes: Processes,
) -> tuple[Scaler, np.ndarray]:
    weighted = streamed.needs_covariances(encoder.width)
    names = [column.name for column in encoder.columns]
    another_pass = partial(moments_of_rows, shard, names, processes=processes)
    moments = _plain_moments(found, encoder)
    if moments is None:
        empty = Moments(encoder.width, cross=weighted, unit=_units(encoder))
        moments = another_pass(encoder.transform, empty)
    ends = moments.low, moments.high
    if streamed.scaling == "robust":
        scaler = Scaler.fit("robust", encoder.transform(sample))
    else:
        scaler = Scaler.of_moments(streamed.scaling, moments.mean, moments.deviation, *ends)
    if not weighted:
        return scaler, np.ones(encoder.width)
    if moments.cross and scaler.is_affine and not scaler.cuts(*ends):
        center = (moments.mean - scaler.center) / scaler.scale
        covariance = moments.covariance(scaler.scale)
    else:
        moments = another_pass(
            lambda rows: scaler.dense(encoder.transform(rows)), Moments(encoder.width, cross=True)
        )
        center, covariance = moments.mean, moments.covariance(np.ones(encoder.width))
    return scaler, streamed.weights(center, covariance)


def _plain_moments(found: FirstPass, encoder: Encoder) -> Moments | None:
    """The moments of the first pass, if encoding leaves every cell as it is."""
    if found.plain is None or not all(KINDS[each.kind].is_numeric for each in encoder.columns):
        return None
    if any(isinstance(each, NumberEncoder) and each.fences for each in encoder.encoders):
        return None
    return found.plain.of([found.numbers.index(column.name) for column in encoder.columns])


def _units(encoder: Encoder) -> np.ndarray:
    """1, except for columns whose squares would overflow or vanish."""
    units = np.ones(encoder.width)
    for column, each in zip(encoder.columns, encoder.encoders, strict=True):
        if isinstance(each, NumberEncoder):
            size = max(abs(each.low), abs(each.high))
            if size > LARGE or 0 < size < 1 / LARGE:
                units[column.start] = size
    return units
