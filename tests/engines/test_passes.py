"""Passes over all rows of a table, by one process or several."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from made_up_shards import files_of, mixed_table, written

from slad.decisions.folds import held_rows
from slad.engines.moments import Moments
from slad.engines.passes import FirstPass, Picked, Shard, moments_of_rows
from slad.engines.ranks import Processes, _packed, _unpacked
from slad.engines.shards import ParquetTable, deal
from slad.engines.value_counts import ValueCounts

SEED = 3


def first_pass(shard: Shard) -> FirstPass:
    found = FirstPass.empty(shard.table.schema, (), ())
    for group in shard.groups:
        for first, rows in shard.table.batches(group):
            found.add(first, rows, shard.without_held(first, rows)[1])
    return found


def as_counts(counts: ValueCounts | None) -> dict | None:
    if counts is None:
        return None
    return dict(zip(*(counts.table[name].to_pylist() for name in ("value", "count")), strict=True))


@pytest.mark.parametrize("world", [2, 3])
def test_summaries_of_several_processes_merge_to_that_of_one(tmp_path, world):
    folder = written(tmp_path, mixed_table(1000), files=4, group=100)
    table = ParquetTable.open(sorted(folder.glob("*.parquet")))
    held = held_rows(table.n_rows, SEED)
    parts = [first_pass(Shard(table, groups, held)) for groups in deal(table.groups, world)]

    class Gathered(Processes):
        def gather(self, state):
            return [_unpacked(_packed(*part.state())) for part in parts]

    whole, one = parts[0].merged(Gathered()), first_pass(Shard(table, table.groups, held))
    for name, summary in one.columns.items():
        merged = whole.columns[name]
        assert (merged.rows, merged.missing, merged.ends) == (
            summary.rows,
            summary.missing,
            summary.ends,
        )
        assert merged.different == summary.different
        assert as_counts(merged.counts) == as_counts(summary.counts)
    assert {n: a.holds() for n, a in whole.ascents.items()} == {
        n: a.holds() for n, a in one.ascents.items()
    }


@pytest.fixture
def ten_rows(tmp_path) -> ParquetTable:
    rows = pa.table({"x": np.arange(10.0), "y": [0.5] * 10})
    return ParquetTable.open(files_of(written(tmp_path, rows, files=2, group=2)))


def test_training_rows_come_with_their_numbers_and_without_those_held_out(ten_rows):
    shard = Shard(ten_rows, ten_rows.groups, np.array([0, 4, 5, 9]))
    parts = list(shard.train_rows(["x"]))
    numbers = np.concatenate([own for own, _ in parts]).tolist()
    assert numbers == [1, 2, 3, 6, 7, 8]
    assert pa.concat_tables([rows for _, rows in parts]).to_pydict() == {"x": numbers}


def test_rows_are_picked_by_number_from_whatever_batch_holds_them(ten_rows):
    picked = Picked(np.array([1, 6, 7]), ten_rows.schema)
    for group in ten_rows.groups:
        for first, rows in ten_rows.batches(group):
            picked.add(first, rows)
    assert picked.gathered(Processes())["x"].to_pylist() == [1.0, 6.0, 7.0]


def test_picking_nothing_gives_an_empty_table_of_the_same_columns(ten_rows):
    nothing = Picked(np.array([], dtype=np.int64), ten_rows.schema).gathered(Processes())
    assert (nothing.num_rows, nothing.schema) == (0, ten_rows.schema)


def test_rows_that_several_processes_picked_come_in_the_order_of_the_table(ten_rows):
    picked = [Picked(np.array([0, 3, 8]), ten_rows.schema) for _ in range(2)]
    for own, groups in zip(picked, (ten_rows.groups[::2], ten_rows.groups[1::2]), strict=True):
        for group in groups:
            for first, rows in ten_rows.batches(group):
                own.add(first, rows)

    states = []

    class Two(Processes):
        world = 2

        def gather(self, state):
            states.append(_unpacked(_packed(*state)))
            return states

    picked[1].gathered(Two())
    assert picked[0].gathered(Two())["x"].to_pylist() == [0.0, 3.0, 8.0]


@pytest.mark.parametrize("cell", [None, float("nan"), float("inf"), 1e101, -1e-101])
def test_moments_are_given_up_for_gaps_and_for_numbers_whose_squares_are_no_floats(cell):
    rows = pa.table({"x": pa.array([1.0, 0.0, cell]), "y": [1, 2, 3]})
    found = FirstPass.empty(rows.schema, (), ())
    found.add(0, rows.slice(0, 2), rows.slice(0, 2))
    assert found.plain.mean.tolist() == [0.5, 1.5]
    found.add(2, rows.slice(2), rows.slice(2))
    assert found.plain is None
    found.add(0, rows.slice(0, 2), rows.slice(0, 2))
    assert found.plain is None
    assert found.columns["y"].rows == 5


def test_a_block_without_training_rows_adds_only_to_what_counts_all_rows():
    rows = pa.table({"n": [3, 1]})
    found = FirstPass.empty(rows.schema, (), ())
    found.add(0, rows, rows.slice(0, 0))
    assert not found.ascents["n"].holds()
    assert found.columns["n"].rows == 0
    assert found.plain.count == 0


def test_columns_left_out_are_not_summarised():
    schema = pa.schema({"id": pa.int64(), "x": pa.float64(), "word": pa.string()})
    found = FirstPass.empty(schema, ["id"], ())
    assert list(found.columns) == ["x", "word"]
    assert found.numbers == ["x"]
    assert not found.ascents


def test_moments_of_rows_are_those_of_the_training_rows(ten_rows):
    shard = Shard(ten_rows, ten_rows.groups, np.array([0, 9]))
    found = moments_of_rows(
        shard,
        ["x"],
        lambda rows: 2 * rows["x"].to_numpy()[:, None],
        Moments(1, cross=False),
        Processes(),
    )
    assert (found.count, found.mean[0], found.low[0], found.high[0]) == (8, 9.0, 2.0, 16.0)
