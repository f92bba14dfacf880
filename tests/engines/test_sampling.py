"""A random sample of a table's rows."""

from __future__ import annotations

from made_up_shards import files_of, numbers_table, written

from slad.engines.sampling import sample_rows
from slad.engines.shards import ParquetTable
from slad.tables import read


def test_a_sample_holds_rows_of_the_table_in_its_order_and_says_how_many(tmp_path):
    files = files_of(written(tmp_path, numbers_table(300), files=3, group=40))
    sample = sample_rows(ParquetTable.open(files), 50, seed=0)
    everything = read(tmp_path).frame["x"].to_pylist()
    places = [everything.index(value) for value in sample.frame["x"].to_pylist()]
    assert places == sorted(places)
    assert len(set(places)) == 50
    assert str(sample.notes[-1]) == "learned from a random 50 of 300 rows"


def test_the_sample_follows_from_the_seed(tmp_path):
    table = ParquetTable.open(files_of(written(tmp_path, numbers_table(60), files=2, group=10)))
    first, again, other = (sample_rows(table, 20, seed=seed).frame for seed in (0, 0, 1))
    assert first.equals(again)
    assert not first.equals(other)


def test_a_sample_of_all_rows_is_the_table(tmp_path):
    table = ParquetTable.open(files_of(written(tmp_path, numbers_table(30), files=2, group=10)))
    sample = sample_rows(table, 30, seed=0)
    assert sample.frame.equals(numbers_table(30))
    assert sample.name == f"2 files in {tmp_path.name}"
