"""Files of one table: which process reads what, and what is said of those that do not fit."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_shards import numbers_table, written
from pyarrow import parquet

from slad.core.errors import DataError
from slad.engines.shards import ParquetTable, RowGroup, deal


def groups_of(sizes: list[list[int]]) -> list[RowGroup]:
    """Row groups of so many rows in each of several files."""
    groups, first = [], 0
    for number, rows in enumerate(sizes):
        for index, count in enumerate(rows):
            groups.append(RowGroup(Path(f"{number}.parquet"), index, first, count, {}))
            first += count
    return groups


@given(
    sizes=st.lists(st.lists(st.integers(1, 500), min_size=1, max_size=4), min_size=1, max_size=6),
    world=st.integers(1, 4),
)
def test_every_row_group_goes_to_one_process_and_none_goes_without(sizes, world):
    groups = groups_of(sizes)
    if len(groups) < world:
        with pytest.raises(DataError, match=f"cannot be divided among {world} processes"):
            deal(groups, world)
        return
    dealt = deal(groups, world)
    assert sorted((g.file, g.index) for part in dealt for g in part) == sorted(
        (g.file, g.index) for g in groups
    )
    assert all(dealt)


def test_files_stay_whole_where_that_is_even_and_are_parted_where_it_is_not():
    even = deal(groups_of([[100, 100]] * 4), 2)
    assert [len({group.file for group in part}) for part in even] == [2, 2]
    assert [sum(group.rows for group in part) for part in even] == [400, 400]
    uneven = deal(groups_of([[100, 100, 100], [20, 20]]), 2)
    assert [sum(group.rows for group in part) for part in uneven] == [200, 140]


def test_rows_are_numbered_over_all_files_and_columns_that_some_lack_are_missing_there(tmp_path):
    table = numbers_table(50)
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=20)
    parquet.write_table(
        table.drop_columns(["z"]).set_column(0, "x", pa.array(range(50))), tmp_path / "b.parquet"
    )
    both = ParquetTable.open([tmp_path / "a.parquet", tmp_path / "b.parquet"])
    assert both.n_rows == 100
    assert [group.first for group in both.groups] == [0, 20, 40, 50]
    assert both.schema.field("x").type == pa.float64()
    [(first, rows)] = both.batches(both.groups[-1])
    assert first == 50
    assert rows["z"].null_count == 50
    assert rows["x"].to_pylist() == [float(number) for number in range(50)]
    assert [str(note) for note in both.notes] == ["z: not in every file; missing where it is not"]


def test_columns_that_do_not_fit_are_named_with_their_file(tmp_path):
    parquet.write_table(pa.table({"x": [1.0, 2.0], "y": [1, 2]}), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"x": [1.0, 2.0], "y": ["one", "two"]}), tmp_path / "b.parquet")
    with pytest.raises(DataError, match=r"b\.parquet: column 'y' holds string, and int64 in"):
        ParquetTable.open([tmp_path / "a.parquet", tmp_path / "b.parquet"])


def test_files_without_rows_and_files_that_are_none_are_said(tmp_path):
    parquet.write_table(numbers_table(5).slice(0, 0), tmp_path / "a.parquet")
    with pytest.raises(DataError, match=r"a\.parquet: there are no rows"):
        ParquetTable.open([tmp_path / "a.parquet"])
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match=r"b\.parquet is not a complete Parquet file"):
        ParquetTable.open([tmp_path / "b.parquet"])


def test_the_size_of_a_table_leaves_out_what_is_not_learned_from(tmp_path):
    table = ParquetTable.open(
        [written(tmp_path, numbers_table(1000), files=1, group=100) / "00.parquet"]
    )
    assert table.size(["x"]) < table.size() < 2 * 1000 * 3 * 8
