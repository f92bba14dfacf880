"""The reasons of a row."""

from __future__ import annotations

from dataclasses import replace

import made_up_findings as made_up
import pytest
from page_reader import Reader

from slad.model.findings import Findings
from slad.report.columns import Columns
from slad.report.limits import Limits
from slad.report.reasons import reasons


def drawn(limits: Limits | None = None, at: int = 0, **more) -> str:
    """The reasons of a made-up row, with some of its values replaced."""
    found = made_up.payments()
    found["rows"][at] |= more
    findings = Findings.from_json(found)
    return reasons(findings.rows[at], Columns(findings.columns), limits or Limits())


def single(name: str, value: str, contribution: float = 1.0, share: float = 0.5) -> list[dict]:
    return [made_up.reason((name,), (value,), {name: "x"}, contribution, share)]


def test_reasons_come_in_their_order_with_share_and_sentence():
    page = Reader(drawn())
    assert [name for name, _ in page.elements].count("h4") == 3
    text = page.text
    assert text.index("amount") < text.index("62\u00a0%") < text.index("21\u00a0%")
    assert "hour with city" in text  # two columns of one reason


@pytest.mark.parametrize(
    ("flagged", "title"), [(True, "Why it is flagged"), (False, "What is least usual in it")]
)
def test_only_a_flagged_row_is_said_to_be_flagged(flagged, title):
    assert f"<h3>{title}</h3>" in drawn(flagged=flagged)


def test_a_row_without_reasons_says_what_to_look_at():
    text = Reader(drawn(reasons=[])).text
    assert text == "No single column makes this row strange; compare its values below."


@pytest.mark.parametrize(("most", "left"), [(1, "2 weaker reasons"), (2, "1 weaker reason")])
def test_reasons_left_out_are_counted(most, left):
    assert f"{left} not shown." in Reader(drawn(replace(Limits(), reasons=most))).text
    assert "weaker reason" not in drawn()


@pytest.mark.parametrize(
    ("contribution", "share", "said", "width"),
    [(2.5, 0.5, "+2.50", "50.0%"), (-0.25, -0.1, "−0.25", "0.0%"), (9.0, 1.4, "+9.00", "100.0%")],
)
def test_a_contribution_has_its_sign_and_a_bar_of_no_more_than_the_whole(
    contribution, share, said, width
):
    page = drawn(reasons=single("amount", "9,999", contribution, share))
    assert f"of the score, {said}" in Reader(page).text
    assert [a["width"] for _, a in Reader(page).elements if a.get("class") == "filled"] == [width]


def test_a_number_is_shown_among_those_of_its_column_with_both_ends():
    page = drawn(reasons=single("amount", "9,999"))
    assert "9,999: higher than nearly all values seen" in Reader(page).text
    assert 'class="ends"' in page
    assert 'class="ends"' not in drawn(reasons=single("booked", "2024-06-30 04:12:00"))


@pytest.mark.parametrize(
    ("name", "value", "figures"),
    [("age", "missing", 0), ("remark", "hello", 0), ("city", "Faro", 1)],
)
def test_a_value_is_drawn_only_where_its_place_is_known(name, value, figures):
    page = drawn(reasons=single(name, value))
    assert page.count("<figure") == figures


def test_a_reason_of_a_column_that_is_not_described_is_a_sentence_alone():
    page = drawn(reasons=single("unheard of", "7"))
    assert "unheard of is 7" in Reader(page).text
    assert "where" not in page
