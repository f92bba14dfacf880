"""Text is escaped in elements and attributes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from page_reader import Reader

from slad.report.markup import escaped, tag


@given(st.text(st.characters()))
def test_no_text_becomes_an_element_or_breaks_an_attribute(text):
    seen = Reader(f"<p>{tag('b', text, title=text)}</p>")
    assert [name for name, _ in seen.elements] == ["p", "b"]
    escaped(text).encode()
