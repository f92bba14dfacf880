"""The columns behind the strange rows, and the table of all columns."""

from __future__ import annotations

from dataclasses import replace

import made_up_findings as made_up
from page_reader import Reader

from slad.model.findings import Findings
from slad.report.columns import Columns, bar, blame, table
from slad.report.limits import Limits


def found(**more) -> Findings:
    return Findings.from_json(made_up.payments() | more)


def blamed(*entries: tuple[str, float, int]) -> str:
    """The section on these columns, shares and rows."""
    given = [{"column": name, "share": share, "rows": rows} for name, share, rows in entries]
    findings = found(blame=given)
    return blame(findings, Columns(findings.columns), Limits()) or ""


def test_columns_have_the_numbers_of_their_places():
    columns = Columns(found().columns)
    assert columns.number("amount") == 1
    assert columns.get("amount") is columns.all[1]


def test_a_name_of_no_column_gets_a_number_of_its_own_that_stays():
    columns = Columns(found().columns)
    assert columns.get("gone") is None
    assert columns.number("gone") == len(columns.all) == columns.number("gone")
    assert columns.number("also gone") == len(columns.all) + 1


def test_symbols_are_drawn_once_for_each_column_with_a_spread():
    findings = found()
    ids = [a["id"] for _, a in Reader(Columns(findings.columns).symbols()).elements if "id" in a]
    drawn = {f"c{at}" for at, column in enumerate(findings.columns) if column.shape is not None}
    assert drawn <= set(ids)
    assert len(ids) == len(set(ids))


def test_the_most_blamed_column_comes_first_with_a_full_bar():
    page = blamed(("city", 0.25, 9), ("amount", 0.5, 2), ("age", 0.25, 11))
    assert page.index("amount") < page.index("age") < page.index("city")
    widths = [a["width"] for _, a in Reader(page).elements if a.get("class") == "filled"]
    assert widths == ["100.0%", "50.0%", "50.0%"]
    assert "first reason of 11 rows" in page


def test_a_column_that_is_no_first_reason_has_no_number_of_rows():
    assert "first reason of" not in blamed(("city", 1.0, 0))


def test_long_lists_say_how_many_columns_they_leave_out():
    page = blamed(*((f"c{at}", 0.05, 1) for at in range(17)))
    assert "2 more columns not shown." in page
    assert blamed() == ""


def test_shares_of_nothing_are_bars_of_no_width():
    widths = [a["width"] for _, a in Reader(blamed(("a", 0.0, 0))).elements if "width" in a]
    assert widths == ["100%", "0.0%"]


def test_a_bar_is_hidden_from_screen_readers():
    assert 'aria-hidden="true"' in bar(0.5)
    assert 'width="50.0%"' in bar(0.5)


def test_every_column_has_a_line_and_unused_ones_say_so():
    findings = found()
    page = Reader(table(findings, Limits()))
    assert sum(name == "tr" for name, _ in page.elements) == 1 + len(findings.columns)
    unused = sum(not column.used for column in findings.columns)
    assert sum(a.get("class") == "unused" for _, a in page.elements) == unused == 3
    assert "left out: always EUR" in page.text


def test_a_table_over_its_size_ends_early_and_says_so():
    limits = replace(Limits(), columns_bytes=1)
    text = Reader(table(found(), limits)).text
    assert "payment" in text
    assert "9 more columns not shown." in text


def test_many_columns_are_folded_away():
    def is_open(count: int) -> bool:
        columns = [made_up.column(f"c{at}") for at in range(count)]
        (first, *_) = Reader(table(found(columns=columns), Limits())).elements
        return "open" in first[1]

    assert is_open(40)
    assert not is_open(41)
