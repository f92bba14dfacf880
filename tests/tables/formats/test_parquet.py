"""Parquet: whole or in batches."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from slad.core.errors import DataError
from slad.tables.formats.parquet import PARQUET, read_parquet, stream_parquet, write_parquet

TABLE = pa.table({"a": range(10), "b": [str(at) for at in range(10)]})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    parquet.write_table(TABLE, tmp_path / "t.parquet", row_group_size=4)
    return tmp_path / "t.parquet"


def test_it_is_read_from_bytes_and_from_a_path(path: Path) -> None:
    assert read_parquet(path, "here", {})[0].equals(TABLE)
    assert read_parquet(path.read_bytes(), "here", {})[0].equals(TABLE)


def test_the_folder_of_a_file_adds_no_column(tmp_path: Path) -> None:
    file = tmp_path / "year=2025" / "t.parquet"
    file.parent.mkdir()
    with file.open("wb") as opened:
        write_parquet(TABLE, opened, ".parquet")
    assert read_parquet(file, "here", {})[0].column_names == ["a", "b"]


def test_a_stream_gives_all_rows_in_order_a_few_at_once(path: Path) -> None:
    batches = list(stream_parquet(path, 3, None))
    assert max(batch.num_rows for batch in batches) == 3
    assert pa.Table.from_batches(batches).equals(TABLE)


def test_a_stream_reads_the_wanted_columns_that_the_file_has(path: Path) -> None:
    batches = list(stream_parquet(path, 100, ["b", "not there"]))
    assert pa.Table.from_batches(batches).equals(TABLE.select(["b"]))


def test_a_file_of_something_else_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 and no more")
    assert PARQUET.begins(path.read_bytes())
    with pytest.raises(DataError, match="here is not a complete Parquet file"):
        read_parquet(path, "here", {})
    with pytest.raises(DataError, match=r"t\.parquet is not a complete Parquet file"):
        list(stream_parquet(path, 10, None))
