"""JSON lines: read fast where Arrow can, otherwise with errors that name the line."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest
from small_tables import refusal, text_file

from slad.tables import read
from slad.tables.formats.json_lines import JSON_LINES, read_json_lines, write_json_lines


def test_json_lines_with_two_types_in_a_column_become_text_with_a_note(tmp_path: Path) -> None:
    loaded = read(text_file(tmp_path, '{"a": 1, "b": 1}\n{"a": "x", "b": 2.5}\n{}\n', "t.jsonl"))
    assert loaded.frame.to_pydict() == {"a": ["1", "x", None], "b": [1.0, 2.5, None]}
    assert [str(note) for note in loaded.notes] == ["a: read as text: it holds int, str"]


def test_a_list_of_json_objects_is_read(tmp_path: Path) -> None:
    path = text_file(tmp_path, '[{"a": 1}, {"a": 2, "b": "x"}]', "t.json")
    assert read(path).frame.to_pydict() == {"a": [1, 2], "b": [None, "x"]}


def test_times_in_json_keep_their_zone(tmp_path: Path) -> None:
    path = text_file(tmp_path, '{"t": "2025-01-01T10:00:00+02:00"}\n', "t.jsonl")
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
    assert part in refusal(text_file(tmp_path, content, "t.jsonl"))


@pytest.mark.parametrize(
    "second", [b'{"a": null, "b": 2}', b'{"a": 8, "b": "x"}'], ids=["fast", "slow"]
)
def test_columns_that_have_to_be_text_are_text_and_no_other_is_made_up(second: bytes) -> None:
    types = {"a": pa.string(), "gone": pa.string(), "number": pa.int64()}
    frame, _ = read_json_lines(b'{"a": "007", "b": 1}\n' + second, "here", types)
    assert frame.column_names == ["a", "b"]
    assert frame.schema.field("a").type == pa.string()
    assert frame.column("a")[0].as_py() == "007"


def test_blank_lines_and_missing_keys_are_read() -> None:
    lines = b'\xef\xbb\xbf\n{"a": 1}\n\n{"b": "x"}\n'
    assert read_json_lines(lines, "here", {})[0].to_pydict() == {"a": [1, None], "b": [None, "x"]}
    mixed = b'{"a": 1}\n\n{"a": "y", "b": "x"}\n'
    assert read_json_lines(mixed, "here", {})[0].to_pydict() == {"a": ["1", "y"], "b": [None, "x"]}


def test_a_key_given_twice_is_the_last_one() -> None:
    assert read_json_lines(b'{"a": 1, "a": 2}\n', "here", {})[0].to_pydict() == {"a": [2]}


def test_each_row_is_a_line_of_json_that_others_can_read() -> None:
    file = io.BytesIO()
    cells = {"a": [float("nan"), 1.5], "d": [date(2025, 1, 2), None], "t": ["line\nbreak", "é"]}
    write_json_lines(pa.table(cells), file, ".jsonl")
    assert file.getvalue().decode().splitlines() == [
        '{"a": null, "d": "2025-01-02", "t": "line\\nbreak"}',
        '{"a": 1.5, "d": null, "t": "\\u00e9"}',
    ]


@pytest.mark.parametrize(
    ("begin", "clear"), [(b' {"a"', True), (b"\xef\xbb\xbf [", True), (b"a,b", False), (b"", False)]
)
def test_json_is_known_by_its_first_sign(begin: bytes, clear: bool) -> None:
    assert JSON_LINES.begins(begin) == clear
