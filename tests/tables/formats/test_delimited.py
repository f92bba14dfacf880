"""CSV and the like: what is read, what is written, and errors that name the line."""

from __future__ import annotations

import gzip
import io
from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pytest
from small_tables import column, refusal, text_file

from slad.tables import read
from slad.tables.formats.delimited import read_delimited, write_delimited


def test_thousands_are_not_guessed(tmp_path: Path) -> None:
    path = text_file(tmp_path, 'a,b\n"1,234",1\n"2,345",2\n')
    assert read(path).frame.column("a").to_pylist() == ["1,234", "2,345"]


@pytest.mark.parametrize("spelling", ["", "NA", "N/A", "null", "NaN", "None", "-"])
def test_usual_spellings_of_missing_are_nulls(tmp_path: Path, spelling: str) -> None:
    frame = read(text_file(tmp_path, f"a,b\n1,x\n{spelling},{spelling}\n")).frame
    assert frame.to_pydict() == {"a": [1, None], "b": ["x", None]}


def test_names_are_stripped_and_a_second_one_gets_a_suffix(tmp_path: Path) -> None:
    loaded = read(text_file(tmp_path, " a ,a,a.1,\n1,2,3,4\n"))
    assert loaded.frame.column_names == ["a", "a.2", "a.1", "column 4"]
    assert [note.column for note in loaded.notes] == ["a.2"]


def test_a_first_line_of_numbers_is_taken_as_names_and_said(tmp_path: Path) -> None:
    loaded = read(text_file(tmp_path, "1,2\n3,4\n"))
    assert loaded.frame.num_rows == 1
    assert "only numbers" in str(loaded.notes[0])


def test_old_line_ends_and_blank_lines_are_read(tmp_path: Path) -> None:
    assert read(text_file(tmp_path, "a,b\r1,2\r3,4\r")).frame.column("b").to_pylist() == [2, 4]
    blank = text_file(tmp_path, "\r\n\r\na,b\r\n1,2\r\n\r\n")
    assert read(blank).frame.column("b").to_pylist() == [2]


def test_a_row_longer_than_a_block_is_read(tmp_path: Path) -> None:
    long = "x" * (2**23 + 10)
    assert read(text_file(tmp_path, f'a,b\n1,2\n"{long}",3\n')).frame.column("a")[1].as_py() == long


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", ["is empty"]),
        ("\n \n", ["is empty"]),
        ("a,b\n", ["no rows", "a, b"]),
        ("a,b\n1,2\n3\n", ["line 3", "fields: 1", "columns: 2"]),
        ('a,b\n"x\ny",2\n1,2,3\n', ["line 4", "fields: 3"]),
        ('a,b\n1,2\n"open,3\n4,5\n', ["line 3", "quote not closed"]),
        ("a:b\n1:2\n3:4\n", ["one column", "':'"]),
        ("a b\n1 2\n3 4\n", ["one column", "a space"]),
        (b"a,b\n\0\1,2\n", ["is not text", "byte 4"]),
        (b"PK\x03\x04rest", ["Excel"]),
        (b"PAR1rest", [".parquet"]),
        (gzip.compress(b"a,b\n1,2\n", mtime=0), [".gz"]),
    ],
)
def test_a_csv_that_cannot_be_read_says_why(
    tmp_path: Path, content: str | bytes, parts: list[str]
) -> None:
    message = refusal(text_file(tmp_path, content))
    assert all(part in message for part in ["t.csv", *parts]), message


def test_digits_with_zeros_in_front_are_a_code_and_stay_text(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("zip,x,share\n01907,10,0.5\n90210,7,0.25\n")
    loaded = read(path)
    assert loaded.frame.column("zip").to_pylist() == ["01907", "90210"]
    assert [str(note) for note in loaded.notes] == ["zip: read as text: '01907' begins with a zero"]
    assert loaded.frame.column("x").type == pa.int64()
    assert loaded.frame.column("share").type == pa.float64()


def test_a_later_file_is_read_as_the_first_one_was_zeros_or_not(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("count\n007\n8\n")
    assert read(path, types={"count": pa.int64()}).frame.column("count").to_pylist() == [7, 8]


def test_a_quoted_field_may_hold_delimiters_quotes_and_lines() -> None:
    frame, _ = read_delimited(b'a,"b\nc"\n"x,""y""","1\n2"\n', "here", {})
    assert frame.to_pydict() == {"a": ['x,"y"'], "b\nc": ["1\n2"]}


def test_booleans_are_words_and_not_digits() -> None:
    frame, _ = read_delimited(b"a,b\ntrue,1\nFALSE,0\n,\n", "here", {})
    assert frame.to_pydict() == {"a": [True, False, None], "b": [1, 0, None]}


def written(ending: str, **columns: pa.ChunkedArray) -> list[str]:
    file = io.BytesIO()
    write_delimited(pa.table(columns), file, ending)
    return file.getvalue().decode().splitlines()


@pytest.mark.parametrize(
    ("ending", "sign"), [(".csv", ","), (".txt", ","), (".tsv", "\t"), (".tab", "\t")]
)
def test_the_ending_says_what_separates_the_columns(ending: str, sign: str) -> None:
    assert written(ending, a=column([1]), b=column([2])) == [f'"a"{sign}"b"', f"1{sign}2"]


@pytest.mark.parametrize(
    ("cells", "lines"),
    [
        (column([timedelta(seconds=2), None], pa.duration("ms")), ["2000", ""]),
        (column([[1, None], None]), ['"[1, null]"', ""]),
        (column([{"a": float("inf")}]), ['"{""a"": null}"']),
        (column([b"\x00\xff"]), ['"""00ff"""']),
        (column(["x", None, "x"]).dictionary_encode(), ['"x"', "", '"x"']),
    ],
)
def test_cells_that_csv_does_not_have_are_written_as_text(
    cells: pa.ChunkedArray, lines: list[str]
) -> None:
    assert written(".csv", a=cells) == ['"a"', *lines]
