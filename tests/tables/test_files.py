"""Which files a path stands for."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pytest
from small_tables import refusal, text_file

from slad.core.errors import DataError
from slad.tables import read, write
from slad.tables.files import checksum_of, file_format, members, of_one_format


def test_a_folder_and_a_pattern_give_the_rows_of_all_files(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    (folder / "more").mkdir(parents=True)
    write(pa.table({"a": [1]}), folder / "p1.parquet")
    write(pa.table({"a": [2.5], "b": ["x"]}), folder / "more" / "p2.parquet")
    text_file(folder, "", "_SUCCESS")
    loaded = read(folder)
    assert sorted(loaded.frame.column("a").to_pylist()) == [1.0, 2.5]
    assert [str(note) for note in loaded.notes] == ["b: not in every file; missing where it is not"]
    assert loaded.sha256 == read(folder / "**" / "*.parquet").sha256
    text_file(tmp_path, "a,b\n1,2\n", "1.csv")
    text_file(tmp_path, "b,a\n4,3\n", "2.csv")
    assert read(tmp_path / "*.csv").frame.to_pydict() == {"a": [1, 3], "b": [2, 4]}


def test_paths_that_mean_nothing_are_said(tmp_path: Path) -> None:
    assert "no file" in refusal(tmp_path / "no.csv")
    assert "no folder" in refusal(tmp_path / "no" / "no.csv")
    assert "no file matches" in refusal(tmp_path / "*.csv")
    assert "no Parquet file" in refusal(tmp_path)
    assert "'.xlsx' is not known" in refusal(text_file(tmp_path, "a", "t.xlsx"))
    write(pa.table({"a": [1]}), tmp_path / "p.parquet")
    text_file(tmp_path, "a,b\n1,2\n")
    assert "several formats" in refusal(tmp_path)
    write(pa.table({"a": ["x"]}), tmp_path / "q.parquet")
    assert "q.parquet does not fit" in refusal(tmp_path / "*.parquet")


def test_files_are_sorted_and_those_marked_as_without_data_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "_temporary").mkdir()
    (tmp_path / "deep").mkdir()
    for name in ("b.parquet", "deep/a.parquet", "a.pq", ".c.parquet", "_temporary/d.parquet"):
        (tmp_path / name).touch()
    (tmp_path / "notes.md").touch()
    assert members(tmp_path) == [
        tmp_path / name for name in ("a.pq", "b.parquet", "deep/a.parquet")
    ]


def test_a_folder_whose_own_name_begins_with_a_point_is_read(tmp_path: Path) -> None:
    folder = tmp_path / ".cache"
    folder.mkdir()
    (folder / "a.parquet").touch()
    assert members(folder) == [folder / "a.parquet"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    for name in ("t[1].csv", "t1.csv"):
        (tmp_path / name).touch()
    assert members(tmp_path / "t[1].csv") == [tmp_path / "t[1].csv"]
    assert members(tmp_path / "t[12].csv") == [tmp_path / "t1.csv"]


def test_a_folder_of_text_files_needs_a_pattern_which_the_error_gives(tmp_path: Path) -> None:
    (tmp_path / "t.csv").touch()
    with pytest.raises(DataError, match=r"no Parquet file .*'.*/\*\.csv'"):
        members(tmp_path)


def test_a_packed_file_is_of_the_format_inside() -> None:
    files = [Path("a.CSV"), Path("b.txt.gz"), Path("c.tsv.zst")]
    assert {file_format(file).name for file in files} == {"CSV"}
    assert of_one_format(files, "here") == files
    with pytest.raises(DataError, match=r"'\.gz' is not known"):
        file_format(Path("a.gz"))


def test_the_checksum_of_several_files_does_not_depend_on_their_order() -> None:
    assert checksum_of(["b"]) == "b"
    assert checksum_of(["b", "a"]) == checksum_of(["a", "b"]) == sha256(b"ab").hexdigest()
