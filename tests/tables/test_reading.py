"""Files: what is read, and what is said about files that cannot be."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
from datetime import date, datetime
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")

from slad.core.errors import ConfigError, DataError  # noqa: E402
from slad.tables import read, write  # noqa: E402

EVERY_ENDING = (
    ["t.csv", "t.tsv", "t.parquet", "t.feather", "t.arrow", "t.jsonl", "t.json"]
    + [f"t.csv{packed}" for packed in (".gz", ".bz2", ".xz", ".zst")]
    + ["t.tsv.gz", "t.jsonl.zst"]
)


def text(tmp_path: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refusal(source: object) -> str:
    with pytest.raises(DataError) as caught:
        read(source)
    return str(caught.value)


@pytest.fixture
def table() -> pa.Table:
    return pa.table(
        {
            "name": ["a b", 'q"uote', None, "line\nbreak"],
            "amount": [1.5, None, -2.0, 1e9],
            "count": [1, 2, 3, None],
            "ok": [True, False, None, True],
            "day": [date(2025, 1, 31), None, date(2024, 2, 29), date(1969, 1, 1)],
            "at": pa.array([datetime(2025, 1, 1, 10), None, None, None], pa.timestamp("us")),
        }
    )


@pytest.mark.parametrize("name", EVERY_ENDING)
def test_what_is_written_reads_back_the_same(tmp_path: Path, table: pa.Table, name: str) -> None:
    write(table, tmp_path / name)
    back = read(tmp_path / name)
    assert back.frame.to_pydict() == table.to_pydict()
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


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_out(tmp_path: Path, sign: str) -> None:
    path = text(tmp_path, "a|b|c\n1|x y|2\n3|z|4\n".replace("|", sign))
    assert read(path).frame.to_pydict() == {"a": [1, 3], "b": ["x y", "z"], "c": [2, 4]}


def test_a_decimal_comma_is_read_between_semicolons(tmp_path: Path) -> None:
    path = text(tmp_path, "a;b\n1,5;x\n-2;y\n")
    assert read(path).frame.column("a").to_pylist() == [1.5, -2.0]


def test_thousands_are_not_guessed(tmp_path: Path) -> None:
    path = text(tmp_path, 'a,b\n"1,234",1\n"2,345",2\n')
    assert read(path).frame.column("a").to_pylist() == ["1,234", "2,345"]


@pytest.mark.parametrize("spelling", ["", "NA", "N/A", "null", "NaN", "None", "-"])
def test_usual_spellings_of_missing_are_nulls(tmp_path: Path, spelling: str) -> None:
    frame = read(text(tmp_path, f"a,b\n1,x\n{spelling},{spelling}\n")).frame
    assert frame.to_pydict() == {"a": [1, None], "b": ["x", None]}


def test_names_are_stripped_and_a_second_one_gets_a_suffix(tmp_path: Path) -> None:
    loaded = read(text(tmp_path, " a ,a,a.1,\n1,2,3,4\n"))
    assert loaded.frame.column_names == ["a", "a.2", "a.1", "column 4"]
    assert [note.column for note in loaded.notes] == ["a.2"]


def test_a_first_line_of_numbers_is_taken_as_names_and_said(tmp_path: Path) -> None:
    loaded = read(text(tmp_path, "1,2\n3,4\n"))
    assert loaded.frame.num_rows == 1
    assert "only numbers" in str(loaded.notes[0])


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    assert read(text(tmp_path, "\ufeffa,b\n1,2\n")).frame.column_names == ["a", "b"]


def test_utf_16_with_a_mark_is_read_and_said(tmp_path: Path) -> None:
    loaded = read(text(tmp_path, "a,b\nä,2\n".encode("utf-16")))
    assert loaded.frame.to_pydict() == {"a": ["ä"], "b": [2]}
    assert loaded.notes[0].text == "read as UTF-16"


def test_other_bytes_are_read_as_windows_1252_and_the_place_is_said(tmp_path: Path) -> None:
    loaded = read(text(tmp_path, "a,b\nné,2\n".encode("cp1252")))
    assert loaded.frame.column("a").to_pylist() == ["né"]
    assert "byte 5 (0xe9)" in loaded.notes[0].text


def test_bytes_of_no_known_encoding_are_refused_with_their_place(tmp_path: Path) -> None:
    assert "byte 4 is 0x81" in refusal(text(tmp_path, b"a,b\n\x81,2\n"))


def test_old_line_ends_and_blank_lines_are_read(tmp_path: Path) -> None:
    assert read(text(tmp_path, "a,b\r1,2\r3,4\r")).frame.column("b").to_pylist() == [2, 4]
    assert read(text(tmp_path, "\r\n\r\na,b\r\n1,2\r\n\r\n")).frame.column("b").to_pylist() == [2]


def test_a_row_longer_than_a_block_is_read(tmp_path: Path) -> None:
    long = "x" * (2**23 + 10)
    assert read(text(tmp_path, f'a,b\n1,2\n"{long}",3\n')).frame.column("a")[1].as_py() == long


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("31/12/2025", "01/02/2025", date(2025, 2, 1)),
        ("12/31/2025", "01/02/2025", date(2025, 1, 2)),
        ("31.12.2025", "1.2.2025", date(2025, 2, 1)),
        ("2025/12/31", "2025/2/1", date(2025, 2, 1)),
        ("31 Dec 2025", "1 February 2025", date(2025, 2, 1)),
        ("31-Dec-2025", "01-Feb-2025", date(2025, 2, 1)),
        ("Dec 31, 2025", "Feb 1, 2025", date(2025, 2, 1)),
        ("12/31/2025 1:05 PM", "01/02/2025 3:04PM", datetime(2025, 1, 2, 15, 4)),
        ("31.12.2025 10:00", "01.02.2025 11:30", datetime(2025, 2, 1, 11, 30)),
        ("2025-12-31", "2025-02-01", date(2025, 2, 1)),
        ("2025-12-31T10:00:00", "2025-02-01 11:00:00", datetime(2025, 2, 1, 11)),
    ],
)
def test_dates_with_one_reading_are_read(
    tmp_path: Path, first: str, second: str, expected: date
) -> None:
    frame = read(text(tmp_path, f"n;d\n1;{first}\n2;\n3;{second}\n")).frame
    assert frame.column("d")[2].as_py() == expected
    assert frame.column("d").null_count == 1


def test_a_date_with_two_readings_stays_text_and_is_said(tmp_path: Path) -> None:
    loaded = read(text(tmp_path, "d\n01/02/2025\n03/04/2025\n"))
    assert pa.types.is_string(loaded.frame.schema.field("d").type)
    assert "day or month first" in loaded.notes[0].text


def test_seconds_since_1970_stay_numbers(tmp_path: Path) -> None:
    frame = read(text(tmp_path, "t\n1700000000\n1700000001\n")).frame
    assert pa.types.is_integer(frame.schema.field("t").type)


def test_codes_of_digits_stay_text_where_the_model_says_so(tmp_path: Path) -> None:
    types = {"code": pa.string()}
    for name, content in (("t.csv", "code,x\n007,1\n"), ("t.jsonl", '{"code": "007", "x": 1}\n')):
        frame = read(text(tmp_path, content, name), types=types).frame
        assert frame.column("code").to_pylist() == ["007"]
    dated = read(text(tmp_path, "code\n2025-01-01\n"), types=types).frame
    assert dated.column("code").to_pylist() == ["2025-01-01"]


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
    message = refusal(text(tmp_path, content))
    assert all(part in message for part in ["t.csv", *parts]), message


def test_two_words_in_every_row_are_one_column(tmp_path: Path) -> None:
    path = text(tmp_path, "full name\nAda Lovelace\nAlan Turing\n")
    assert read(path).frame.num_columns == 1


def test_json_lines_with_two_types_in_a_column_become_text_with_a_note(tmp_path: Path) -> None:
    loaded = read(text(tmp_path, '{"a": 1, "b": 1}\n{"a": "x", "b": 2.5}\n{}\n', "t.jsonl"))
    assert loaded.frame.to_pydict() == {"a": ["1", "x", None], "b": [1.0, 2.5, None]}
    assert [str(note) for note in loaded.notes] == ["a: read as text: it holds int, str"]


def test_a_list_of_json_objects_is_read(tmp_path: Path) -> None:
    path = text(tmp_path, '[{"a": 1}, {"a": 2, "b": "x"}]', "t.json")
    assert read(path).frame.to_pydict() == {"a": [1, 2], "b": [None, "x"]}


def test_times_in_json_keep_their_zone(tmp_path: Path) -> None:
    path = text(tmp_path, '{"t": "2025-01-01T10:00:00+02:00"}\n', "t.jsonl")
    assert str(read(path).frame.schema.field("t").type) == "timestamp[us, tz=UTC]"


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ('{"a": 1}\n{"a": 2\n', "line 2"),
        ('{"a": 1}\n[1]\n', "line 2 is not a JSON object"),
        ("[1, 2]", "item 1 is not a JSON object"),
        ("[1, 2", "not JSON"),
        ("{}\n{}\n", "no columns"),
    ],
)
def test_an_unreadable_line_of_json_is_named(tmp_path: Path, content: str, part: str) -> None:
    assert part in refusal(text(tmp_path, content, "t.jsonl"))


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.csv.gz", "t.csv.zst", "t.csv.xz"])
@pytest.mark.parametrize("kept", [0.5, 0.97])
def test_a_file_cut_short_is_said(tmp_path: Path, table: pa.Table, name: str, kept: float) -> None:
    write(table, tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: int(kept * len(whole))])
    assert "cut short" in refusal(tmp_path / name)


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.csv.gz", "t.jsonl"])
def test_an_empty_file_is_said(tmp_path: Path, name: str) -> None:
    assert "t." in refusal(text(tmp_path, b"", name))


def test_a_folder_and_a_pattern_give_the_rows_of_all_files(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    (folder / "more").mkdir(parents=True)
    write(pa.table({"a": [1]}), folder / "p1.parquet")
    write(pa.table({"a": [2.5], "b": ["x"]}), folder / "more" / "p2.parquet")
    text(folder, "", "_SUCCESS")
    loaded = read(folder)
    assert sorted(loaded.frame.column("a").to_pylist()) == [1.0, 2.5]
    assert [str(note) for note in loaded.notes] == ["b: not in every file; missing where it is not"]
    assert loaded.sha256 == read(folder / "**" / "*.parquet").sha256
    text(tmp_path, "a,b\n1,2\n", "1.csv")
    text(tmp_path, "b,a\n4,3\n", "2.csv")
    assert read(tmp_path / "*.csv").frame.to_pydict() == {"a": [1, 3], "b": [2, 4]}


def test_paths_that_mean_nothing_are_said(tmp_path: Path) -> None:
    assert "no file" in refusal(tmp_path / "no.csv")
    assert "no folder" in refusal(tmp_path / "no" / "no.csv")
    assert "no file matches" in refusal(tmp_path / "*.csv")
    assert "no Parquet file" in refusal(tmp_path)
    assert "'.xlsx' is not known" in refusal(text(tmp_path, "a", "t.xlsx"))
    write(pa.table({"a": [1]}), tmp_path / "p.parquet")
    text(tmp_path, "a,b\n1,2\n")
    assert "several formats" in refusal(tmp_path)
    write(pa.table({"a": ["x"]}), tmp_path / "q.parquet")
    assert "q.parquet does not fit" in refusal(tmp_path / "*.parquet")


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.feather", "t.jsonl", "t.csv.gz"])
def test_stdin_is_read_whatever_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write(pa.table({"a": [1, 2], "b": ["x", None]}), tmp_path / name)
    data = io.TextIOWrapper(io.BytesIO((tmp_path / name).read_bytes()))
    monkeypatch.setattr(sys, "stdin", data)
    loaded = read("-")
    assert loaded.frame.to_pydict() == {"a": [1, 2], "b": ["x", None]}
    assert loaded.name == "stdin"


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
