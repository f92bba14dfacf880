"""The explanations at the end of every page."""

from __future__ import annotations

from page_reader import Reader

from slad.report.reading import reading
from slad.report.rows import DECISIONS


def test_every_decision_of_a_row_is_explained():
    page = Reader(reading())
    said = page.text.casefold()
    assert all(word in said for word in DECISIONS.values())


def test_every_word_has_an_explanation():
    names = [name for name, _ in Reader(reading()).elements]
    assert names.count("dt") == names.count("dd") > 5


def test_links_to_the_section_find_it():
    assert ("section", "reading") in [
        (name, attributes.get("id")) for name, attributes in Reader(reading()).elements
    ]
