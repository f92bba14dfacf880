"""slad explain: rows by number, by id or because they are flagged."""

from __future__ import annotations

import pytest
from order_tables import STRANGE


def test_rows_are_explained_by_number_by_id_or_because_they_are_flagged(slad, model, few):
    place = 5  # of the strange row in the table of few rows
    for words in (["--rows", f"{place}"], ["--ids", f"A-{STRANGE}"], ["--fdr", "10%"]):
        done = slad("explain", model, few, *words)
        assert done.code == 0, done.err
        assert done.out.startswith(f"row {place}, A-{STRANGE}")
        assert "price is 9,999" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rows", "0"], "rows 1 to 10"),
        (["--rows", "11"], "rows 1 to 10"),
        (["--ids", "A-37", "B-1"], "no row B-1"),
    ],
)
def test_rows_that_are_not_there_are_named(slad, model, few, words, message):
    done = slad("explain", model, few, *words)
    assert done.code == 1
    assert message in done.err


def test_no_flagged_row_is_said(slad, model, normal):
    done = slad("explain", model, normal, "--fdr", "1%")
    assert (done.code, done.out) == (0, "")
    assert "no row is flagged" in done.err
