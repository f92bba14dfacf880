"""Pages stay small, whatever the table holds."""

from __future__ import annotations

import re
from itertools import pairwise

import odd_findings as odd
from page_reader import drawn

from slad.report.limits import LARGEST, STEPS


def test_two_hundred_rows_of_three_hundred_columns_stay_small_with_the_reasons_first():
    found = odd.wide()
    page = drawn(found)
    assert len(page.encode()) < LARGEST
    assert page.count('<li id="row-') == 200
    assert "further columns of less weight left out" in page
    row = found["rows"][50]
    table = page.partition(f'id="row-{row["row"]}"')[2].partition('class="values"')[2]
    first = re.findall(r'<th scope="row">(\w+)', table)[:5]
    assert first == [reason["columns"][0] for reason in row["reasons"]]


def test_even_cells_of_nothing_but_quotes_stay_below_the_limit():
    page = drawn(odd.wide(text='"&<' * 100))
    assert len(page.encode()) < LARGEST
    assert page.endswith("</html>\n")


def test_limits_only_get_tighter():
    for before, after in pairwise(STEPS):
        assert all(getattr(after, name) <= getattr(before, name) for name in vars(before))
