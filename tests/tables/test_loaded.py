"""Notes on a table that was read."""

from __future__ import annotations

from slad.tables.loaded import Note


def test_a_note_begins_with_its_column_unless_it_is_about_the_whole_table() -> None:
    assert str(Note("a", "read as text")) == "a: read as text"
    assert str(Note("", "read as text")) == ": read as text"
    assert str(Note(None, "read as UTF-16")) == "read as UTF-16"
