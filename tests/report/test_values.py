"""All values of a row beside those of the nearest normal row."""

from __future__ import annotations

import re

import made_up_findings as made_up
from page_reader import Reader

from slad.model.findings import Findings
from slad.report.columns import Columns
from slad.report.limits import Limits
from slad.report.values import values

PLENTY = 10**6


def drawn(size: int = PLENTY, blamed: tuple[str, ...] = (), **more) -> str:
    found = made_up.payments()
    found["rows"][0] |= more
    findings = Findings.from_json(found)
    return values(findings.rows[0], blamed, Columns(findings.columns), Limits(), size)


def names(page: str) -> list[str]:
    return re.findall('<th scope="row">([^<]*)', page)


def test_columns_of_reasons_come_first_then_the_blamed_then_the_others_once_each():
    order = names(drawn(blamed=("remark", "city", "not in this row")))
    assert order[:5] == ["amount", "hour", "city", "card", "remark"]
    assert len(order) == len(set(order)) == 10


def test_the_columns_of_reasons_are_marked():
    page = drawn()
    assert page.count("<small> reason</small>") == 4
    assert page.count('class="blamed"') == 4


def test_values_equal_to_those_of_the_normal_row_are_marked():
    row = {"values": [["amount", "5"], ["city", "Faro"]], "reasons": []}
    page = drawn(nearest=[["amount", "5"]], **row)
    assert '<td>5</td><td class="same">5</td>' in page
    assert "<td>Faro</td><td>–</td>" in page  # which has no value there


def test_without_a_normal_row_its_column_is_left_out():
    page = drawn(nearest=None)
    assert "Nearest normal row" not in page
    assert "beside the nearest" not in page
    assert Reader(page).elements.count(("th", {"scope": "col"})) == 3


def test_values_that_do_not_fit_are_counted():
    page = drawn(size=1)
    assert names(page) == ["amount"]
    assert "9 further columns of less weight left out" in page


def test_a_value_of_a_column_that_is_not_described_has_no_usual_values():
    page = drawn(values=[["unheard of", "7"]], reasons=[], nearest=None)
    assert "<td>7</td><td></td>" in page
