"""The top of the page: the answer."""

from __future__ import annotations

import made_up_findings as made_up
import pytest
from page_reader import Reader, drawn

from slad.model.findings import Counts
from slad.report.summary import headline


@pytest.mark.parametrize(
    ("rows", "flagged", "sentence"),
    [
        (1000, 12, "12 of 1,000 rows are flagged"),
        (1000, 1, "1 of 1,000 rows is flagged"),
        (1000, 0, "None of 1,000 rows is flagged"),
        (1, 0, "The only row is usual"),
    ],
)
def test_the_answer_is_a_sentence(rows, flagged, sentence):
    assert headline(Counts(rows, flagged, unsure=0)) == sentence


def test_the_answer_tells_on_which_side_the_rows_too_close_to_call_are():
    found = made_up.payments()
    found["counts"]["unsure"] = 3
    for at, row in enumerate(found["rows"]):
        row["unsure"] = at in (10, 11, 12)
    assert "2 of them and 1 other row lie so close" in Reader(drawn(found)).text
