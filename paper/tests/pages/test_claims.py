from __future__ import annotations

import pytest

from slad_paper.pages.claims import FAILS, HOLDS, NOT_CHECKED, PARTLY, Claim, claims_table


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [([True, True], HOLDS), ([True, False], PARTLY), ([False, False], FAILS)],
)
def test_a_claim_holds_when_all_that_it_says_does(parts, verdict):
    claim = Claim.checked("water is wet", parts, "dipped a finger")
    assert claim.verdict == verdict
    [row] = claims_table([claim]).rows
    assert [cell.text for cell in row] == ["water is wet", verdict, "dipped a finger"]
    assert row[1].best == (verdict == HOLDS)


@pytest.mark.parametrize(
    ("held", "of", "verdict"),
    [(3, 3, HOLDS), (2, 4, PARTLY), (1, 3, FAILS), (0, 0, NOT_CHECKED)],
)
def test_a_claim_about_several_cases_holds_in_all_of_them(held, of, verdict):
    assert Claim.counted("water is wet", held, of, "").verdict == verdict
