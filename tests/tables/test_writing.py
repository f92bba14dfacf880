"""Tables are written in the format that the name of the file says."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pyarrow as pa
import pytest
from small_tables import TABLE

from slad.core.errors import ConfigError
from slad.tables import read, write

EVERY_ENDING = (
    ["t.csv", "t.tsv", "t.parquet", "t.feather", "t.arrow", "t.jsonl", "t.json"]
    + [f"t.csv{packed}" for packed in (".gz", ".bz2", ".xz", ".zst")]
    + ["t.tsv.gz", "t.jsonl.zst"]
)


@pytest.mark.parametrize("name", EVERY_ENDING)
def test_what_is_written_reads_back_the_same(tmp_path: Path, name: str) -> None:
    write(TABLE, tmp_path / name)
    back = read(tmp_path / name)
    assert back.frame.to_pydict() == TABLE.to_pydict()
    assert back.name == name
    assert back.sha256 == hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "part"),
    [("t.xlsx", ".parquet"), ("t", ".csv"), ("t.parquet.gz", ".csv"), ("no/t.csv", "no folder")],
)
def test_a_target_that_cannot_be_written_is_said(tmp_path: Path, name: str, part: str) -> None:
    with pytest.raises(ConfigError, match=part):
        write(pa.table({"a": [1]}), tmp_path / name)


def test_a_folder_is_not_a_target(tmp_path: Path) -> None:
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(ConfigError, match="it is a folder"):
        write(pa.table({"a": [1]}), tmp_path / "t.csv")


def test_a_table_that_cannot_be_written_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"old")
    odd = pa.table({"a": pa.array([(1, 2, 3)], pa.month_day_nano_interval())})
    with pytest.raises(pa.ArrowNotImplementedError):
        write(odd, path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"old"]


def test_the_ending_below_the_compression_says_what_separates_columns(tmp_path: Path) -> None:
    write(pa.table({"a": [1], "b": [2]}), tmp_path / "t.TSV.gz")
    assert gzip.decompress((tmp_path / "t.TSV.gz").read_bytes()) == b'"a"\t"b"\n1\t2\n'
