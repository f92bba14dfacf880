"""Training rows in random order and bounded memory: row groups are mixed in a buffer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from slad.core.seeds import Streams
from slad.detectors.streaming import StreamRows
from slad.engines.passes import Shard
from slad.engines.shards import RowGroup
from slad.engines.streaming import ahead

BUFFER_ROWS = 262_144
BUFFER_BYTES = 2**27
"""The most rows and bytes of the buffer in which rows are mixed."""
OPEN_AT_ONCE = 4
"""Row groups that are read in turn."""
PIECE = 8_192
"""Rows that are read of a row group before the next one's turn."""

Block = tuple[np.ndarray, np.ndarray]
"""Row numbers, and the values of the rows."""


class ShuffledRows:
    """The training rows of a shard, in another random order in every round.

    Row groups are read in random order, a few in turn, into a buffer of a quarter of a million
    rows; whenever it is full, a random half leaves it. A shard that fits the buffer is therefore
    shuffled completely (and read once), and a larger one mixes rows of different row groups.
    """

    def __init__(
        self,
        shard: Shard,
        columns: Sequence[str],
        numbers_of: Callable[[pa.Table], np.ndarray],
        streams: Streams,
        *,
        capacity: int = BUFFER_ROWS,
    ) -> None:
        self.shard, self.columns, self.numbers_of = shard, columns, numbers_of
        self.streams, self.capacity = streams, capacity
        self.n_rows = sum(_train_rows(group, shard.held) for group in shard.groups)
        self._kept: Block | None = None

    def round(self, epoch: int, number: int) -> Iterator[Block]:
        """Every training row once, in blocks; seed, epoch and number determine the order."""
        rng = self.streams.numpy(f"order {epoch} {number}")
        if self.n_rows > self.capacity:
            yield from _mixed(ahead(self._pieces(rng)), self.capacity, rng)
            return
        if self._kept is None:
            everything = list(self._pieces(np.random.default_rng(0)))
            numbers, values = (np.concatenate(each) for each in zip(*everything, strict=True))
            order = np.argsort(numbers)
            self._kept = numbers[order], values[order]
        order = rng.permutation(self.n_rows)
        yield self._kept[0][order], self._kept[1][order]

    def _pieces(self, rng: np.random.Generator) -> Iterator[Block]:
        """Encoded rows of all row groups, `OPEN_AT_ONCE` of which are read in turn."""
        waiting = [self.shard.groups[at] for at in rng.permutation(len(self.shard.groups))]
        opened: list[Iterator[tuple[int, pa.Table]]] = []
        while waiting or opened:
            while waiting and len(opened) < OPEN_AT_ONCE:
                opened.append(self.shard.table.batches(waiting.pop(), self.columns, PIECE))
            turn = opened.pop(0)
            piece = next(turn, None)
            if piece is None:
                continue
            opened.append(turn)
            numbers, rows = self.shard.without_held(*piece)
            if len(numbers):
                yield numbers, self.numbers_of(rows)


def _train_rows(group: RowGroup, held: np.ndarray) -> int:
    start, stop = np.searchsorted(held, [group.first, group.first + group.rows])
    return int(group.rows - (stop - start))


def _mixed(pieces: Iterator[Block], capacity: int, rng: np.random.Generator) -> Iterator[Block]:
    """The same rows through a buffer: whenever it is full, a random half of it is yielded."""
    held: list[Block] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece[0])
        if size >= capacity:
            numbers, values = _joined(held)
            order = rng.permutation(size)
            leaving, staying = order[: size // 2], order[size // 2 :]
            held = [(numbers[staying], values[staying])]
            size = len(staying)
            yield numbers[leaving], values[leaving]
    if held:
        numbers, values = _joined(held)
        order = rng.permutation(size)
        yield numbers[order], values[order]


def _joined(blocks: list[Block]) -> Block:
    if len(blocks) == 1:
        return blocks[0]
    return np.concatenate([each[0] for each in blocks]), np.concatenate(
        [each[1] for each in blocks]
    )


class EpochStream:
    """Epochs of equal length, end to end; implements `slad.detectors.streaming.RowStream`.

    An epoch takes `quota` rows: another round begins when the shard is shorter than that, and
    the last round is cut off when it is longer.
    """

    def __init__(self, rows: ShuffledRows, quota: int) -> None:
        self.rows, self.quota = rows, quota
        self._next = -1  # no row was taken yet
        self._pieces: Iterator[StreamRows] = iter(())
        self._left: StreamRows | None = None
        self._last: tuple[int, StreamRows] | None = None

    def take(self, first: int, count: int) -> StreamRows:
        if (
            self._last is not None
            and self._last[0] == first
            and len(self._last[1].numbers) == count
        ):
            return self._last[1]  # another member of the stack takes the same rows
        if first != self._next:
            self._begin(first)
        parts, missing = [], count
        while missing:
            piece = self._piece()
            if len(piece.numbers) > missing:
                self._left = _cut(piece, slice(missing, None))
                piece = _cut(piece, slice(missing))
            parts.append(piece)
            missing -= len(piece.numbers)
        self._next = first + count
        self._last = first, _concatenated(parts)
        return self._last[1]

    def _piece(self) -> StreamRows:
        piece, self._left = self._left, None
        return piece if piece is not None else next(self._pieces)

    def _begin(self, first: int) -> None:
        """Start at another row: those before it in its epoch are read and skipped."""
        epoch, skipped = divmod(first, self.quota)
        self._pieces, self._left = self._from_epoch(epoch), None
        self._next = first
        while skipped:
            piece = self._piece()
            if len(piece.numbers) > skipped:
                self._left = _cut(piece, slice(skipped, None))
            skipped -= min(skipped, len(piece.numbers))

    def _from_epoch(self, epoch: int) -> Iterator[StreamRows]:
        while True:
            missing, number = self.quota, 0
            while missing:
                for numbers, values in self.rows.round(epoch, number):
                    rounds = np.full(len(numbers), number)
                    yield (piece := _cut(StreamRows(numbers, rounds, values), slice(missing)))
                    missing -= len(piece.numbers)
                    if not missing:
                        break
                number += 1
            epoch += 1


def _cut(rows: StreamRows, part: slice) -> StreamRows:
    return StreamRows(rows.numbers[part], rows.rounds[part], rows.values[part])


def _concatenated(parts: list[StreamRows]) -> StreamRows:
    if len(parts) == 1:
        return parts[0]
    return StreamRows(
        np.concatenate([part.numbers for part in parts]),
        np.concatenate([part.rounds for part in parts]),
        np.concatenate([part.values for part in parts]),
    )
