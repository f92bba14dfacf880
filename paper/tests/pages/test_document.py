from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from slad_paper.pages.document import Cell, Notes, Report, as_markdown, as_text
from slad_paper.pages.tables import table


def test_columns_line_up_in_text():
    made = table(
        ["name", "score"],
        [["short", "1.5"], ["a longer name", Cell("10.25", best=True)]],
        numbers=True,
    )
    lines = as_text(Report("x", "Title", [made])).splitlines()[2:]
    assert lines == [
        "name            score",
        "short            1.5",
        "a longer name  10.25*",
    ]


@given(st.integers(1, 9), st.integers(20, 80))
def test_a_table_too_wide_for_the_terminal_goes_on_below_with_its_names(columns, width):
    header = ["dataset", *(f"detector{at}" for at in range(columns))]
    made = table(header, [["thyroid", *range(columns)]])
    text = as_text(Report("x", "T", [made]), width)
    assert all(len(line) <= width for line in text.splitlines())
    for name in header[1:]:
        assert text.split().count(name) == 1
    assert text.count("thyroid") == text.count("dataset")


def test_signs_in_reasons_cannot_break_markdown():
    reason = "a|b *c* <d> `e` [f](g) __init__ 38_thyroid"
    made = Report("x", "T", [table(["h"], [[reason]]), Notes([reason])])
    markdown = as_markdown(made)
    assert r"a\|b \*c\* \<d\> \`e\` \[f\](g) \_\_init\_\_ 38_thyroid" in markdown
    row = next(line for line in markdown.splitlines() if line.startswith(r"| a\|b"))
    assert row.replace(r"\|", "").count("|") == 2


def test_notes_are_wrapped_to_the_terminal():
    text = as_text(Report("x", "T", [Notes(["word " * 40])]), width=50)
    assert all(len(line) <= 50 for line in text.splitlines())
    assert text.count("word") == 40
