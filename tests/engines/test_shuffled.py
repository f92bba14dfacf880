"""A shuffled stream: every row once a round, in another order, however the files are cut."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_shards import numbers_table, written
from pyarrow import parquet

from slad.core.seeds import Streams
from slad.engines.passes import Shard
from slad.engines.shards import ParquetTable
from slad.engines.shuffled import EpochStream, ShuffledRows


def rows_of(files: list[Path], *, capacity: int, seed: int = 0, held: int = 0) -> ShuffledRows:
    table = ParquetTable.open(files)
    out = np.sort(np.random.default_rng(1).choice(table.n_rows, held, replace=False))
    return ShuffledRows(
        Shard(table, table.groups, out),
        ["x"],
        lambda rows: rows["x"].to_numpy()[:, None].astype(np.float32),
        Streams(seed),
        capacity=capacity,
    )


def numbered(folder: Path, sizes: list[int]) -> list[Path]:
    """Files whose row groups have these sizes; the value of a row is its number."""
    folder.mkdir(parents=True, exist_ok=True)
    first = 0
    for at, size in enumerate(sizes):
        rows = pa.table({"x": np.arange(first, first + size, dtype=np.float64)})
        parquet.write_table(rows, folder / f"{at:02d}.parquet", row_group_size=max(1, size // 2))
        first += size
    return sorted(folder.glob("*.parquet"))


@given(
    sizes=st.lists(st.integers(1, 60), min_size=1, max_size=5),
    capacity=st.integers(1, 80),
    held=st.integers(0, 5),
)
def test_a_round_gives_every_training_row_once_with_its_own_value(
    tmp_path_factory, sizes, capacity, held
):
    files = numbered(tmp_path_factory.mktemp("rows"), sizes)
    rows = rows_of(files, capacity=capacity, held=min(held, sum(sizes) - 1))
    blocks = list(rows.round(0, 0))
    numbers = np.concatenate([block[0] for block in blocks])
    values = np.concatenate([block[1][:, 0] for block in blocks])
    expected = set(range(sum(sizes))) - set(rows.shard.held.tolist())
    assert len(numbers) == len(expected) == rows.n_rows
    assert set(numbers.tolist()) == expected
    np.testing.assert_array_equal(values, numbers.astype(np.float32))


@pytest.mark.parametrize("capacity", [64, 1000])
def test_the_order_follows_from_the_seed_and_differs_by_round_and_epoch(tmp_path, capacity):
    files = numbered(tmp_path, [200, 100])

    def order(seed: int, epoch: int, number: int) -> list[int]:
        rows = rows_of(files, capacity=capacity, seed=seed)
        return np.concatenate([block[0] for block in rows.round(epoch, number)]).tolist()

    assert order(0, 0, 0) == order(0, 0, 0)
    others = [order(1, 0, 0), order(0, 1, 0), order(0, 0, 1)]
    assert all(order(0, 0, 0) != other for other in others)


def test_rows_that_lie_together_are_far_apart_in_the_stream(tmp_path, monkeypatch):
    monkeypatch.setattr("slad.engines.shuffled.PIECE", 50)
    rows = rows_of(numbered(tmp_path, [1000] * 8), capacity=2000)
    order = np.concatenate([block[0] for block in rows.round(0, 0)])
    batch = order[:128] // 500  # row groups
    assert len(set(batch.tolist())) >= 4


@pytest.mark.parametrize("quota", [300, 430, 170])
def test_an_epoch_is_as_long_as_asked_whatever_the_shard_holds(tmp_path, quota):
    stream = EpochStream(rows_of(numbered(tmp_path, [200, 100]), capacity=90), quota)
    taken = [stream.take(first, 10).numbers for first in range(0, 2 * quota, 10)]
    for epoch in np.split(np.concatenate(taken), 2):
        counts = Counter(epoch.tolist())
        assert max(counts.values()) <= -(-quota // 300)
        assert len(counts) == min(300, quota)


def test_the_last_rows_can_be_had_again_by_another_member(tmp_path):
    stream = EpochStream(rows_of(numbered(tmp_path, [50]), capacity=20), 50)
    first, again = stream.take(0, 30), stream.take(0, 30)
    assert first is again


@pytest.mark.parametrize("place", [1, 37, 50, 99, 120])
def test_a_stream_goes_on_at_any_place_as_if_it_had_never_ended(tmp_path, place):
    files = numbered(tmp_path, [30, 25])
    whole = EpochStream(rows_of(files, capacity=20), 50)
    before = np.concatenate([whole.take(first, 1).numbers for first in range(130)])
    later = EpochStream(rows_of(files, capacity=20), 50).take(place, 10)
    np.testing.assert_array_equal(later.numbers, before[place : place + 10])


def test_memory_does_not_grow_with_the_rows(tmp_path):
    """Counted in Arrow's own pool and in rows: a stream of four times the rows holds no more."""
    peaks = []
    for files in (2, 8):
        folder = written(
            tmp_path / str(files), numbers_table(8000 * files), files=files, group=2000
        )
        rows = rows_of(sorted(folder.glob("*.parquet")), capacity=4000)
        largest, peak = 0, 0
        before = pa.total_allocated_bytes()
        for numbers, _ in rows.round(0, 0):
            largest = max(largest, len(numbers))
            peak = max(peak, pa.total_allocated_bytes() - before)
        assert largest <= 4000 + 2000
        peaks.append(peak)
    assert peaks[1] <= 1.5 * peaks[0] + 2**20
