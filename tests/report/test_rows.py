"""The list of the strangest rows."""

from __future__ import annotations

import made_up_findings as made_up
import pytest
from page_reader import Reader, drawn

from slad.model.findings import Findings
from slad.report.rows import decision


@pytest.mark.parametrize(
    ("flagged", "unsure", "expected"),
    [(True, False, "strange"), (True, True, "unsure"), (False, True, "unsure")],
)
def test_a_row_too_close_to_the_threshold_is_neither_strange_nor_usual(flagged, unsure, expected):
    found = made_up.payments()
    found["rows"][0] |= {"flagged": flagged, "unsure": unsure}
    assert decision(Findings.from_json(found).rows[0]) == expected


def test_row_numbers_on_the_page_count_from_1_and_it_says_so():
    text = Reader(drawn(made_up.payments())).text
    assert "row numbers count from 1" in text
    assert "row 384" in text  # rank 1 of the made-up findings
