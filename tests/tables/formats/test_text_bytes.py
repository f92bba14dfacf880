"""Text in any encoding becomes UTF-8."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from small_tables import refusal, text_file

from slad.core.errors import DataError
from slad.tables import read
from slad.tables.formats import text_bytes
from slad.tables.formats.text_bytes import as_utf8, bytes_of


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    assert read(text_file(tmp_path, "\ufeffa,b\n1,2\n")).frame.column_names == ["a", "b"]


def test_utf_16_with_a_mark_is_read_and_said(tmp_path: Path) -> None:
    loaded = read(text_file(tmp_path, "a,b\nä,2\n".encode("utf-16")))
    assert loaded.frame.to_pydict() == {"a": ["ä"], "b": [2]}
    assert loaded.notes[0].text == "read as UTF-16"


def test_other_bytes_are_read_as_windows_1252_and_the_place_is_said(tmp_path: Path) -> None:
    loaded = read(text_file(tmp_path, "a,b\nné,2\n".encode("cp1252")))
    assert loaded.frame.column("a").to_pylist() == ["né"]
    assert "byte 5 (0xe9)" in loaded.notes[0].text


def test_bytes_of_no_known_encoding_are_refused_with_their_place(tmp_path: Path) -> None:
    assert "byte 4 is 0x81" in refusal(text_file(tmp_path, b"a,b\n\x81,2\n"))


@pytest.mark.parametrize(
    ("mark", "encoding", "said"),
    [
        (codecs.BOM_UTF8, "utf-8", []),
        (codecs.BOM_UTF16_LE, "utf-16-le", ["read as UTF-16"]),
        (codecs.BOM_UTF16_BE, "utf-16-be", ["read as UTF-16"]),
        (codecs.BOM_UTF32_LE, "utf-32-le", ["read as UTF-32"]),
        (codecs.BOM_UTF32_BE, "utf-32-be", ["read as UTF-32"]),
    ],
)
def test_a_mark_names_the_encoding_and_goes(mark: bytes, encoding: str, said: list[str]) -> None:
    data, notes = as_utf8(mark + "a,ä\n".encode(encoding), "here")
    assert data == "a,ä\n".encode()
    assert [str(note) for note in notes] == said
    with pytest.raises(DataError, match="here is empty"):
        as_utf8(mark + " \n".encode(encoding), "here")


def test_a_mark_before_other_bytes_is_refused() -> None:
    with pytest.raises(DataError, match="the mark of UTF-16, but is something else"):
        as_utf8(codecs.BOM_UTF16_LE + b"odd", "here")


def test_utf_16_without_a_mark_is_refused_with_the_way_out() -> None:
    with pytest.raises(DataError, match=r"byte 1 is 0\. If it is UTF-16 without a mark, save it"):
        as_utf8("a,b\n".encode("utf-16-le"), "here")


@pytest.mark.parametrize("block", [1, 2, 3, 4, 100])
def test_letters_of_several_bytes_may_cross_a_block(
    monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(text_bytes, "_BLOCK", block)
    good = "aé€".encode()
    assert as_utf8(good, "here") == (good, [])
    for bad in (b"\xe9", b"\xe2\x82"):  # a wrong byte, and a letter that the end cuts
        _, (note,) = as_utf8(good + bad, "here")
        assert note.text.startswith(f"read as Windows-1252: byte {len(good)} ({bad[0]:#04x})")


@pytest.mark.parametrize(
    ("sign", "what"),
    [(b"%PDF-1.7", "a PDF"), (b"ARROW1", "name it .arrow"), (b"BZh9", "name it .bz2")],
)
def test_a_file_of_another_kind_is_named(sign: bytes, what: str) -> None:
    with pytest.raises(DataError, match=f"here is not text but .*{what}"):
        as_utf8(sign + b"more", "here")


def test_bytes_are_taken_as_they_are_and_a_path_is_read(tmp_path: Path) -> None:
    path = text_file(tmp_path, b"\xff")
    assert bytes_of(path) == bytes_of(b"\xff") == b"\xff"
