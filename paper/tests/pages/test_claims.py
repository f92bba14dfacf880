"""Verdicts on the paper's claims come from records, and the page of them all from the reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from made_up_records import record, write
from slad_paper.pages import effectiveness, reproduction
from slad_paper.pages.claims import FAILS, HOLDS, PARTLY, Claim, claims_table
from slad_paper.pages.records import read
from slad_paper.runner import printed

HERE = Path(__file__).parents[2]
RIVALS = [name for method, name in printed.stand_ins().items() if method != printed.OURS]


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [([True, True], HOLDS), ([True, False], PARTLY), ([False, False], FAILS)],
)
def test_a_claim_holds_when_all_that_it_says_does(parts, verdict):
    claim = Claim.judged("water is wet", parts, "dipped a finger")
    assert claim.verdict == verdict
    [row] = claims_table([claim]).rows
    assert [cell.text for cell in row] == ["water is wet", verdict, "dipped a finger"]
    assert row[1].best == (verdict == HOLDS)


def main_table(folder, slad: float) -> dict[str, str]:
    """The claims of a main table in which every rival has 0.8 and 0.5."""
    rows = ("thyroid", "waveform", "pageblocks")
    runs = [record(name, row, 0.8, 0.5) for name in RIVALS for row in rows]
    runs += [record("slad-released", row, slad, slad - 0.1) for row in rows]
    report = effectiveness.report(read(write(folder, *runs)))
    item = reproduction.Item("effectiveness", report)
    return {row[0].text: row[1].text for table in item.claims for row in table.rows}


def test_slad_ahead_everywhere_makes_the_claims_of_the_main_table_hold(tmp_path):
    found = main_table(tmp_path, 0.99)
    assert found[
        "SLAD outperforms its contenders on eight of ten datasets (slad-released here)"
    ] == (HOLDS)
    assert found["on Waveform SLAD raises the best AUC-PR by 0.28 (slad-released here)"] == HOLDS
    assert (
        found["contrastive methods (ICL, NeuTraL, GOAD) are ahead of RCA, GAAL and DSVDD"] == FAILS
    )


def test_slad_behind_everywhere_makes_them_fail(tmp_path):
    found = main_table(tmp_path, 0.55)
    ours = [verdict for text, verdict in found.items() if "slad-released" in text]
    assert len(ours) == 4
    assert set(ours) == {FAILS}


def test_a_small_lead_holds_partly(tmp_path):
    found = main_table(tmp_path, 0.81)
    assert found["on Waveform SLAD raises the best AUC-PR by 0.28 (slad-released here)"] == PARTLY


def test_the_page_counts_verdicts_and_names_what_has_no_records(tmp_path):
    main_table(tmp_path, 0.99)
    text = reproduction.page(tmp_path)
    assert "| effectiveness | main table | 4 | – | 1 |" in text
    assert "## [effectiveness](results/effectiveness.md): main table" in text
    assert "no records yet: slad reproduce variety" in text


def test_every_item_of_the_page_is_an_experiment_that_can_be_run():
    from slad_paper.cli.reproduce import RUNS, STUDIES

    assert set(reproduction.ITEMS) <= {*RUNS, *STUDIES}


@pytest.mark.skipif(not (HERE / "results").is_dir(), reason="records are in the repository only")
def test_the_page_in_the_docs_is_that_of_the_records():
    printed_page = (HERE / "docs" / "reproduction.md").read_text()
    assert reproduction.page(HERE / "results") == printed_page, (
        "python -m slad_paper.pages.reproduction makes it anew"
    )
