"""The dialect of a text is found from its first rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_tables import text_file

from slad.core.errors import DataError
from slad.tables import read
from slad.tables.formats.dialect import SAMPLE_BYTES, all_numbers, records, sniff


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_out(tmp_path: Path, sign: str) -> None:
    path = text_file(tmp_path, "a|b|c\n1|x y|2\n3|z|4\n".replace("|", sign))
    assert read(path).frame.to_pydict() == {"a": [1, 3], "b": ["x y", "z"], "c": [2, 4]}


def test_a_decimal_comma_is_read_between_semicolons(tmp_path: Path) -> None:
    path = text_file(tmp_path, "a;b\n1,5;x\n-2;y\n")
    assert read(path).frame.column("a").to_pylist() == [1.5, -2.0]


def test_two_words_in_every_row_are_one_column(tmp_path: Path) -> None:
    path = text_file(tmp_path, "full name\nAda Lovelace\nAlan Turing\n")
    assert read(path).frame.num_columns == 1


@pytest.mark.parametrize(
    ("content", "delimiter"),
    [
        ("a;b\n1,5;2,5\n", ";"),
        ("a,b\nx;y;z,1\nx;y,2\n", ","),
        ("a\n1,5\n", ","),
        ("a,b;c\n1,2;3\n", ","),
        ('"a;b",c\n"1;2",3\n', ","),
    ],
)
def test_the_delimiter_is_the_one_that_gives_rows_of_equal_width(
    content: str, delimiter: str
) -> None:
    assert sniff(content.encode(), "here").delimiter == delimiter


@pytest.mark.parametrize(
    ("content", "decimal"),
    [
        ("a;b\n1,5;x\n", ","),
        ("a;b\n-1,5;+2,25\n", ","),
        ("a;b\n1,5;2.5\n", "."),
        ("1,5;b\nx;y\n", "."),
        ("a;b\n1,500,000;y\n", "."),
        ("a;b\n1;2\n", "."),
    ],
)
def test_a_comma_is_the_decimal_sign_only_where_no_point_is(content: str, decimal: str) -> None:
    assert sniff(content.encode(), "here").decimal == decimal


@pytest.mark.parametrize(
    "head", ["a,b\n", "\n\r\na,b\r\n", '"a\nx",b\n', "ä,ö\n", '"",b\n', "a,b\r"]
)
def test_the_body_begins_after_the_line_of_names(head: str) -> None:
    data = f"{head}1,2\n".encode()
    assert data[sniff(data, "here").body :] == b"1,2\n"


def test_each_column_of_codes_is_shown_by_its_first_code() -> None:
    dialect = sniff(b"a,b,c,d\n1,x,0, 007\n01,0x,0.5,08\n02,y,00,9\n", "here")
    assert dialect.codes == {0: "01", 2: "00", 3: "007"}


def test_the_line_that_the_sample_cuts_does_not_count() -> None:
    whole = b"a,b\n" + (b"x" * 65_000 + b",20\n") * 4
    dialect = sniff(whole + b"01," + b"y" * 5000 + b"\n", "here")
    assert len(whole) < SAMPLE_BYTES < len(whole) + 5000
    assert (dialect.names, dialect.codes) == (["a", "b"], {})


def test_a_record_is_numbered_by_the_line_it_begins_in() -> None:
    text = '\na,b\n\n"1\n2",3\n4,5\n'
    assert list(records(text, ",")) == [(2, ["a", "b"]), (4, ["1\n2", "3"]), (6, ["4", "5"])]


def test_a_text_without_a_record_is_empty() -> None:
    with pytest.raises(DataError, match="here is empty"):
        sniff(b"\n\r\n", "here")


@pytest.mark.parametrize("sign", ["^", "~", ":", "\x01", " "])
def test_a_sign_in_every_line_of_a_single_column_is_refused(sign: str) -> None:
    with pytest.raises(DataError, match="in every line: separate the columns with a comma"):
        sniff(f"a{sign}b\n1{sign}2\n3{sign}4\n".encode(), "here")


@pytest.mark.parametrize("content", ["a:b\n", "a:b\n1\n", "a:b\n1:2:3\n", "time\n10\n"])
def test_a_sign_in_some_lines_is_part_of_the_text(content: str) -> None:
    assert len(sniff(content.encode(), "here").names) == 1


def test_names_are_numbers_only_where_all_of_them_are() -> None:
    assert all_numbers(["1", " -2.5e3 ", "+0"])
    assert not all_numbers(["1", ""])
    assert not all_numbers(["1", "2a"])
